#include "hier/node_combine.h"
#include "core/cost/lines.h"

enum { SEGMENT };

static struct strata_segments_shape shape_of(const struct strata_problem *problem)
{
    return (struct strata_segments_shape){.lanes = 1,
                                          .most = strata_segments_bytes(problem, SEGMENT)};
}

const char *strata_node_combine_refusal(const struct strata_problem *problem)
{
    struct strata_segments_shape shape = shape_of(problem);
    return strata_segments_refusal(problem, &shape);
}

/* Whether the one rank that gets the result can begin with its own operands: it is one of the first
 * two. Then nobody needs them in its slot. */
static bool root_begins(const struct strata_problem *problem)
{
    return strata_collective_rooted(problem->collective) &&
           problem->topology->local_of[problem->root] < 2;
}

void strata_node_combine_build(const struct strata_problem *problem, struct strata_builder *b)
{
    struct strata_segments_shape shape = shape_of(problem);
    struct strata_vector output = {STRATA_OUTPUT, 0};
    struct strata_segments s;
    strata_segments_begin(&s, problem, &shape, b);
    bool own = root_begins(problem) && problem->rank == problem->root;
    if (!own) {
        strata_segments_hand_in(&s);
    }
    if (strata_output_of(problem->collective, problem->rank, problem->root) != STRATA_NONE) {
        strata_build_phase(b, "combine all");
        if (own) {
            strata_build_signal(b, STRATA_SIGNAL_ARRIVED);
        }
        strata_build_await(b, STRATA_ALL_MEMBERS, STRATA_SIGNAL_ARRIVED);
        (own ? strata_segments_combine_with_own : strata_segments_combine)(&s, 0, output);
    }
    strata_segments_end(&s);
}

/* The cost of a rank that combines. While a root combines a pass, the others hand in the next. */
struct strata_cost strata_node_combine_cost(const struct strata_problem *problem,
                                            const struct strata_machine *machine)
{
    int passes = strata_segments_passes(problem, strata_segments_bytes(problem, SEGMENT));
    double pass = problem->block_bytes / passes;
    struct strata_machine alone = strata_machine_contended(machine, 1);
    bool rooted = strata_collective_rooted(problem->collective);
    struct strata_cost total = {0};
    if (!root_begins(problem)) {
        strata_cost_copy(&total, pass, 1, machine);
    }
    strata_segments_combine_cost(&total, problem, pass, rooted ? &alone : machine);
    strata_cost_sweep(&total, problem->topology->largest - 1, machine);
    strata_cost_slot(&total, pass, machine);
    strata_cost_scale(&total, passes);
    if (root_begins(problem)) {
        strata_cost_copy(&total, pass, 1, machine);
    }
    return total;
}
