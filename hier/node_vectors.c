/* Reductions and scans of short vectors through the node, in any order of ranks: each member copies
 * its operands into its slot. Leaders fetch those of other nodes into the landing by any flat
 * allgather (for a root by any flat gather), as in node_allgather. Each rank that needs a result
 * combines the vectors that count in it, in the order of ranks.
 *
 * So neither must a node's ranks follow each other nor must the operator commute. The drawback is
 * that all vectors travel: this is for the reductions that other node-aware algorithms refuse. */
#include "core/cost/algorithm_cost.h"
#include "core/cost/lines.h"
#include "hier/between.h"
#include "hier/registry.h"

enum { BETWEEN };

static const unsigned gathering = 1u << STRATA_ALLGATHER | 1u << STRATA_GATHER;

static const struct strata_algorithm *between_at(int number)
{
    return strata_between_at(gathering, number);
}

static void find_between(const struct strata_problem *problem, struct strata_between *between)
{
    bool rooted = strata_collective_rooted(problem->collective);
    strata_between_of(between, problem, rooted ? STRATA_GATHER : STRATA_ALLGATHER,
                      between_at(problem->parameter[BETWEEN]), 1);
}

static const char *applicable(const struct strata_problem *problem)
{
    const char *refusal = strata_between_shared_refusal(problem);
    struct strata_between between;
    if (!refusal && problem->bulky) {
        refusal = "the operands are too long for slots";
    }
    if (refusal || problem->topology->nodes == 1) {
        return refusal;
    }
    find_between(problem, &between);
    return between.algorithm->returns
               ? "what is to run between the nodes sends them blocks of their own"
               : strata_between_refusal(&between);
}

/* The number of ranks, from rank 0 on, whose vectors count in my result. */
static int counted(const struct strata_problem *problem)
{
    enum strata_result result = strata_collective_info[problem->collective].result;
    enum strata_held held = strata_output_of(problem->collective, problem->rank, problem->root);
    return result == STRATA_UP_TO_ME    ? problem->rank + 1
           : result == STRATA_BEFORE_ME ? problem->rank
           : held == STRATA_NONE        ? 0
                                        : problem->flat->ranks;
}

static int vector_of(const struct strata_problem *problem, int rank, struct strata_builder *b)
{
    const struct strata_topology *t = problem->topology;
    struct strata_box box = strata_box_item(t->ranks, strata_topology_position(t, rank));
    return strata_build_set(b, strata_box_in(STRATA_SHARED, box));
}

static int whole(enum strata_store store, struct strata_builder *b)
{
    return strata_build_item(b, store, 1, 0);
}

/* Whether vectors of other nodes count in my result. */
static bool needs_others(const struct strata_problem *problem)
{
    const int *node_of = problem->topology->node_of;
    int rank = counted(problem) - 1;
    while (rank >= 0 && node_of[rank] == node_of[problem->rank]) {
        rank--;
    }
    return rank >= 0;
}

/* Waits for the vectors of my node that count: in a scan the first ranks wait for few. */
static void await_peers(const struct strata_problem *problem, struct strata_builder *b)
{
    const struct strata_topology *t = problem->topology;
    int node = t->node_of[problem->rank], members = strata_topology_node_size(t, node);
    int last = members;
    while (last > 0 && strata_topology_rank(t, node, last - 1) >= counted(problem)) {
        last--;
    }
    if (last == members) {
        strata_build_await(b, STRATA_ALL_MEMBERS, STRATA_SIGNAL_ARRIVED);
        return;
    }
    for (int member = 0; member < last; member++) {
        if (member != t->local_of[problem->rank]) {
            strata_build_await(b, member, STRATA_SIGNAL_ARRIVED);
        }
    }
}

/* Waits until all vectors that I need are there; a leader fetches those of other nodes. */
static void get_together(const struct strata_problem *problem, struct strata_builder *b)
{
    const struct strata_topology *t = problem->topology;
    struct strata_between_stores stores = {STRATA_SHARED, STRATA_SHARED, STRATA_SHARED};
    int leader = strata_between_leader(problem, t->node_of[problem->rank], 0);
    if (t->nodes > 1 && leader == t->local_of[problem->rank]) {
        struct strata_between between;
        find_between(problem, &between);
        strata_build_await(b, STRATA_ALL_MEMBERS, STRATA_SIGNAL_ARRIVED);
        strata_between_build(&between, problem, &stores, b);
        strata_build_signal(b, STRATA_SIGNAL_DONE);
    } else if (needs_others(problem)) {
        strata_build_await(b, leader, STRATA_SIGNAL_DONE);
    } else if (counted(problem) > 0) {
        await_peers(problem, b);
    }
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    int last = counted(problem) - 1;
    strata_build_blocks(b, (struct strata_blocks){.count = 1, .shared = true});
    strata_build_phase(b, "my operands");
    strata_build_copy(b, whole(STRATA_INPUT, b), vector_of(problem, problem->rank, b));
    strata_build_signal(b, STRATA_SIGNAL_ARRIVED);
    get_together(problem, b);
    if (last < 0) {
        return;
    }
    strata_build_phase(b, "combine");
    int output = whole(STRATA_OUTPUT, b);
    strata_build_copy(b, vector_of(problem, 0, b), output);
    for (int rank = 1; rank <= last; rank++) {
        strata_build_fold(b, vector_of(problem, rank, b), output);
    }
}

/* The cost of a rank that needs all vectors, and waits for its leader. */
static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    const struct strata_topology *t = problem->topology;
    double vector = problem->block_bytes;
    struct strata_cost total = {0};
    strata_cost_copy(&total, vector, 1, machine);
    strata_cost_sweep(&total, t->largest - 1, machine);
    strata_cost_slot(&total, vector, machine);
    if (t->nodes > 1) {
        struct strata_between between;
        find_between(problem, &between);
        between.problem.block_bytes = vector * t->ranks / t->nodes;
        struct strata_cost cost =
            strata_algorithm_cost(between.algorithm, &between.problem, machine);
        strata_cost_add(&total, &cost);
        strata_cost_signal(&total, 1, machine);
        strata_cost_lines(&total, 1, machine); /* from the landing */
    }
    strata_cost_copy(&total, vector, 1, machine);
    strata_cost_reduce(&total, (t->ranks - 1) * vector, machine);
    return total;
}

const struct strata_algorithm strata_node_vectors = {
    .name = "node_vectors",
    .collectives =
        1u << STRATA_REDUCE | 1u << STRATA_ALLREDUCE | 1u << STRATA_SCAN | 1u << STRATA_EXSCAN,
    .level = STRATA_NODE_AWARE,
    .keeps_order = true,
    .left_fold = true,
    .summary = "all vectors in shared memory; whoever needs a result combines them",
    .paper = "none; gathered as in node_allgather, CAC 2009",
    .restrictions = "nodes have several ranks; vectors fit in the node's shared memory; operands "
                    "without gaps, of at most 64 bytes",
    .rounds_text = "those of the gathering between the nodes",
    .volume_text =
        "that of the gathering, of as many vectors as there are ranks; inside a node no message",
    .scratch_text = "a vector in each slot, the other nodes' vectors in the landing",
    .parameters = {{.name = "between",
                    .least = 1,
                    .meaning = "the gathering between nodes",
                    .algorithm = between_at}},
    .applicable = applicable,
    .cost = cost,
    .build = build,
};
