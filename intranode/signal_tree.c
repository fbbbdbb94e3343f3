/* Signal trees: how a node's members learn that all slots are filled.
 *
 * Flat: every member that must know reads every flag. On a crowded node this is the cheapest way:
 * the last member to arrive goes straight on, and no member waits until a middleman is scheduled.
 * Binomial: log2 flags in a row up to member 0, which then releases the others. */
#include "intranode/signal_tree.h"

/* First member of the domain that `member` is in, and how many members the domain has. Domains hold
 * consecutive members where ranks are numbered along the hardware; where they are not, the members
 * that follow each other in one domain count as a domain of their own. */
static int domain_first(const struct strata_topology *t, int node, int member)
{
    const int *rank = &t->rank_at[t->first[node]];
    int first = member;
    while (first > 0 && t->numa_of[rank[first - 1]] == t->numa_of[rank[member]]) {
        first--;
    }
    return first;
}

/* Number of the domain whose first member is `first`. */
static int domain_index(const struct strata_topology *t, int node, int first)
{
    int index = 0;
    while (first > 0) {
        first = domain_first(t, node, first - 1);
        index++;
    }
    return index;
}

/* First member of the domain number `index`. */
static int domain_at(const struct strata_topology *t, int node, int index)
{
    const int *rank = &t->rank_at[t->first[node]];
    int first = 0;
    for (int member = 1; index > 0; member++) {
        if (t->numa_of[rank[member]] != t->numa_of[rank[member - 1]]) {
            first = member;
            index--;
        }
    }
    return first;
}

/* Parent of index i > 0 in a binomial tree: i without its lowest set bit. */
static int binomial_parent(int i)
{
    return i & (i - 1);
}

/* Parent of a member other than 0, the root, in the node's binomial tree: inside each NUMA domain
 * first, then over the domains' first members. */
static int parent_of(const struct strata_topology *t, int node, int member)
{
    int first = domain_first(t, node, member);
    if (member > first) {
        return first + binomial_parent(member - first);
    }
    return domain_at(t, node, binomial_parent(domain_index(t, node, first)));
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
