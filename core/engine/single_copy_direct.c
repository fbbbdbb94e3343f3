/* Direct blocks between members of a node: no message goes from one local peer to another. A member
 * says in its slot where its block for each local peer lies. Every pass has another slot, so the
 * member says it in every pass. The peer reads the block at the step where it would wait for the
 * message.
 *
 * A member without a block that long does not fill the table. The slot also says the member's
 * largest block, which shows this. In later passes the slot says the largest block of all ranks,
 * and then every member fills the table.
 *
 * In an alltoallv each block is read as soon as its owner is there, so ranks that share cores read
 * while others are on their way. A rank that has read a block says so in the owner's table. An
 * owner leaves when all of its own blocks have been read, even while others still read theirs.
 *
 * Gatherv and scatterv are plans over blocks. In them only the root and the owner of a block expose
 * blocks or read them, and both know that they do. They say so with their first signal, and read at
 * the end. */
#include <string.h>

#include "core/engine/engine_direct.h"
#include "core/engine/engine_epochs.h"
#include "core/engine/single_copy.h"
#include "core/engine/single_copy_parts.h"

static bool has_table(const struct strata_execution *x, uint64_t largest)
{
    return x->long_blocks || (x->plan->exchange.exposes && largest > x->plan->limits.threshold);
}

static int rank_of(const struct strata_execution *x, int member)
{
    return strata_topology_rank(x->plan->topology, strata_my_node(x), member);
}

bool strata_direct_exposed(const struct strata_execution *x)
{
    const struct strata_topology *t = x->plan->topology;
    int node = strata_my_node(x), members = strata_topology_node_size(t, node), member = 0;
    while (x->plan->exchange.exposes && member < members) {
        int rank = rank_of(x, member++);
        if (rank != x->plan->rank && (strata_is_direct(x, strata_direct_out(x), rank) ||
                                      strata_is_direct(x, strata_direct_in(x), rank))) {
            return true;
        }
    }
    return false;
}

bool strata_is_saved(const struct strata_execution *x, int rank)
{
    struct strata_span span = strata_layout_span(strata_direct_out(x), rank);
    return (x->in_place && !x->long_blocks) ||
           (strata_plan_exposes_to(x->plan, rank) && !strata_is_exposable(x, &span));
}

/* A member's table: where its block for each member lies. */
static struct strata_loan *loans_of(const struct strata_execution *x, int member)
{
    unsigned char *slot = strata_ring_slot(x->ring, member, strata_pass_epoch(x));
    return (struct strata_loan *)(void *)(slot + strata_loans_begin(x->plan));
}

/* Bytes of the lists of pieces. */
static size_t lists_bytes(const struct strata_execution *x)
{
    const struct strata_topology *t = x->plan->topology;
    const struct strata_layout *out = strata_direct_out(x);
    int node = strata_my_node(x);
    size_t pieces = 0;
    for (int member = 0; member < strata_topology_node_size(t, node); member++) {
        int rank = rank_of(x, member);
        if (rank != x->plan->rank && strata_is_direct(x, out, rank) && !strata_is_saved(x, rank)) {
            struct strata_span span = strata_layout_span(out, rank);
            pieces += strata_listed_pieces(&span);
        }
    }
    return strata_align(pieces * sizeof(struct strata_range), 16);
}

size_t strata_direct_room(const struct strata_execution *x)
{
    return strata_direct_exposed(x) ? STRATA_FETCH_SCRATCH + lists_bytes(x) : 0;
}

unsigned char *strata_take_direct_space(struct strata_execution *x, unsigned char *at)
{
    at = strata_take_fetching(x, at);
    x->progress.lists = (void *)at;
    return at + lists_bytes(x);
}

void strata_expose_direct(struct strata_execution *x)
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
    /* In the order in which they were saved. */
    for (int distance = 1; distance < t->ranks; distance++) {
        int rank = (x->plan->rank + distance) % t->ranks;
        if (!strata_is_direct(x, out, rank)) {
            continue;
        }
        size_t bytes = strata_layout_bytes(out, rank);
        bool is_saved = strata_is_saved(x, rank);
        if (strata_plan_exposes_to(x->plan, rank)) {
            const struct strata_span packed = {saved, &strata_byte_type, 0, bytes};
            const struct strata_span lies = strata_layout_span(out, rank);
            table[t->local_of[rank]] = strata_expose_span(is_saved ? &packed : &lies, &list);
        }
        saved += is_saved ? bytes : 0;
    }
}

/* Where a loan's address stands. The address becomes 0 when the block has been read. */
static _Atomic uint64_t *address_of(const struct strata_execution *x, int owner, int reader)
{
    return (_Atomic uint64_t *)(void *)&loans_of(x, owner)[reader].address;
}

/* Tells the owner that its block has been read. The owner may sleep on the bell that rings when I
 * leave. */
