/* Signal trees: how a node's members learn that all slots are filled.
 *
 * Flat: every member that must know reads every flag. On a crowded node this is the cheapest way:
 * the last member to arrive goes straight on, and no member waits until a middleman is scheduled.
 * Binomial: log2 flags in a row up to member 0, which then releases the others. The first member of
 * each cache, domain and package stands for it, so one flag each crosses to the next. */
#include "intranode/signal_tree.h"

/* The levels of a tree: from single members through caches, domains and packages to the node. A
 * group of a level is a run of consecutive members in one object. Objects hold consecutive members
 * where ranks are numbered along the hardware; where they are not, each run counts as an object of
 * its own. */
enum { MEMBERS = STRATA_INNER_LEVELS, NODE = -1 };

/* Whether the member begins a group of the level; so it begins one of each smaller level too. */
static bool begins(const struct strata_topology *t, int node, int member, int level)
{
    const int *rank = &t->rank_at[t->first[node]];
    if (level == MEMBERS || member == 0) {
        return true;
    }
    return level != NODE &&
           t->inner_of[level][rank[member]] != t->inner_of[level][rank[member - 1]];
}

/* Parent of index i > 0 in a binomial tree: i without its lowest set bit. */
static int binomial_parent(int i)
{
    return i & (i - 1);
}

/* Parent of a member other than 0, the root, in the node's tree, nearest first: binomial among the
 * members of each cache, then among the first members of a domain's caches, of a package's domains
 * and of the node's packages. */
static int parent_of(const struct strata_topology *t, int node, int member)
{
    int level = MEMBERS; /* the largest at which the member begins no group of the next larger */
    while (begins(t, node, member, level - 1)) {
        level--;
    }
    int first = member, index = 0;
    while (!begins(t, node, first, level - 1)) {
        first--;
        index += begins(t, node, first, level);
    }
    int parent = first;
    for (int left = binomial_parent(index); left > 0; left--) {
        do {
            parent++;
        } while (!begins(t, node, parent, level));
    }
    return parent;
}

static void arrive_flat(struct strata_builder *b, bool everybody)
{
    strata_build_signal(b, STRATA_SIGNAL_ARRIVED);
    if (everybody) {
        strata_build_await(b, STRATA_ALL_MEMBERS, STRATA_SIGNAL_ARRIVED);
    }
}

void strata_signal_tree_arrive(struct strata_builder *b, const struct strata_problem *problem,
                               enum strata_signal_tree tree, bool everybody)
{
    const struct strata_topology *t = problem->topology;
    int node = t->node_of[problem->rank];
    int me = t->local_of[problem->rank];
    if (tree == STRATA_SIGNAL_TREE_FLAT) {
        arrive_flat(b, everybody);
        return;
    }
    for (int member = me + 1; member < strata_topology_node_size(t, node); member++) {
        if (parent_of(t, node, member) == me) {
            strata_build_await(b, member, STRATA_SIGNAL_ARRIVED);
        }
    }
    strata_build_signal(b, me == 0 ? STRATA_SIGNAL_RELEASED : STRATA_SIGNAL_ARRIVED);
    if (me != 0 && everybody) {
        strata_build_await(b, 0, STRATA_SIGNAL_RELEASED);
    }
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
