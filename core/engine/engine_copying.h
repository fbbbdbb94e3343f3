/* What the engine's files that copy blocks share. */
#ifndef STRATA_CORE_ENGINE_ENGINE_COPYING_H
#define STRATA_CORE_ENGINE_ENGINE_COPYING_H

#include <stdatomic.h>

#include "core/engine/engine_internal.h"

/* One COPY step of items, or COPY_OUT; the thread team's chunks share it. */
struct strata_copying {
    struct strata_execution *x;
    const struct strata_step *step;
    struct strata_set set;
    bool partial; /* the set may leave positions out */
    struct strata_slot slot;
    /* COPY_OUT of staged plans, for each position: bytes for the members of my lane before me, and
     * for all of the lane. */
    const uint32_t *before, *mine, *all; /* words */
    atomic_size_t copied;
    atomic_int wrong;           /* 1 + a node whose lengths disagree */
    atomic_bool directs_differ; /* which blocks are direct, too */
};

/* What the blocks of one source node are read from: its message on my lane, or its own slots. */
struct strata_origin {
    int node;
    bool own;
    const unsigned char *at;        /* the message's blocks */
    uint32_t length;                /* of the blocks: a word */
    const unsigned char *length_of; /* check: of each block, source by source; on no boundary */
};

static inline struct strata_copying strata_copying_of(struct strata_execution *x,
                                                      const struct strata_step *step)
{
    struct strata_copying c = {.x = x, .step = step, .set = strata_cursor_set(&x->cursor)};
    c.partial = !strata_set_is_whole(c.set);
    return c;
}

/* Whether the step's set has the position of this rank. */
static inline bool strata_wanted(const struct strata_copying *c, int rank)
{
    return !c->partial ||
           strata_set_contains(c->set, strata_topology_position(c->x->plan->topology, rank));
}

/* core/engine/engine_copy_out.c */
struct strata_origin strata_origin_of(const struct strata_copying *c, int node);

/* core/engine/engine_mismatch.c: records which blocks are not as long as expected. */
void strata_report_wrong(const struct strata_copying *c, int node);

#endif
