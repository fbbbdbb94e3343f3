#include "internode/torus/torus_shape.h"

struct strata_torus strata_torus_shape(const struct strata_problem *problem, int members, int dims)
{
    int64_t ranks = 1;
    if (!problem->torus) {
        return strata_torus_balanced(members, dims);
    }
    for (int axis = 0; axis < problem->torus->ndims; axis++) {
        ranks *= problem->torus->size[axis];
    }
    return ranks == members ? *problem->torus : strata_torus_balanced(members, dims);
}

const char *strata_torus_refusal(const struct strata_problem *problem, int dims)
{
    return problem->torus && problem->torus->ndims != dims
               ? "the torus that was given has another number of axes"
               : NULL;
}
