/* Direct blocks: blocks longer than the threshold, which go from their source straight to their
 * destination. */
#ifndef STRATA_CORE_ENGINE_ENGINE_DIRECT_H
#define STRATA_CORE_ENGINE_ENGINE_DIRECT_H

#include "core/engine/engine_common.h"

/* The layout, by rank, of the direct blocks that leave, and of the ones that come. */
static inline const struct strata_layout *strata_direct_out(const struct strata_execution *x)
{
    return x->long_blocks ? &x->long_blocks[0] : &x->input;
}

static inline const struct strata_layout *strata_direct_in(const struct strata_execution *x)
{
    return x->long_blocks ? &x->long_blocks[1] : &x->output;
}

/* Whether the block of `rank` is direct. */
static inline bool strata_is_direct(const struct strata_execution *x,
                                    const struct strata_layout *side, int rank)
{
    return strata_layout_bytes(side, rank) > x->plan->limits.threshold;
}

/* core/engine/engine_direct.c: bytes of scratch that direct blocks need. Blocks that leave are
 * saved in it where the call is in place, and where a local peer could not read them as they lie.
 * Blocks that local peers expose may go through a buffer in it. */
size_t strata_direct_scratch(const struct strata_execution *x);
/* Saves direct blocks that leave, before any data may arrive over them. Returns the end of the
 * saved blocks. */
unsigned char *strata_save_direct(struct strata_execution *x);

#endif
