/* What a plan comes to for one call's blocks: which bytes go from where to where between its
 * signals. A call whose blocks are as long as those of the one before, and lie as they did from its
 * buffers on, copies the same bytes, so the engine need not walk the plan's sets again. It follows
 * the tape, and goes back to the plan where a local peer's blocks are others than expected or
 * somebody has failed. Other ranks see no difference.
 *
 * Made only where that pays and is short: plans inside a node, of one pass and without messages,
 * for blocks in one piece each. */
#ifndef STRATA_CORE_ENGINE_TAPE_H
#define STRATA_CORE_ENGINE_TAPE_H

#include "core/engine/engine.h"

/* A copy, or a combination. */
struct strata_move {
    ptrdiff_t from;    /* where it reads, from from_base */
    ptrdiff_t to;      /* where it writes, from to_base */
    size_t bytes;      /* bytes that are copied; 0: operands are combined */
    size_t operands;   /* operands that are combined */
    bool folds;        /* they are combined on the right of those that lie there */
    uint8_t from_base; /* enum strata_base (core/engine/engine_progress.h) */
    uint8_t to_base;   /* enum strata_base */
};

/* Plans over items: my block from another member's slot, where the slot's tables say that it is as
 * long as expected. */
struct strata_take {
    ptrdiff_t slot; /* the member's slot, from member 0's */
    ptrdiff_t to;   /* where the block goes, from the output */
    uint32_t bytes; /* how long it is expected to be */
};

/* Plans over items: offsets in a slot that say where my block lies in it. */
struct strata_slot_words {
    size_t mine; /* the word that says where my block begins; the next one says where it ends */
    size_t end;  /* the word that says where all blocks end */
    size_t near; /* where blocks begin that end in the line of the signal */
    size_t far;  /* where blocks begin that do not */
};

/* A member that is awaited. */
struct strata_coming {
    ptrdiff_t signal;  /* its signal, from member 0's */
    ptrdiff_t said;    /* what is said of its blocks, from member 0's slot */
    uint64_t expected; /* what is to be said of them */
};

/* Steps of the plan in a row, as far as they come in this order, and any may be missing: members
 * are awaited, bytes move, blocks are taken, a signal is given. Where it stops, nothing that it did
 * may not be done again. */
struct strata_tape_step {
    int32_t at;                             /* index of the first of them */
    const struct strata_step *await;        /* the step that awaits members; NULL: there is none */
    const struct strata_coming *coming;     /* the members that it awaits */
    const struct strata_coming *coming_end; /* behind the last of them */
    uint8_t awaited;                        /* the signal that they are to have given */
    uint8_t signal;                         /* the signal that is given; 0: none is */
    bool compares;                          /* what members say of blocks is compared */
    bool describes;                      /* what this rank says of blocks comes with its signal */
    bool opens;                          /* my slot is written, so it has to be open */
    bool heard;                          /* after the wait this member has heard of all others */
    bool signals_all;                    /* when it signals it has heard of all others */
    const struct strata_move *moves;     /* what moves */
    const struct strata_move *moves_end; /* behind the last of it */
    const struct strata_take *takes;     /* the blocks that are taken */
    const struct strata_take *takes_end; /* behind the last of them */
    size_t copied;                       /* bytes that are copied */
};

/* How a side's blocks lay, wherever its buffer and its arrays were. */
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
    uint64_t busiest;               /* as in strata_engine_progress */
    uint64_t blocks_total;          /* as in strata_engine_progress */
    bool agrees;                    /* a call finds the sizes that all ranks agree on */
    size_t copied;                  /* bytes that a call copies */
    size_t most_copied;             /* bytes that one step of the plan copies, at most */
    unsigned char *tables;          /* the tables of my slot */
    struct strata_slot_words words; /* where a slot's tables speak of my block */
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
    int most; /* how many moves, takes and members there is memory for, of each */
};

/* For calls of this plan; NULL: it cannot be taped, or there is no memory: then it is walked.
 * check: as in the executions. */
struct strata_tape *strata_tape_create(const struct strata_plan *plan, bool check);
void strata_tape_destroy(struct strata_tape *tape); /* accepts NULL */

/* Whether the tape serves x, if its arrays hold what those of the taped call held. */
bool strata_tape_fits(const struct strata_tape *tape, const struct strata_execution *x);
/* Tapes a call that was walked and ended well. False: it cannot be taped. */
bool strata_tape_record(struct strata_tape *tape, struct strata_execution *x);
/* Before the first call, which is bound and has its scratch: likewise. Nothing of the node's memory
 * is written. */
bool strata_tape_foresee(struct strata_tape *tape, struct strata_execution *x);

/* core/engine/tape_make.c: of x, which was just walked, or foreseen; false if it cannot be. */
bool strata_tape_make(struct strata_tape *tape, struct strata_execution *x);

/* core/engine/tape_run.c, for the engine: start, and advance as far as it goes; and advance from
 * where it stopped. Return as strata_engine_advance does. */
int strata_tape_call(struct strata_execution *x);
int strata_tape_go_on(struct strata_execution *x);
void strata_tape_start(struct strata_execution *x);

#endif
