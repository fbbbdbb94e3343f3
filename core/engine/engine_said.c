/* What is said in slots of how long blocks are, where a rank knows only those that it moves: in the
 * header of the slot that a block lies in, by who writes it. Who reads a block compares that with
 * what it expects. So nobody has to be told lengths ahead where blocks go from slots straight to
 * their place.
 *
 * Said is a block's whole length, whether it lies in the slot or is lent beside the plan because it
 * is above the threshold: so ranks that disagree about that find it out, too. */
#include "core/engine/engine_internal.h"

/* Bytes of that rank's block: of those that the plan moves, or else of those that I lend (side 0),
 * or am lent (1), beside it, by rank. */
static uint64_t whole(const struct strata_execution *x, int rank, int side, int other)
{
    size_t lent = x->direct ? strata_layout_bytes(&x->direct[side], other) : 0;
    return strata_layout_bytes(&x->work, rank) + lent;
}

uint64_t strata_said_of(const struct strata_execution *x, int position)
{
    int rank = x->plan->topology->rank_at[position];
    return whole(x, rank, 0, strata_says_of_all(x->plan) ? rank : x->plan->root);
}

uint64_t strata_said_of_longest(const struct strata_execution *x)
{
    const struct strata_topology *t = x->plan->topology;
    const int node = strata_my_node(x);
    uint64_t most = 0;
    if (!strata_says_of_all(x->plan)) {
        return strata_said_of(x, strata_topology_position(t, x->plan->rank));
    }
    for (int position = t->first[node]; position < t->first[node + 1]; position++) {
        uint64_t bytes = strata_said_of(x, position);
        most = bytes > most ? bytes : most;
    }
    return most;
}

uint64_t strata_expected_of(const struct strata_execution *x, int member)
{
    int mate = strata_topology_rank(x->plan->topology, strata_my_node(x), member);
    return strata_says_of_all(x->plan) ? whole(x, x->plan->rank, 1, x->plan->root)
                                       : whole(x, mate, 1, mate);
}
