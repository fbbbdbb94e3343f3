/* Embeds one plan in another: some ranks run the embedded plan among each other, on blocks of the
 * other plan. So an algorithm that knows only ranks can run among the leaders of nodes. */
#ifndef STRATA_CORE_PLAN_EMBED_H
#define STRATA_CORE_PLAN_EMBED_H

#include "core/plan/builder.h"

/* What the endpoints and blocks of the embedded plan are in the other plan. */
struct strata_embedding {
    const void *self; /* the caller's; both functions get it */
    /* Returns the rank that an endpoint of the embedded plan stands for. */
    int (*rank)(const void *self, int endpoint);
    /* Returns the blocks that the first blocks of a run stand for, in the same order; *taken := how
     * many blocks of the run these are. Both ends of a message must find the same blocks. */
    struct strata_box (*box)(const void *self, struct strata_run run, int *taken);
    /* In iteration i of the repeat around the steps, sets are shifted by i * set_step. */
    int32_t set_step;
};

/* Makes the set of the other plan that a set of the embedded plan stands for; returns as
 * strata_build_set. */
int strata_build_embedded_set(struct strata_builder *b, const struct strata_embedding *e,
                              struct strata_set set);

/* Appends the steps of `plan`, a plan over blocks, with its repeats written out. A copy of blocks
 * onto themselves is left out. */
void strata_build_embedded(struct strata_builder *b, const struct strata_plan *plan,
                           const struct strata_embedding *e);

#endif
