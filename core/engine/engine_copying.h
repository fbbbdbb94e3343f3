/* Shared by the files that copy blocks of plans over items. */
#ifndef STRATA_CORE_ENGINE_ENGINE_COPYING_H
#define STRATA_CORE_ENGINE_ENGINE_COPYING_H

#include <stdatomic.h>

#include "core/engine/engine_items.h"

/* A COPY step of items, or a COPY_OUT step. Several threads share it. */
struct strata_copying {
    struct strata_execution *x;     /* the call */
    const struct strata_step *step; /* the plan's step */
    struct strata_set set;          /* the positions whose blocks it copies */
    bool partial;                   /* the set may leave positions out */
    struct strata_slot slot;        /* COPY: my slot */
    /* COPY_OUT of staged plans: sums of words of the members of my lane before me. */
    const uint32_t *before;
    const uint32_t *mine;       /* likewise: my own words, by position */
    const uint32_t *all;        /* likewise: sums of words of all members of my lane */
    atomic_size_t copied;       /* bytes that were copied */
    atomic_int wrong;           /* 1 + the number of a node whose lengths disagree; 0: none */
    atomic_bool directs_differ; /* the two ends of a block disagree whether it is direct */
};

/* The place from which the blocks of one source node are read: its message on my lane, or the slots
 * of my own node. */
struct strata_origin {
    int node;                /* the source node */
    bool own;                /* it is my own node */
    const unsigned char *at; /* the message's blocks */
    uint32_t length;         /* the length word of all blocks together */
    /* Check: the length word of each block, source by source, not aligned. */
    const unsigned char *length_of;
};

static inline struct strata_copying strata_copying_of(struct strata_execution *x,
                                                      const struct strata_step *step)
{
    struct strata_copying c = {.x = x, .step = step, .set = strata_cursor_set(&x->cursor)};
    c.partial = !strata_set_is_whole(c.set);
    return c;
}

/* Whether the step's set has the position of `rank`. */
static inline bool strata_wanted(const struct strata_copying *c, int rank)
{
    return !c->partial ||
           strata_set_contains(c->set, strata_topology_position(c->x->plan->topology, rank));
}

/* core/engine/engine_mismatch.c: records which blocks are not as long as expected. */
void strata_report_wrong(const struct strata_copying *c, const struct strata_origin *origin);

#endif
