/* What a plan comes to for one call's blocks: which bytes go from where to where between its
 * signals. A call whose blocks are as long as those of the one before, and lie as they did from its
 * buffers on, copies the same bytes, so the engine need not walk the plan's sets again. It follows
 * the tape, and goes back to the plan where a mate's blocks are others than expected or
 * somebody has failed. Other ranks see no difference.
 *
 * Made only where that pays and is short: plans inside a node, of one pass and without messages,
 * for blocks in one piece each. */
#ifndef STRATA_CORE_ENGINE_TAPE_H
#define STRATA_CORE_ENGINE_TAPE_H

#include "core/engine/engine.h"

struct strata_move {
    ptrdiff_t from, to;
    size_t bytes;               /* that are copied; 0: this one combines */
    size_t operands;            /* so many, */
    bool folds;                 /* on the right of what is there, not on the left */
    uint8_t from_base, to_base; /* enum strata_base: core/engine/engine_progress.h */
};

/* Plans over items: my block from a mate's slot, where its tables say that it is as long as
 * expected. */
struct strata_take {
    ptrdiff_t slot, to; /* from member 0's slot; from the output */
    uint32_t bytes;
};

/* Where in a slot it says where the block for me begins, with its end behind it, and all end; and
 * from where on that is: in the line of its signal, or where they do not end there, behind it. */
struct strata_slot_words {
    size_t mine, end, near, far;
};

/* A member that is awaited: where its signal is, and what it says of blocks, which is to be
 * `expected`; from member 0's. */
struct strata_coming {
    ptrdiff_t signal, said;
    uint64_t expected;
};

/* Steps of the plan in a row, as far as they come in this order, and any may be missing: members
 * are awaited, bytes move, blocks are taken, a signal is given. Where it stops, nothing that it did
 * may not be done again. */
struct strata_tape_step {
    int32_t at;                      /* index of the first of them */
    const struct strata_step *await; /* NULL: nobody is awaited; else these are: */
    const struct strata_coming *coming, *coming_end;
    uint8_t awaited, signal; /* signal 0: none is given */
    bool describes;          /* what is said of blocks comes with it */
    bool opens;              /* my slot is written, so it has to be open */
    bool heard;              /* after the wait this member has heard of all, */
    bool signals_all;        /* and when it signals */
    const struct strata_move *moves, *moves_end;
    const struct strata_take *takes, *takes_end;
    size_t copied; /* bytes */
};

/* What a side's blocks were, wherever its buffer lay. */
struct strata_shape {
    size_t size;      /* of an element, */
    ptrdiff_t offset; /* and where its only piece begins */
    size_t count, segments, unit;
    bool varies, placed;               /* whether there are counts, displacements, */
    bool varies_widely, placed_widely; /* or large ones; */
    int *held; /* [4 * ranks] what they held: counts in the first half of it */
};

struct strata_tape {
    const struct strata_plan *plan;
    bool seen;  /* a call of this shape, */
    bool tried; /* and another one; */
    bool ready; /* which was taped */
    bool in_place;
    bool short_arrays; /* both sides have counts and displacements in int, of few ranks */
    struct strata_shape input, output;
    uint64_t largest, busiest, blocks_total; /* as the engine's progress has them; */
    bool agrees;                             /* and whether a call finds the figures of all */
    size_t copied;                           /* bytes; */
    size_t most_copied;                      /* by one step of the plan */
    unsigned char *tables;                   /* of my slot */
    struct strata_slot_words words;
    ptrdiff_t signal, slot; /* my own; as above */
    struct strata_tape_step *step;
    struct strata_move *move;
    struct strata_take *take;
    struct strata_coming *coming;
    int nsteps, nmoves, ntakes, ncoming, most; /* most: of each, but steps, there is room for */
};

/* For calls of this plan; NULL: it cannot be taped, or there is no memory: then it is walked.
 * check: as in the executions. */
struct strata_tape *strata_tape_create(const struct strata_plan *plan, bool check);
void strata_tape_destroy(struct strata_tape *tape); /* accepts NULL */

/* Whether the blocks of x are laid out like those of the call that was learned from last, whatever
 * the counts and displacements in arrays are. */
bool strata_tape_fits(const struct strata_tape *tape, const struct strata_execution *x);
/* Where that is so: whether the tape serves x, whose arrays may have changed since. */
bool strata_tape_serves(const struct strata_tape *tape, const struct strata_execution *x);
/* After a call that was walked and ended well: the second of a shape in a row is taped. Returns
 * whether calls laid out like it fit now. */
bool strata_tape_learn(struct strata_tape *tape, struct strata_execution *x);
/* Before the first call, which is bound and has its scratch: tapes it. Nothing of the node's memory
 * is written. Where it cannot be taped its calls are walked. */
void strata_tape_foresee(struct strata_tape *tape, struct strata_execution *x);

/* core/engine/tape_make.c: of x, which was just walked, or foreseen; false if it cannot be. */
bool strata_tape_make(struct strata_tape *tape, struct strata_execution *x);

/* core/engine/tape_run.c, for the engine: start, and advance as far as it goes; and advance from
 * where it stopped. Return as strata_engine_advance does. */
int strata_tape_call(struct strata_execution *x);
int strata_tape_go_on(struct strata_execution *x);
void strata_tape_start(struct strata_execution *x);
/* Where the places of its call are counted from, but for the tables. */
void strata_tape_bases(const struct strata_execution *x, unsigned char **base);

#endif