static void say_taken(const struct strata_execution *x, int member)
{
    atomic_store_explicit(address_of(x, member, x->ring->me), 0, memory_order_release);
    if (x->ring->wake) {
        x->ring->wake(x->ring, strata_stamp(strata_pass_epoch(x), 0));
    }
}

/* A local peer that fails, or expects no block, reads nothing, but leaves. A member without a block
 * that long may have no table, whatever the others have. */
int strata_direct_taken(struct strata_execution *x)
{
    const struct strata_ring *r = x->ring;
    const uint64_t stamp = strata_stamp(r->epoch, 0);
    int members = has_table(x, x->progress.longest_out) ? r->members : 0;
    for (int member = 0; member < members; member++) {
        const _Atomic uint64_t *left = &r->member[member].departed,
                               *at = address_of(x, r->me, member);
        if (loans_of(x, r->me)[member].bytes > 0 &&
            atomic_load_explicit(at, memory_order_acquire) != 0 &&
            atomic_load_explicit(left, memory_order_acquire) < stamp &&
            !strata_ring_lost(r, member, r->epoch - 1)) {
            strata_pend(x, member, left, stamp, at);
            return STRATA_PENDING;
        }
    }
    return STRATA_OK;
}

/* Reads the direct block of a local peer. If its bytes are not there, the call notes it and goes
 * on. */
static int take_from(struct strata_execution *x, int member, bool asks)
{
    const struct strata_layout *in = strata_direct_in(x);
    int rank = rank_of(x, member);
    size_t expected = strata_layout_bytes(in, rank);
    const struct strata_slot_header *header =
        (const void *)strata_ring_slot(x->ring, member, strata_pass_epoch(x));
    struct strata_loan loan = {0};
    if (!strata_is_direct(x, in, rank)) {
        return STRATA_OK;
    }
    if (x->plan->exchange.exposes && header->largest > x->plan->limits.threshold) {
        loan = loans_of(x, member)[x->ring->me];
    }
    if (loan.bytes != expected) {
        strata_record_error(x, STRATA_ERR_TRUNCATE,
                            "rank %d sends rank %d a direct block of %zu bytes, which expects %zu",
                            rank, x->plan->rank, (size_t)loan.bytes, expected);
        return STRATA_OK;
    }
    struct strata_span into = strata_layout_span(in, rank);
    int error = strata_fetch_block(x, member, &loan, &into, asks);
    error = error == STRATA_ERR_ARGUMENT ? STRATA_OK : error;
    if (error == STRATA_OK) {
        say_taken(x, member);
    }
    return error;
}

/* Local peers by their distance from the next member, so that not all members read the memory of
 * the same one. */
static int peer_at(const struct strata_execution *x, int distance)
{
    return (x->ring->me + 1 + distance) % x->ring->members;
}

static bool is_early(const struct strata_execution *x, int distance)
{
    return distance < STRATA_MOST_EARLY && x->progress.early >> distance & 1;
}

int strata_take_direct(struct strata_execution *x)
{
    int *next = &x->progress.direct_taken;
    while (x->progress.exposes && strata_in_step(x) && *next < x->ring->members - 1) {
        int error = is_early(x, *next) ? STRATA_OK : take_from(x, peer_at(x, *next), true);
        if (error != STRATA_OK) {
            return error;
        }
        x->progress.taken = 0;
        ++*next;
    }
    return STRATA_OK;
}

/* Whether a member has signalled in this call. Nothing is read early from a member that failed. */
static bool is_here(const struct strata_execution *x, int member)
{
    const uint64_t epoch = strata_pass_epoch(x);
    const uint64_t call = strata_stamp(epoch, 0) + strata_call_mark(x->plan);
    uint64_t seen =
        atomic_load_explicit(strata_ring_signal(x->ring, member, epoch), memory_order_acquire);
    return seen >= call + STRATA_SIGNAL_ARRIVED && seen < call + STRATA_SIGNAL_FAILED;
}

/* Blocks that the system refuses to read are left for later, because a member that would have to be
 * asked may not be here yet. Blocks that were read at their step are not read again. */
int strata_take_early(struct strata_execution *x)
{
    int error = STRATA_OK, first = x->progress.direct_taken;
    for (int i = first; i < x->ring->members - 1 && i < STRATA_MOST_EARLY; i++) {
        bool takes = strata_in_step(x) && !x->memory->denied && !is_early(x, i);
        if (takes && is_here(x, peer_at(x, i))) {
            error = take_from(x, peer_at(x, i), false);
            x->progress.early |= (uint64_t)(error == STRATA_OK) << i;
            x->progress.taken = 0;
        }
        if (error != STRATA_OK && error != STRATA_ERR_UNSUPPORTED) {
            return error;
        }
    }
    return STRATA_PENDING;
}
