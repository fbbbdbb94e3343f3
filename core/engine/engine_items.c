/* Calls of plans over items: the memory that they need, and their beginning. */
#include "core/engine/engine_items.h"

#include "core/engine/engine_direct.h"
#include "core/engine/single_copy.h"
#include "core/plan/actions.h"

/* The plan whose messages are packed. */
struct packing {
    const struct strata_plan *plan;
    bool check;
};

/* Packed bytes of a message of items at worst. Received messages are not packed: they lie in the
 * landing. */
static size_t part_worst(const void *self, const struct strata_action *message)
{
    const struct packing *p = self;
    size_t items = (size_t)strata_set_count(message->set),
           data = items * strata_item_worst(p->plan, p->check);
    if (message->kind != STRATA_ACT_SEND) {
        return 0;
    }
    size_t head = message->step->how == STRATA_DATA ? 0 : strata_message_data(items);
    return strata_align(head + (message->step->how == STRATA_LENGTHS ? 0 : data), 16);
}

size_t strata_items_fixed_scratch(const struct strata_plan *plan, bool check)
{
    const struct strata_exchange *e = &plan->exchange;
    size_t landing = e->staged ? 0 : (size_t)e->lanes * strata_lane_bytes(plan, check);
    const struct packing packing = {plan, check};
    return strata_bookkeeping_bytes(e, plan->topology->ranks) + landing +
           strata_largest_stage(plan, part_worst, &packing);
}

size_t strata_items_scratch(struct strata_execution *x)
{
    return x->fixed_scratch + strata_direct_scratch(x);
}

void strata_items_node_need(const struct strata_plan *plan, const struct strata_layout *work,
                            bool check, size_t *slot, size_t *landing)
{
    (void)work;
    *slot = strata_plan_slot_bytes(plan);
    *landing = (size_t)plan->exchange.lanes * strata_lane_bytes(plan, check);
}

void strata_items_requests(const struct strata_plan *plan, int requests[STRATA_TRAFFIC_KINDS])
{
    requests[STRATA_LANE_TRAFFIC] = 2 * plan->exchange.lanes * (int)plan->exchange.lane_messages;
    requests[STRATA_DIRECT_TRAFFIC] = 2 * plan->topology->ranks;
}

/* Divides scratch: bookkeeping (landing_used, open receives, lengths), landing of flat plans, pack
 * area, saved blocks. */
static void divide_scratch(struct strata_execution *x)
{
    const struct strata_exchange *e = &x->plan->exchange;
    size_t lanes = (size_t)e->lanes;
    size_t open = lanes * (size_t)e->lane_messages * sizeof(struct strata_open_recv);
    unsigned char *at = x->scratch;
    x->progress.landing_used = (size_t *)(void *)at;
    at += strata_align(lanes * sizeof(size_t), 16);
    x->progress.open_recv = (struct strata_open_recv *)(void *)at;
    at += strata_align(open, 16);
    x->progress.lengths = (uint32_t *)(void *)at;
    at = x->scratch + strata_bookkeeping_bytes(e, x->plan->topology->ranks);
    x->progress.landing = e->staged ? x->memory->landing : at;
    x->progress.pack = e->staged ? at : at + lanes * x->progress.lane_bytes;
    x->progress.saved = x->scratch + x->fixed_scratch;
    if (x->progress.exposes) {
        x->progress.saved = strata_take_direct_space(x, x->progress.saved);
    }
}

struct measured {
    size_t longest; /* bytes of the longest block */
    uint64_t sum;   /* bytes of all blocks */
    int full;       /* the blocks that have bytes */
};

static struct measured measure(const struct strata_layout *side, int ranks)
{
    struct measured m = {0, 0, 0};
    if (!side->counts && !side->lengths) {
        m.longest = side->count * side->type->size;
        m.sum = (uint64_t)m.longest * (uint64_t)ranks;
        m.full = m.longest > 0 ? ranks : 0;
        return m;
    }
    if (!side->types && !side->lengths) {
        int most = 0;
        for (int rank = 0; rank < ranks; rank++) {
            most = side->counts[rank] > most ? side->counts[rank] : most;
            m.sum += (uint64_t)side->counts[rank];
            m.full += side->counts[rank] > 0;
        }
        m.sum *= side->type->size;
        m.full = m.sum > 0 ? m.full : 0;
        m.longest = (size_t)most * side->type->size;
        return m;
    }
    for (int rank = 0; rank < ranks; rank++) {
        size_t bytes = strata_layout_bytes(side, rank);
        m.longest = bytes > m.longest ? bytes : m.longest;
        m.sum += bytes;
        m.full += bytes > 0;
    }
    return m;
}

void strata_measure_blocks(struct strata_execution *x)
{
    const int ranks = x->plan->topology->ranks;
    const struct measured out = measure(&x->input, ranks), in = measure(&x->output, ranks);
    const int own = strata_layout_bytes(&x->input, x->plan->rank) > 0;
    x->progress.longest_out = out.longest;
    x->progress.longest_in = in.longest;
    x->progress.all_in = in.sum;
    x->progress.largest = out.longest;
    x->progress.load =
        strata_load(out.sum, (uint64_t)((out.full > in.full ? out.full : in.full) - own));
}

/* Compares the two lengths of this rank's own block, because no message would show that they
 * differ. */
static void check_own_block(struct strata_execution *x)
{
    int rank = x->plan->rank;
    size_t sent = strata_layout_bytes(&x->input, rank);
    size_t expected = strata_layout_bytes(&x->output, rank);
    if (sent != expected) {
        strata_record_error(x, STRATA_ERR_TRUNCATE,
                            "rank %d sends rank %d %zu bytes, which expects %zu", rank, rank, sent,
                            expected);
    }
}

void strata_items_start(struct strata_execution *x)
{
    const struct strata_plan *plan = x->plan;
    x->progress.lane_bytes = plan->exchange.lanes > 0 ? strata_lane_bytes(plan, x->check) : 0;
    strata_measure_blocks(x);
    x->progress.exposes = strata_direct_exposed(x);
    divide_scratch(x);
    check_own_block(x);
}
