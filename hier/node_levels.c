/* Broadcasts and reductions of short vectors by the levels inside a node: in a tree, from members
 * to caches, from these to domains, then to packages and to the leader, and down again the same
 * way. So a vector enters or leaves each cache, domain and package once, whatever member is the
 * root.
 *
 * Up: a member combines its operands with those of its children in its slot, and signals. Down: a
 * member that others hear copies the result into its own slot first. There it may overwrite what
 * it handed up: it hears the result only when the member above has read that. The leaders exchange
 * the vector between nodes by any flat algorithm, which is ours. */
#include "core/plan/plan_sizes.h"
#include "hier/node_segments.h"
#include "hier/registry.h"
#include "intranode/signal_tree.h"

enum { BETWEEN };

static const struct strata_algorithm *between_at(int number)
{
    return strata_between_at(1u << STRATA_BCAST | 1u << STRATA_REDUCE | 1u << STRATA_ALLREDUCE,
                             number);
}

static bool across(const struct strata_problem *problem)
{
    return problem->topology->nodes > 1;
}

static struct strata_segments_shape shape_of(const struct strata_problem *problem)
{
    bool reduces = strata_collective_reduces(problem->collective);
    return (struct strata_segments_shape){.lanes = 1,
                                          .collective = problem->collective,
                                          .between = between_at(problem->parameter[BETWEEN]),
                                          .variant = 1,
                                          .work = reduces && across(problem) ? 2 : 0};
}

/* The order of ranks is the tree's only from member 0 down, and where no object lies between parts
 * of another. */
static const char *applicable(const struct strata_problem *problem)
{
    struct strata_segments_shape shape = shape_of(problem);
    const char *refusal = strata_segments_refusal(problem, &shape);
    bool ordered = strata_collective_reduces(problem->collective) && !problem->commutative;
    if (!refusal && ordered && !strata_topology_inside_in_order(problem->topology)) {
        return "the order of ranks counts, and those of a cache, domain or package do not follow "
               "each other";
    }
    return !refusal && ordered && problem->topology->local_of[problem->root] > 0
               ? "the order of ranks counts, and the root is not the first of its node"
               : refusal;
}

struct tree {
    struct strata_segments s;
    struct strata_tree_place place;
    bool leads; /* I am the root of my node's tree */
};

static struct strata_box slot_of(const struct tree *t, int member)
{
    return strata_segments_slot(&t->s, member, 0, 1);
}

static struct strata_box vector_of(const struct tree *t, enum strata_store store, int number)
{
    return strata_segments_in(&t->s, (struct strata_vector){store, number}, 0, 1);
}

/* From the slot of the member above to my output, and to my slot where others hear from me. */
static void go_down(const struct tree *t, enum strata_signal signal)
{
    const int above = strata_tree_above(&t->place);
    strata_build_phase(t->s.b, "down the levels");
    strata_build_await(t->s.b, above, signal);
    if (strata_tree_tells(&t->place)) {
        strata_segments_copy(&t->s, slot_of(t, above), slot_of(t, t->place.me));
        strata_build_signal(t->s.b, signal);
    }
    strata_segments_copy(&t->s, slot_of(t, above), vector_of(t, STRATA_OUTPUT, 0));
}

/* The same for the leader, whose vector lies in `from`. */
static void begin_down(const struct tree *t, struct strata_box from, enum strata_signal signal)
{
    if (t->s.members > 1) {
        strata_build_phase(t->s.b, "down the levels");
        strata_segments_copy(&t->s, from, slot_of(t, t->place.me));
        strata_build_signal(t->s.b, signal);
    }
}

static void build_bcast(const struct tree *t)
{
    struct strata_vector vector = {STRATA_OUTPUT, 0};
    if (t->leads) {
        strata_segments_exchange(&t->s, 0, vector, vector);
        begin_down(t, vector_of(t, STRATA_OUTPUT, 0), STRATA_SIGNAL_ARRIVED);
    } else {
        go_down(t, STRATA_SIGNAL_ARRIVED);
    }
}

/* `into` := my operands, combined with those of my children. */
static void go_up(const struct tree *t, struct strata_box into)
{
    struct strata_tree_children children;
    strata_build_phase(t->s.b, "up the levels");
    strata_segments_copy(&t->s, vector_of(t, STRATA_INPUT, 0), into);
    strata_tree_children_begin(&children, &t->place);
    for (int child; (child = strata_tree_children_next(&children)) >= 0;) {
        strata_build_await(t->s.b, child, STRATA_SIGNAL_ARRIVED);
        strata_segments_fold(&t->s, slot_of(t, child), into);
    }
}

