/* MPI's own collective: the baseline, and the fallback wherever no other algorithm applies.
 *
 * Its cost is estimated as that of the algorithms that MPI libraries have for mid-sized messages:
 * alltoall as one message for each pair of ranks, all posted at once, the others by halving or
 * doubling. */
#include <math.h>

#include "core/cost/formula_cost.h"
#include "core/cost/round_cost.h"
#include "hier/registry.h"

static const char *applicable(const struct strata_problem *problem)
{
    (void)problem;
    return NULL;
}

/* log2 P rounds. Of ranked collectives every block but a rank's own passes through the busiest, of
 * others the whole vector in each round. */
static struct strata_formula formula(const struct strata_problem *problem)
{
    const struct strata_collective_info *info = &strata_collective_info[problem->collective];
    double ranks = problem->topology->ranks, rounds = ceil(log2(ranks));
    double volume = info->ranked ? ranks - 1 : rounds;
    return (struct strata_formula){.rounds = rounds,
                                   .messages = rounds,
                                   .blocks = info->input == STRATA_NONE ? 0 : volume,
                                   .reduced = info->result == STRATA_COPIED ? 0 : volume};
}

static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    if (strata_collective_transposes(problem->collective)) {
        return strata_native_cost(problem->topology, problem->block_bytes, machine);
    }
    struct strata_machine native = strata_machine_native(machine);
    struct strata_machine contended = strata_machine_contended(&native, problem->topology->largest);
    struct strata_formula halving = formula(problem);
    return strata_formula_cost(&halving, problem->block_bytes, &contended);
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
    .collectives = (1u << STRATA_COLLECTIVE_COUNT) - 1,
    .level = STRATA_MPI,
    .outward = true,
    .knows_nodes = true,
    .summary = "MPI's own collective, untouched",
    .paper = "the MPI library's",
    .restrictions = "none",
    .applicable = applicable,
    .cost = cost,
    .build = build,
};
