/* Direct blocks between members of a node, where they lend them to each other: no message goes from
 * mate to mate. A member says in its slot where its block for each mate lies, in every pass anew,
 * for the slot is another one; a mate takes it where it would wait for the message.
 *
 * Who has none that long says nothing of where they lie. Its largest block, in the slot too, shows
 * it: in later passes that is the largest of all, and then the table is there.
 *
 * In gatherv and scatterv, plans over blocks, only the root and a block's owner lend, or take, and
 * both know that they do. They say it with their first signal, and take what is lent at the end. */
#include <string.h>

#include "core/engine/engine_internal.h"

static bool has_table(const struct strata_execution *x, uint64_t largest)
{
    return x->direct || (x->plan->exchange.lends && largest > x->plan->limits.threshold);
}

static int rank_of(const struct strata_execution *x, int member)
{
    return strata_topology_rank(x->plan->topology, strata_my_node(x), member);
}

bool strata_direct_lent(const struct strata_execution *x)
{
    const struct strata_topology *t = x->plan->topology;
    int node = strata_my_node(x), members = strata_topology_node_size(t, node), member = 0;
    while (x->plan->exchange.lends && member < members) {
        int rank = rank_of(x, member++);
        if (rank != x->plan->rank && (strata_is_direct(x, strata_direct_out(x), rank) ||
                                      strata_is_direct(x, strata_direct_in(x), rank))) {
            return true;
        }
    }
    return false;
}

/* By member: where the block for it lies. */
static struct strata_loan *loans_of(const struct strata_execution *x, int member)
{
    unsigned char *slot = strata_ring_slot(x->ring, member, strata_pass_use(x));
    return (struct strata_loan *)(void *)(slot + strata_loans_begin(x->plan));
}

size_t strata_direct_lists(const struct strata_execution *x)
{
    const struct strata_topology *t = x->plan->topology;
    const struct strata_layout *out = strata_direct_out(x);
    int node = strata_my_node(x);
    size_t pieces = 0;
    for (int member = 0; member < strata_topology_node_size(t, node); member++) {
        int rank = rank_of(x, member);
        if (rank != x->plan->rank && strata_is_direct(x, out, rank) && !strata_is_saved(x, rank)) {
            struct strata_spot spot = strata_layout_spot(out, rank);
            pieces += strata_listed_pieces(&spot);
        }
    }
    return strata_align(pieces * sizeof(struct strata_range), 16);
}

unsigned char *strata_take_direct_room(struct strata_execution *x, unsigned char *at)
{
    at = strata_take_fetching(x, at);
    x->progress.lists = (void *)at;
    return at + strata_direct_lists(x);
}

void strata_lend_direct(struct strata_execution *x)
{
    const struct strata_topology *t = x->plan->topology;
    const struct strata_layout *out = strata_direct_out(x);
    unsigned char *saved = x->progress.saved;
    struct strata_range *list = x->progress.lists;
    if (!has_table(x, x->progress.largest)) {
        return;
    }
    struct strata_loan *table = loans_of(x, x->ring->me);
    memset(table, 0, (size_t)x->ring->members * sizeof *table);
    for (int distance = 1; distance < t->ranks; distance++) { /* as they were saved */
        int rank = (x->plan->rank + distance) % t->ranks;
        if (!strata_is_direct(x, out, rank)) {
            continue;
        }
        size_t bytes = strata_layout_bytes(out, rank);
        bool is_saved = strata_is_saved(x, rank);
        if (strata_plan_lends_to(x->plan, rank)) {
            const struct strata_spot packed = {saved, &strata_byte_type, 0, bytes};
            const struct strata_spot lies = strata_layout_spot(out, rank);
            table[t->local_of[rank]] = strata_lend_spot(is_saved ? &packed : &lies, &list);
        }
        saved += is_saved ? bytes : 0;
    }
}

/* The direct block of a mate. Of one that is not there the call has a note. */
static int take_from(struct strata_execution *x, int member)
{
    const struct strata_layout *in = strata_direct_in(x);
    int rank = rank_of(x, member);
    size_t expected = strata_layout_bytes(in, rank);
    const struct strata_slot_header *header =
        (const void *)strata_ring_slot(x->ring, member, strata_pass_use(x));
    struct strata_loan loan = {0};
    if (!strata_is_direct(x, in, rank)) {
        return STRATA_OK;
    }
    if (has_table(x, header->largest)) {
        loan = loans_of(x, member)[x->ring->me];
    }
    if (loan.bytes != expected) {
        strata_record_error(x, STRATA_ERR_TRUNCATE,
                            "rank %d sends rank %d a direct block of %zu bytes, which expects %zu",
                            rank, x->plan->rank, (size_t)loan.bytes, expected);
        return STRATA_OK;
    }
    struct strata_spot into = strata_layout_spot(in, rank);
    int error = strata_fetch_block(x, member, &loan, &into);
    return error == STRATA_ERR_ARGUMENT ? STRATA_OK : error;
}

/* Beginning with the next member, so that not all read the same one's memory. */
int strata_take_direct(struct strata_execution *x)
{
    int error = STRATA_OK;
    while (x->progress.lends && strata_in_step(x) &&
           x->progress.direct_taken < x->ring->members - 1) {
        int member = (x->ring->me + 1 + x->progress.direct_taken) % x->ring->members;
        error = take_from(x, member);
        if (error != STRATA_OK) {
            return error;
        }
        x->progress.taken = 0;
        x->progress.direct_taken++;
    }
    return error;
}
