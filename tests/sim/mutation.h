/* Changes one thing in a plan, drawn from a seed: a step, one of its fields, a set, a fact about
 * the whole plan. The plan may be right or wrong afterwards. */
#ifndef STRATA_TESTS_SIM_MUTATION_H
#define STRATA_TESTS_SIM_MUTATION_H

#include "core/plan/plan.h"
#include "tests/random.h"

/* Boxes that a change may add to a plan's copy (tests/hier/edit.h). */
enum { MUTATION_BOXES = 64 };

struct mutation {
    const char *name;
    /* Returns false where the plan has no place for the change, or where it changes nothing. */
    bool (*put)(struct strata_plan *plan, struct random *r);
    /* It changes what all ranks' plans have in common, so it is also made in all of them. */
    bool common;
    bool posting; /* it changes plan.posting, which else follows from the steps */
};

extern const struct mutation mutations[];
extern const int nmutations;

#endif
