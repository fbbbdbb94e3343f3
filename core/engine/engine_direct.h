/* Direct blocks: those longer than the threshold, which go from their source straight to their
 * destination. */
#ifndef STRATA_CORE_ENGINE_ENGINE_DIRECT_H
#define STRATA_CORE_ENGINE_ENGINE_DIRECT_H

#include "core/engine/engine_common.h"

/* The side, by rank, whose direct blocks leave; and the one where they come. */
static inline const struct strata_layout *strata_direct_out(const struct strata_execution *x)
{
    return x->long_blocks ? &x->long_blocks[0] : &x->input;
}

static inline const struct strata_layout *strata_direct_in(const struct strata_execution *x)
{
    return x->long_blocks ? &x->long_blocks[1] : &x->output;
}

/* Whether the block of that rank is direct. */
static inline bool strata_is_direct(const struct strata_execution *x,
                                    const struct strata_layout *side, int rank)
{
    return strata_layout_bytes(side, rank) > x->plan->limits.threshold;
}

/* core/engine/engine_direct.c: bytes of scratch that they need: those that leave are saved before
 * where a call is in place, and where a local peer could not read them as they lie; what local
 * peers expose may go by way of a buffer. */
size_t strata_direct_scratch(const struct strata_execution *x);
/* Saves those that leave, before anything may arrive over them;
 * returns where they end. */
unsigned char *strata_save_direct(struct strata_execution *x);

#endif
