/* Making tapes: the part that all plans have in common, and the part of each family. */
#ifndef STRATA_CORE_ENGINE_TAPE_MAKING_H
#define STRATA_CORE_ENGINE_TAPE_MAKING_H

#include "core/engine/tape.h"

/* The part that one step of the plan adds to a tape. */
struct strata_added {
    const struct strata_step *step; /* the plan's step */
    struct strata_tape_step *to;    /* the step of the tape that it adds to */
    int first_move;                 /* the first move that later ones can be joined to */
    size_t copied;                  /* bytes that the step copies */
};

/* The bases of a call's addresses, except the tables. */
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

/* core/engine/tape_moves.c. The first function adds a move, joined to the one before where they lie
 * side by side; false: there is no memory. The second adds an empty step that begins with `step` of
 * the plan. */
bool strata_tape_add_move(struct strata_tape *tape, const struct strata_added *added,
                          const struct strata_move *move);
struct strata_tape_step *strata_tape_add_step(struct strata_tape *tape,
                                              const struct strata_step *step);

/* The functions of a family; NULL: the family adds nothing. A function that returns false says that
 * the call cannot be taped. */
struct strata_taping {
    /* Whether the family can tape calls with the plan's kind of slots. */
    bool (*can_be)(const struct strata_plan *plan, bool check);
    /* Measures the blocks of a call. */
    bool (*measure)(struct strata_execution *x);
    /* Adds the copies or combinations of a step. */
    bool (*add_moving)(struct strata_tape *tape, struct strata_added *added,
                       struct strata_execution *x);
    /* Adds the description of blocks before a member's first signal. */
    bool (*add_said)(struct strata_tape *tape, const struct strata_execution *x);
    /* Finds the description of blocks that a member must give; NULL: signals describe no blocks. */
    void (*expect)(const struct strata_execution *x, int member, struct strata_coming *coming);
    /* Adds moves after a signal, while the signals of others are on their way. */
    bool (*add_after)(struct strata_tape *tape, const struct strata_step *signal,
                      const struct strata_execution *x);
};

extern const struct strata_taping strata_taping_of_items, strata_taping_of_blocks;

#endif
