/* Proof by samples: what can be said of plans for so many ranks that not all of them can be built.
 *
 * The checker (core/check/check.h) runs all ranks' plans together. Here the plans of a few ranks
 * are built, and of those that they meet:
 *   messages   each message of a sampled rank has its counterpart in the other end's plan: in the
 *              same place of what the two send each other, of the same lane, the same blocks in the
 *              same order
 *   counts     a sampled rank sends as many messages and blocks as the closed formula says (of
 *              plans over blocks: no more than it says of the busiest)
 *   journeys   a block is followed back from a sampled rank's output to the input that it comes
 *              from: which step wrote it, from what, who sent that and when. It must be the right
 *              block of the right rank. Where operands are combined one of the two is followed, by
 *              lot.
 * All of it for the first pass. Blocks above the threshold, which go straight to their rank, and
 * barriers, which store nothing, have no journey. */
#ifndef STRATA_SIM_SAMPLED_SAMPLED_H
#define STRATA_SIM_SAMPLED_SAMPLED_H

#include "core/cost/formula_cost.h"
#include "core/plan/plan.h"

struct strata_sampling {
    /* Builds the plan of a rank, which is destroyed after use; STRATA_OK or an error. */
    int (*plan)(void *self, int rank, struct strata_plan **plan);
    void *self;
    const int *rank; /* [ranks] the sampled ranks */
    int ranks;
    uint64_t state;                       /* of the random numbers; any seed */
    const struct strata_formula *formula; /* the algorithm's; NULL: it has none */
    bool direct;                          /* the call's blocks are above the threshold */
};

struct strata_sampled_proof {
    long messages;       /* messages that met their counterpart */
    long journeys, hops; /* blocks that were followed; messages on their ways */
    long given_up;       /* blocks whose way was too long to follow to its end */
    bool counted;        /* there was a formula to compare counts with */
    struct strata_diagnostic wrong;
};

/* STRATA_OK; STRATA_ERR_PLAN with proof->wrong; or the error of a plan that could not be built. */
int strata_sampled_prove(struct strata_sampling *sampling, struct strata_sampled_proof *proof);

/* A random number from 0 to below-1; the state makes it repeatable. */
int strata_draw(uint64_t *state, int below);

#endif