static void build_reduction(const struct tree *t)
{
    const struct strata_problem *problem = t->s.problem;
    const bool all = problem->collective == STRATA_ALLREDUCE;
    const bool gets = all || problem->rank == problem->root;
    const struct strata_vector result = {gets ? STRATA_OUTPUT : STRATA_WORK, !gets},
                               combined = across(problem) ? (struct strata_vector){STRATA_WORK, 0}
                                                          : result;
    if (t->leads) {
        go_up(t, vector_of(t, combined.store, combined.number));
        strata_segments_exchange(&t->s, 0, combined, result);
    } else {
        go_up(t, slot_of(t, t->place.me));
        strata_build_signal(t->s.b, STRATA_SIGNAL_ARRIVED);
    }
    if (all && t->leads) {
        begin_down(t, vector_of(t, STRATA_OUTPUT, 0), STRATA_SIGNAL_RELEASED);
    } else if (all) {
        go_down(t, STRATA_SIGNAL_RELEASED);
    }
}

static void build(const struct strata_problem *problem, struct strata_builder *b)
{
    const int node = problem->topology->node_of[problem->rank];
    const int leader = strata_between_leader(problem, node, 0);
    struct strata_segments_shape shape = shape_of(problem);
    struct tree t = {.place = strata_tree_place(problem, leader)};
    strata_segments_begin(&t.s, problem, &shape, b);
    t.leads = leader == t.place.me;
    (problem->collective == STRATA_BCAST ? build_bcast : build_reduction)(&t);
    strata_segments_end(&t.s);
}

/* The hops of one way, one after another: a signal, what lies in the slot behind it, and what its
 * reader does then. Where ranks share cores, each waits for a turn of the one before. */
static void cost_way(struct strata_cost *total, const int *hops, double bytes, bool combines,
                     const struct strata_machine *machine)
{
    for (int level = STRATA_INNER_LEVELS; level >= 0; level--) {
        struct strata_machine reading = *machine;
        reading.far = strata_machine_times(machine, level);
        strata_cost_signal(total, hops[level], &reading);
        strata_cost_lines(total, hops[level] * strata_plain_slot_lines(bytes), &reading);
        if (combines) {
            strata_cost_reduce(total, hops[level] * bytes, machine);
        } else {
            strata_cost_copy(total, hops[level] * bytes, hops[level], machine);
        }
        for (int hop = 0; hop < hops[level]; hop++) {
            strata_cost_turn(total, machine);
        }
    }
}

/* The longest way, pass after pass. */
static struct strata_cost cost(const struct strata_problem *problem,
                               const struct strata_machine *machine)
{
    const struct strata_tree_hops hops = strata_tree_hops(problem->topology);
    const int passes = strata_segments_passes(problem, 0);
    const double pass = problem->block_bytes / passes;
    struct strata_segments_shape shape = shape_of(problem);
    struct strata_cost total = {0};
    strata_cost_copy(&total, pass, 1, machine); /* to the first slot */
    if (strata_collective_reduces(problem->collective)) {
        cost_way(&total, hops.up, pass, true, machine);
    }
    if (problem->collective == STRATA_ALLREDUCE) {
        strata_cost_copy(&total, pass, 1, machine);
    }
    if (problem->collective != STRATA_REDUCE) {
        cost_way(&total, hops.down, pass, false, machine);
    }
    if (problem->collective == STRATA_BCAST) {
        strata_cost_readers(&total, strata_tree_readers(problem->topology), machine);
    }
    strata_cost_scale(&total, passes);
    strata_segments_exchange_cost(&total, problem, &shape, pass, machine);
    return total;
}

const struct strata_algorithm strata_node_levels = {
    .name = "node_levels",
    .collectives = 1u << STRATA_BCAST | 1u << STRATA_REDUCE | 1u << STRATA_ALLREDUCE,
    .level = STRATA_NODE_AWARE,
    .outward = true,
    .keeps_order = true,
    .summary = "up and down a tree by cache, domain and package, and between node leaders",
    .paper = "Katevenis, Ploumidis and Marazakis, XHC, CLUSTER 2022",
    .title = "A Framework for Hierarchical Single-copy MPI Collectives on Multicore Nodes",
    .restrictions = "nodes have several ranks; operands without gaps, of at most 64 bytes; ordered "
                    "only where the members of a cache, domain and package follow each other, and "
                    "a root is the first of its node",
    .rounds_text = "those of what runs between the nodes",
    .volume_text = "that of what runs between the nodes; inside a node no message; each rank "
                   "copies the vector once, and once more where others read it",
    .scratch_text = "a slot in each place; a leader two vectors, and the scratch of what runs "
                    "between the nodes",
    .parameters = {{.name = "between",
                    .least = 1,
                    .meaning = "what runs between the nodes",
                    .algorithm = between_at}},
    .applicable = applicable,
    .cost = cost,
    .build = build,
};
