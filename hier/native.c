/* MPI's own collective: the baseline, and what is used wherever nothing of ours applies.
 *
 * Paper: whatever the MPI library implements. Rounds and volume are its own business; it is priced
 * as one message for each pair of ranks, all posted at once, which is what libraries do for
 * alltoallv. Scratch: none of ours. Restrictions: none. */
#include "core/cost.h"
#include "hier/algorithms.h"

static const char *applicable(const struct strata_problem *problem)
{
    (void)problem;
    return NULL;
}

static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    return strata_native_cost(problem->topology, problem->block_bytes, machine);
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    (void)problem;
    strata_build_limits(b, (struct strata_limits){0, 1, 1});
    strata_build_phase(b, "MPI's own collective");
    strata_build_native(b);
}

const struct strata_algorithm strata_native = {
    .name = "native",
    .collectives = 1u << STRATA_ALLTOALL | 1u << STRATA_ALLTOALLV,
    .level = STRATA_MPI,
    .summary = "MPI's own collective, untouched",
    .paper = "the MPI library's",
    .restrictions = "none",
    .applicable = applicable,
    .cost = cost,
    .build = build,
};
