/* Barrier through the node: each member signals; where there are several nodes, leaders run any
 * flat barrier between them and then let the other members go.
 *
 * A signal is a number in the cache line of the member that signals. So in one node a line moves
 * for each pair of members; with leaders, one line each way for each member. With a tree one line
 * each way, too, and one each way for each cache, domain and package from another one. */
#include "core/cost/algorithm_cost.h"
#include "core/plan/embed.h"
#include "hier/between.h"
#include "hier/registry.h"
#include "internode/titles.h"
#include "intranode/signal_tree.h"

enum { BETWEEN, VARIANT, TREE };

static const struct strata_algorithm *between_at(int number)
{
    return strata_between_at(1u << STRATA_BARRIER, number);
}

static void find_between(const struct strata_problem *problem, struct strata_between *between)
{
    strata_between_of(between, problem, STRATA_BARRIER, between_at(problem->parameter[BETWEEN]),
                      problem->parameter[VARIANT]);
}

static const char *applicable(const struct strata_problem *problem)
{
    const char *refusal = strata_between_shared_refusal(problem);
    struct strata_between between;
    find_between(problem, &between);
    return refusal || problem->topology->nodes == 1 ? refusal : strata_between_refusal(&between);
}

static int leader_of(const void *self, int node)
{
    const struct strata_problem *problem = self;
    return strata_topology_rank(problem->topology, node, 0);
}

static void meet_nodes(const struct strata_problem *problem, struct strata_builder *b)
{
    struct strata_embedding embedding = {.self = problem, .rank = leader_of}; /* sets are empty */
    struct strata_between between;
    find_between(problem, &between);
    struct strata_plan *plan = strata_between_plan(&between, b);
    if (plan) {
        strata_build_embedded(b, plan, &embedding);
        strata_plan_destroy(plan);
    }
}

static void build_flat(const struct strata_problem *problem, struct strata_builder *b)
{
    bool across = problem->topology->nodes > 1;
    bool leads = problem->topology->local_of[problem->rank] == 0;
    strata_build_signal(b, STRATA_SIGNAL_ARRIVED);
    if (!across || leads) {
        strata_build_await(b, STRATA_ALL_MEMBERS, STRATA_SIGNAL_ARRIVED);
    }
    if (across && leads) {
        meet_nodes(problem, b);
        strata_build_signal(b, STRATA_SIGNAL_DONE);
    } else if (across) {
        strata_build_await(b, 0, STRATA_SIGNAL_DONE);
    }
}

static void build_tree(const struct strata_problem *problem, struct strata_builder *b)
{
    strata_signal_tree_rise(b, problem);
    if (problem->topology->nodes > 1 && problem->topology->local_of[problem->rank] == 0) {
        meet_nodes(problem, b);
    }
    strata_signal_tree_release(b, problem);
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    bool flat = problem->parameter[TREE] == STRATA_SIGNAL_TREE_FLAT;
    strata_build_blocks(
        b, (struct strata_blocks){.count = problem->topology->ranks, .shared = true}); /* empty */
    strata_build_phase(b, "meet");
    (flat ? build_flat : build_tree)(problem, b);
}

static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    const bool flat = problem->parameter[TREE] == STRATA_SIGNAL_TREE_FLAT;
    struct strata_cost total = {0};
    if (flat) {
        strata_cost_sweep(&total, problem->topology->largest - 1, machine);
    } else {
        strata_signal_tree_both_cost(&total, problem->topology, machine);
    }
    if (problem->topology->nodes > 1) {
        struct strata_between between;
        find_between(problem, &between);
        struct strata_cost cost =
            strata_algorithm_cost(between.algorithm, &between.problem, machine);
        strata_cost_add(&total, &cost);
        strata_cost_signal(&total, flat, machine);
    }
    return total;
}

const struct strata_algorithm strata_node_barrier = {
    .name = "node_barrier",
    .collectives = 1u << STRATA_BARRIER,
    .level = STRATA_NODE_AWARE,
    .summary = "signals in shared memory, and a flat barrier between node leaders",
    .paper = "Graham and Shipman, shared memory collectives, EuroPVM/MPI 2008",
    .title = STRATA_TITLE_GRAHAM,
    .restrictions = "nodes have several ranks",
    .rounds_text = "those of the barrier between the nodes",
    .volume_text = "no bytes; inside a node no message",
    .scratch_text = "none",
    .parameters = {{.name = "between",
                    .least = 1,
                    .meaning = "the barrier between nodes",
                    .algorithm = between_at},
                   STRATA_VARIANT_PARAMETER,
                   {.name = "tree",
                    .least = 1,
                    .most = 2,
                    .choices = {1, 2},
                    .meaning = "signals in a node: 1 flat, 2 up and down by its levels"}},
    .applicable = applicable,
    .cost = cost,
    .build = build,
};
