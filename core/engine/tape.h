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
    size_t bytes;
    size_t operands;            /* so many are combined; 0: the bytes are copied */
    uint8_t from_base, to_base; /* enum strata_base: core/engine/engine_progress.h */
    bool word;                  /* 8 bytes are copied: most blocks of small calls are a number */
};

/* Plans over items: my block from a mate's slot, where its tables say that it is as long as
 * expected. */
struct strata_take {
    ptrdiff_t slot, to; /* from member 0's slot; from the output */
    uint32_t bytes;
};

/* A step of the plan: moved as said here, or else run as it is. */
struct strata_tape_step {
    const struct strata_step *step;
    int32_t at;                   /* its index */
    bool moved, fills, signals;   /* fills: it writes my slot */
    struct strata_awaited awaits; /* where it is neither moved nor signals */
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
    uint64_t largest, busiest, blocks_total; /* as the engine's progress has them */
    unsigned char *tables;                   /* of my slot */
    struct strata_tape_step *step;
    struct strata_move *move;
    struct strata_take *take;
    int nsteps, nmoves, ntakes, most; /* most: moves, and takes, that there is room for */
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

/* core/engine/tape_run.c, for the engine. run returns STRATA_OK at the end, STRATA_PENDING, an
 * error, or STRATA_TAPE_LEFT: the plan is to be walked on from the step where the cursor stands. */
#define STRATA_TAPE_LEFT (-2)
void strata_tape_start(struct strata_execution *x);
/* Where the places of its call are counted from, but for the tables. */
void strata_tape_bases(const struct strata_execution *x, unsigned char **base);
int strata_tape_run(struct strata_execution *x);

#endif
