/* A tape: the copies and signals of one call, recorded, so that the engine need not walk the plan's
 * sets again. A call whose blocks have the same lengths as in the call before, and lie at the same
 * distances from its buffers, copies the same bytes. The engine follows the tape, and goes back to
 * the plan where a local peer's blocks are not as expected or a member has failed. Other ranks see
 * no difference.
 *
 * Tapes are made only where they pay and are short: for plans inside a node, of one pass and
 * without messages, whose blocks lie in one piece each. */
#ifndef STRATA_CORE_ENGINE_TAPE_H
#define STRATA_CORE_ENGINE_TAPE_H

#include "core/engine/engine.h"

/* A copy, or a combination. */
struct strata_move {
    ptrdiff_t from;    /* where it reads, from from_base */
    ptrdiff_t to;      /* where it writes, from to_base */
    size_t bytes;      /* bytes that are copied; 0: operands are combined */
    size_t operands;   /* operands that are combined */
    bool folds;        /* they are combined on the right of the operands that lie there */
    uint8_t from_base; /* enum strata_base (core/engine/engine_progress.h) */
    uint8_t to_base;   /* enum strata_base */
};

/* Plans over items: copies my block from another member's slot, if the slot's tables say that it is
 * as long as expected. */
struct strata_take {
    ptrdiff_t slot; /* the member's slot, from member 0's */
    ptrdiff_t to;   /* where the block goes, from the output */
    uint32_t bytes; /* bytes that the block is expected to have */
};

/* Plans over items: offsets in a slot of the words that say where my block lies in it. */
struct strata_slot_words {
    size_t mine; /* the word that says where my block begins; the next one says where it ends */
    size_t end;  /* the word that says where all blocks end */
    size_t near; /* where the blocks begin if they end in the signal's line */
    size_t far;  /* where the blocks begin if they do not */
};

/* A member that is awaited. */
struct strata_coming {
    ptrdiff_t signal;  /* its signal, from member 0's */
    ptrdiff_t said;    /* the description of its blocks, from member 0's slot */
    uint64_t expected; /* the description that is expected */
};

/* A step of the tape: consecutive steps of the plan, as far as they come in this order, and any of
 * them may be missing: members are awaited, bytes move, blocks are taken, a signal is given. Where
 * the tape stops, everything that it did may be done again. */
struct strata_tape_step {
    int32_t at;                             /* index of the first of these steps of the plan */
    const struct strata_step *await;        /* the step that awaits members; NULL: there is none */
    const struct strata_coming *coming;     /* the members that it awaits */
    const struct strata_coming *coming_end; /* behind the last of them */
    uint8_t awaited;                        /* the signal that they are to have given */
    uint8_t signal;                         /* the signal that is given; 0: none is */
    bool compares;    /* the members' descriptions of their blocks are compared */
    bool describes;   /* this rank's description of its blocks comes with its signal */
    bool opens;       /* my slot is written before anybody was heard, so it must be open */
    bool heard;       /* after the wait this member has heard of all others */
    bool signals_all; /* when this member signals, it has heard of all others */
    const struct strata_move *moves;     /* the copies and combinations */
    const struct strata_move *moves_end; /* behind the last of them */
    const struct strata_take *takes;     /* the blocks that are taken */
    const struct strata_take *takes_end; /* behind the last of them */
    size_t copied;                       /* bytes that are copied */
};

/* How a side's blocks lie, relative to its buffer and its arrays. */
struct strata_shape {
    size_t size;        /* bytes of an element */
    ptrdiff_t offset;   /* where the only piece of an element begins */
    size_t count;       /* as in the layout */
    size_t segments;    /* as in the layout */
    size_t unit;        /* as in the layout */
    bool varies;        /* there are counts */
    bool placed;        /* there are displacements */
    bool varies_widely; /* there are large counts */
    bool placed_widely; /* there are large displacements */
};

struct strata_tape {
    const struct strata_plan *plan; /* the plan of the calls */
    bool ready;                     /* a call was taped */
    bool in_place;                  /* input and output are the same memory */
    struct strata_shape input;      /* the input's shape */
    struct strata_shape output;     /* the output's shape */
    uint64_t largest;               /* as in strata_engine_progress */
    uint64_t load;                  /* as in strata_engine_progress */
    uint64_t blocks_total;          /* as in strata_engine_progress */
    bool agrees;                    /* a call finds the sizes that all ranks agree on */
    size_t copied;                  /* bytes that a call copies */
    size_t longest;                 /* bytes of the longest work that threads may share */
    unsigned char *tables;          /* the tables of my slot */
    struct strata_slot_words words; /* where a slot's tables describe my block */
    ptrdiff_t signal;               /* my signal, from member 0's */
    ptrdiff_t slot;                 /* my slot, from member 0's */
    struct strata_tape_step *step;  /* [nsteps] */
    struct strata_move *move;       /* [nmoves] */
    struct strata_take *take;       /* [ntakes] */
    struct strata_coming *coming;   /* [ncoming] */
    int nsteps;                     /* steps that the tape has */
    int nmoves;                     /* moves of all steps */
    int ntakes;                     /* blocks that are taken in all steps */
    int ncoming;                    /* members that are awaited in all steps */
    int most; /* the number of moves, takes and members that there is memory for */
};

/* A tape for calls of this plan; NULL: the plan cannot be taped, or there is no memory, and then it
 * is walked. check: as in struct strata_execution. */
struct strata_tape *strata_tape_create(const struct strata_plan *plan, bool check);
void strata_tape_destroy(struct strata_tape *tape); /* accepts NULL */

/* Whether the tape serves x, provided that its arrays hold the same values as those of the taped
 * call. */
bool strata_tape_fits(const struct strata_tape *tape, const struct strata_execution *x);
/* Tapes a call that was walked and ended well. False: the call cannot be taped. */
bool strata_tape_record(struct strata_tape *tape, struct strata_execution *x);
/* The same before the first call, which is bound and has its scratch. Nothing in the node memory is
 * written. */
bool strata_tape_foresee(struct strata_tape *tape, struct strata_execution *x);

/* core/engine/tape_make.c: makes the tape of x, which was just walked or foreseen; false if it
 * cannot. */
bool strata_tape_make(struct strata_tape *tape, struct strata_execution *x);

/* core/engine/tape_run.c, for the engine: runs a call from its start as far as it goes; advances a
 * call from where it stopped; starts a call. The first two return as strata_engine_advance does. */
int strata_tape_call(struct strata_execution *x);
int strata_tape_go_on(struct strata_execution *x);
void strata_tape_start(struct strata_execution *x);

#endif
