/* How tapes are made: what all plans have in common, and what each family adds. */
#ifndef STRATA_CORE_ENGINE_TAPE_MAKING_H
#define STRATA_CORE_ENGINE_TAPE_MAKING_H

#include "core/engine/tape.h"

/* What one step of the plan adds. */
struct strata_added {
    const struct strata_step *step; /* the plan's step */
    struct strata_tape_step *to;    /* the step of the tape that it adds to */
    int first_move;                 /* the first move that later ones can be joined to */
    size_t copied;                  /* bytes that the step copies */
};

/* Where the places of a call are counted from, but for the tables. */
static inline void strata_tape_bases(const struct strata_execution *x, unsigned char **base)
{
    base[STRATA_BASE_INPUT] = x->input.base;
    base[STRATA_BASE_OUTPUT] = x->output.base;
    base[STRATA_BASE_SLOTS] = strata_ring_slot(x->ring, 0, x->progress.epoch);
    base[STRATA_BASE_LANDING] = x->memory->landing;
}

static inline ptrdiff_t strata_distance(const void *from, const void *to)
{
    return (ptrdiff_t)((uintptr_t)to - (uintptr_t)from);
}

/* Where a member's slot begins, from member 0's. */
static inline ptrdiff_t strata_tape_slot(const struct strata_execution *x, int member)
{
    const uint64_t epoch = x->progress.epoch;
    return strata_distance(strata_ring_slot(x->ring, 0, epoch),
                           strata_ring_slot(x->ring, member, epoch));
}

/* core/engine/tape_moves.c: adds a move, joined to the one before where they lie side by side;
 * false: there is no memory for it. Adds an empty step, that begins with this one of the plan. */
bool strata_tape_add_move(struct strata_tape *tape, const struct strata_added *added,
                          const struct strata_move *move);
struct strata_tape_step *strata_tape_add_step(struct strata_tape *tape,
                                              const struct strata_step *step);

/* What a family adds; NULL: nothing. A function that returns false says that the call cannot be
 * taped. */
struct strata_taping {
    /* Whether the plan's slots are such as the family tapes. */
    bool (*can_be)(const struct strata_plan *plan, bool check);
    /* Measures the blocks of a call. */
    bool (*measure)(struct strata_execution *x);
    /* Adds what a step copies or combines. */
    bool (*add_moving)(struct strata_tape *tape, struct strata_added *added,
                       struct strata_execution *x);
    /* Adds what is said of blocks before a member's first signal. */
    bool (*add_said)(struct strata_tape *tape, const struct strata_execution *x);
    /* Finds what a member is to say of blocks; NULL: signals say nothing of them. */
    void (*expect)(const struct strata_execution *x, int member, struct strata_coming *coming);
    /* Adds what is moved after a signal, while those of others are on their way. */
    bool (*add_after)(struct strata_tape *tape, const struct strata_step *signal,
                      const struct strata_execution *x);
};

extern const struct strata_taping strata_taping_of_items, strata_taping_of_blocks;

#endif
