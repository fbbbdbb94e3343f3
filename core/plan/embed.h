/* One plan as a part of another: what some ranks do among each other, with blocks of the other
 * plan. So a row that knows of ranks alone runs among the leaders of nodes. */
#ifndef STRATA_CORE_PLAN_EMBED_H
#define STRATA_CORE_PLAN_EMBED_H

#include "core/plan/builder.h"

/* What the endpoints and blocks of the embedded plan are in this one. */
struct strata_embedding {
    const void *self; /* the caller's; both functions get it */
    /* The rank that an endpoint of the embedded plan is. */
    int (*rank)(const void *self, int endpoint);
    /* The blocks that the first blocks of a run are, in the same order; *taken := how many of the
     * run they are. Both ends of a message must find the same. */
    struct strata_box (*box)(const void *self, struct strata_run run, int *taken);
    /* In iteration i of the repeat around the steps sets are shifted by i times that. */
    int32_t set_step;
};

/* What a set of the embedded plan is in this one; as strata_build_set. */
int strata_build_embedded_set(struct strata_builder *b, const struct strata_embedding *e,
                              struct strata_set set);

/* Appends the steps of `plan`, a plan over blocks; its repeats are written out. What would be
 * copied to where it lies is not. */
void strata_build_embedded(struct strata_builder *b, const struct strata_plan *plan,
                           const struct strata_embedding *e);

#endif
