/* Signal trees: how a node's members learn that all slots are filled.
 *
 * Flat: every member that must know reads every flag. On a crowded node this is the cheapest way:
 * the last member to arrive goes straight on, and no member waits until a middleman is scheduled.
 * Binomial: log2 flags in a row up to member 0, which then releases the others. The first member of
 * each cache, domain and package stands for it, so one flag each crosses to the next. Objects hold
 * any members: ranks may be dealt to packages in turn. */
#include "intranode/signal_tree.h"

/* The levels of a tree: from single members through caches, domains and packages to the node. */
enum { MEMBERS = STRATA_INNER_LEVELS, NODE = -1 };

/* The number of the member's object of the level, in the order of the objects' first members. */
static int object_of(const struct strata_topology *t, int node, int member, int level)
{
    return level == MEMBERS ? member
           : level == NODE  ? 0
                            : t->inner_of[level][strata_topology_rank(t, node, member)];
}

/* A group: the objects of a level that lie in one object of the next larger level. Each is known by
 * its first member. */
struct group {
    const struct strata_topology *topology;
    int node, level, object; /* the number of the larger one */
    int seen;                /* objects of the level, anywhere in the node */
    int member, index; /* the first member of the current object, and its place in the group */
};

/* The group of the member's object of the level, before its first object. */
static struct group group_of(const struct strata_topology *t, int node, int member, int level)
{
    return (struct group){.topology = t,
                          .node = node,
                          .level = level,
                          .object = object_of(t, node, member, level - 1),
                          .member = -1,
                          .index = -1};
}

/* Goes to the group's next object; false: there is none. */
static bool next_object(struct group *g)
{
    const struct strata_topology *t = g->topology;
    while (++g->member < strata_topology_node_size(t, g->node)) {
        if (object_of(t, g->node, g->member, g->level) == g->seen) {
            g->seen++;
            if (object_of(t, g->node, g->member, g->level - 1) == g->object) {
                g->index++;
                return true;
            }
        }
    }
    return false;
}

/* The largest level of which the member is the first in its object; NODE: it is the root. */
static int top_of(const struct strata_topology *t, int node, int member)
{
    for (int level = NODE; level < MEMBERS; level++) {
        int first = 0;
        while (object_of(t, node, first, level) != object_of(t, node, member, level)) {
            first++;
        }
        if (first == member) {
            return level;
        }
    }
    return MEMBERS;
}

/* Parent of index i > 0 in a binomial tree: i without its lowest set bit. */
static int binomial_parent(int i)
{
    return i & (i - 1);
}

/* Awaits the member's children in the node's tree, nearest first: binomial among the members of
 * each cache, then among the first members of a domain's caches, of a package's domains and of the
 * node's packages. */
static void await_children(struct strata_builder *b, const struct strata_topology *t, int node,
                           int me)
{
    int top = top_of(t, node, me);
    for (int level = MEMBERS; level > NODE && level >= top; level--) {
        struct group g = group_of(t, node, me, level);
        int mine = -1; /* my object's place in the group, once it has come */
        while (next_object(&g)) {
            if (mine >= 0 && binomial_parent(g.index) == mine) {
                strata_build_await(b, g.member, STRATA_SIGNAL_ARRIVED);
            }
            mine = g.member == me ? g.index : mine;
        }
    }
}

static void arrive_flat(struct strata_builder *b, bool everybody)
{
    strata_build_signal(b, STRATA_SIGNAL_ARRIVED);
    if (everybody) {
        strata_build_await(b, STRATA_ALL_MEMBERS, STRATA_SIGNAL_ARRIVED);
    }
}

void strata_signal_tree_rise(struct strata_builder *b, const struct strata_problem *problem)
{
    const struct strata_topology *t = problem->topology;
    int me = t->local_of[problem->rank];
    await_children(b, t, t->node_of[problem->rank], me);
    if (me != 0) {
        strata_build_signal(b, STRATA_SIGNAL_ARRIVED);
    }
}

/* A member that is the first of no cache has nobody to tell. */
void strata_signal_tree_release(struct strata_builder *b, const struct strata_problem *problem)
{
    const struct strata_topology *t = problem->topology;
    int node = t->node_of[problem->rank], me = t->local_of[problem->rank];
    int top = top_of(t, node, me);
    if (me != 0) {
        struct group g = group_of(t, node, me, top);
        next_object(&g);
        strata_build_await(b, g.member, STRATA_SIGNAL_RELEASED);
    }
    if (top < MEMBERS) {
        strata_build_signal(b, STRATA_SIGNAL_RELEASED);
    }
}

void strata_signal_tree_arrive(struct strata_builder *b, const struct strata_problem *problem,
                               enum strata_signal_tree tree, bool everybody)
{
    bool root = problem->topology->local_of[problem->rank] == 0;
    if (tree == STRATA_SIGNAL_TREE_FLAT) {
        arrive_flat(b, everybody);
        return;
    }
    strata_signal_tree_rise(b, problem);
    if (root) {
        strata_build_signal(b, STRATA_SIGNAL_RELEASED);
    } else if (everybody) {
        strata_build_await(b, 0, STRATA_SIGNAL_RELEASED);
    }
}

/* The most objects of the level in one of the next larger level. */
static int most_in_group(const struct strata_topology *t, int node, int level)
{
    int most = 0, objects = 0;
    for (int first = 0; first < strata_topology_node_size(t, node); first++) {
        if (object_of(t, node, first, level - 1) == objects) {
            struct group g = group_of(t, node, first, level);
            while (next_object(&g)) {
            }
            most = g.index + 1 > most ? g.index + 1 : most;
            objects++;
        }
    }
    return most;
}

void strata_signal_tree_cost(struct strata_cost *total, const struct strata_topology *t,
                             enum strata_signal_tree tree, const struct strata_machine *machine)
{
    if (tree == STRATA_SIGNAL_TREE_FLAT) {
        strata_cost_sweep(total, t->largest - 1, machine);
        return;
    }
    for (int reached = 1; reached < t->largest; reached *= 2) {
        strata_cost_signal(total, 1, machine);
    }
}

void strata_signal_tree_both_cost(struct strata_cost *total, const struct strata_topology *t,
                                  const struct strata_machine *machine)
{
    int node = t->node_of[strata_busiest_rank(t)], hops = 0;
    for (int level = MEMBERS; level > NODE; level--) {
        struct strata_machine reading = *machine;
        int most = most_in_group(t, node, level), deep = most > 1; /* the hop down */
        for (int reached = 1; reached < most; reached *= 2) {
            deep++;
        }
        reading.far = strata_machine_times(machine, level);
        strata_cost_signal(total, deep, &reading);
        hops += deep;
    }
    for (int hop = 1; hop < hops; hop++) {
        strata_cost_turn(total, machine);
    }
}
