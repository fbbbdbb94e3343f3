/* Reports blocks that are not as long as their receiver expects. */
#include <string.h>

#include "core/engine/engine_copying.h"

static const char *beside(uint32_t word)
{
    return word >= STRATA_MOST_ITEM ? " and a direct block" : "";
}

/* In check mode: names the first pair of ranks whose lengths differ. */
static bool name_pair(const struct strata_copying *c, const struct strata_origin *origin)
{
    struct strata_execution *x = c->x;
    const struct strata_topology *t = x->plan->topology;
    int lanes = x->plan->exchange.lanes, mine = strata_my_node(x);
    int members = strata_topology_node_size(t, mine);
    int width = strata_lane_width(t, mine, c->step->lane, lanes);
    int first = strata_lane_first(t, mine, c->step->lane, lanes), node = origin->node;
    const unsigned char *sent = origin->length_of;
    for (int position = t->first[node]; position < t->first[node + 1]; position++) {
        int source = position - t->first[node];
        const void *row = sent ? (const void *)(sent + sizeof(uint32_t) * (size_t)(source * width))
                               : strata_slot_of(x, source).length + first;
        for (int turn = c->step->lane, i = 0; turn < members; turn += lanes, i++) {
            int peer = strata_topology_in_turn(t, mine, turn);
            uint32_t expected =
                x->plan->exchange.staged
                    ? strata_slot_of(x, peer).expect[position]
                    : strata_length_word(&x->plan->limits, strata_layout_bytes(&x->output, node),
                                         x->cursor.pass, true, true);
            uint32_t found;
            memcpy(&found, (const unsigned char *)row + sizeof found * (size_t)i, sizeof found);
            if (found != expected) {
                strata_record_error(x, STRATA_ERR_TRUNCATE,
                                    "rank %d sends rank %d %u staged bytes%s, which expects %u%s",
                                    t->rank_at[position], strata_topology_rank(t, mine, peer),
                                    strata_word_bytes(found), beside(found),
                                    strata_word_bytes(expected), beside(expected));
                return true;
            }
        }
    }
    return false;
}

void strata_report_wrong(const struct strata_copying *c, const struct strata_origin *origin)
{
    const int node = origin->node;
    bool staged = c->x->plan->exchange.staged;
    if (c->x->check && (staged || node != strata_my_node(c->x)) && name_pair(c, origin)) {
        return;
    }
    const struct strata_topology *t = c->x->plan->topology;
    strata_record_error(c->x, STRATA_ERR_TRUNCATE,
                        "rank %d: the blocks from %s %d (rank %d%s) are not as long as expected; "
                        "STRATA_CHECK=1 names the pair",
                        c->x->plan->rank, staged ? "node" : "rank", node,
                        t->rank_at[t->first[node]],
                        strata_topology_node_size(t, node) > 1 ? " and its mates" : "");
}
