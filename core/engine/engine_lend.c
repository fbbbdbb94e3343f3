/* What a member of a node lends its mates: it says in its slot where each block lies. What lies in
 * a few long pieces is lent as it lies, with a list of them, which is read in one call of the
 * kernel. What lies in many or in short ones, which cost the kernel more than packing does
 * (docs/performance.md, "Long blocks, in one copy"), or is written over in the same call, is lent
 * from a copy of it (core/engine/engine_stores.c). Who lends does not leave the call before all
 * have left it; of direct blocks core/engine/engine_direct_mates.c says when. */
#include <string.h>

#include "core/engine/engine_moving.h"

/* Pieces of the elements that have a part of the spot. */
static size_t pieces_of(const struct strata_spot *spot)
{
    const struct strata_type *type = spot->type;
    size_t first = spot->skip / type->size, last = (spot->skip + spot->bytes - 1) / type->size;
    return (last - first + 1) * type->npieces;
}

size_t strata_listed_pieces(const struct strata_spot *spot)
{
    return spot->bytes == 0 || spot->type->contiguous ? 0 : pieces_of(spot);
}

bool strata_is_lendable(const struct strata_execution *x, const struct strata_spot *spot)
{
    size_t pieces = strata_listed_pieces(spot);
    return pieces <= 1 ||
           (pieces <= STRATA_MOST_LENT && spot->bytes / pieces >= x->memory->mates->least_piece);
}

/* Lists the pieces of a spot that has some; returns how many. */
static size_t list_pieces(const struct strata_spot *spot, struct strata_range *list)
{
    const struct strata_type *type = spot->type;
    size_t elements = spot->skip / type->size, skip = spot->skip % type->size, count = 0;
    const unsigned char *element = spot->origin + (ptrdiff_t)elements * type->extent;
    for (size_t left = spot->bytes; left > 0; element += type->extent) {
        for (size_t p = 0; p < type->npieces && left > 0; p++) {
            const struct strata_piece *piece = &type->pieces[p];
            size_t before = strata_least(skip, piece->length);
            size_t bytes = strata_least(left, piece->length - before);
            const unsigned char *at = element + piece->offset + before;
            skip -= before;
            left -= bytes;
            if (bytes > 0) {
                list[count++] = (struct strata_range){(uint64_t)(uintptr_t)at, bytes};
            }
        }
    }
    return count;
}

struct strata_loan strata_lend_spot(const struct strata_spot *spot, struct strata_range **list)
{
    struct strata_loan loan = {.bytes = spot->bytes};
    if (strata_listed_pieces(spot) == 0) {
        loan.address = spot->bytes ? (uint64_t)(uintptr_t)strata_spot_address(spot) : 0;
        return loan;
    }
    loan.address = (uint64_t)(uintptr_t)*list;
    loan.pieces = list_pieces(spot, *list);
    *list += loan.pieces;
    return loan;
}

size_t strata_cut_list(struct strata_range **list, size_t count, size_t skip, size_t bytes)
{
    struct strata_range *range = *list;
    for (; count > 0 && skip >= range->bytes; range++, count--) {
        skip -= range->bytes;
    }
    *list = range;
    if (count > 0) {
        *range = (struct strata_range){range->address + skip, range->bytes - skip};
    }
    size_t needed = 0;
    for (; bytes > 0 && needed < count; needed++) {
        range[needed].bytes = strata_least(range[needed].bytes, bytes);
        bytes -= range[needed].bytes;
    }
    return needed;
}

static int lent_sides(const struct strata_plan *plan)
{
    unsigned lends = plan->blocks.lends;
    return (lends & STRATA_LENDS_INPUT ? 1 : 0) + (lends & STRATA_LENDS_WORK ? 1 : 0);
}

/* Those of direct blocks are behind all others: staged ones, or such as are not longer. */
size_t strata_loans_begin(const struct strata_plan *plan)
{
    const struct strata_topology *t = plan->topology;
    return !strata_plan_over_blocks(plan)
               ? strata_slot_bytes_at(t->ranks, t->nodes, plan->exchange.lanes, plan->limits.slice)
           : plan->exchange.lends
               ? strata_align(STRATA_SHARED_HEAD + plan->limits.threshold, STRATA_LINE)
               : STRATA_SHARED_HEAD;
}

size_t strata_loans_end(const struct strata_plan *plan)
{
    size_t loans = plan->exchange.lends ? (size_t)plan->topology->largest
                                        : (size_t)plan->blocks.count * (size_t)lent_sides(plan);
    return strata_align(strata_loans_begin(plan) + loans * sizeof(struct strata_loan),
                        STRATA_CACHE_LINE);
}

/* The table of that side in the member's slot. */
static struct strata_loan *loans_of(const struct strata_execution *x, int member, int side)
{
    unsigned char *slot = strata_ring_slot(x->ring, member, strata_pass_use(x));
    struct strata_loan *table = (struct strata_loan *)(void *)(slot + STRATA_SHARED_HEAD);
    bool second = side == STRATA_LENDS_WORK && x->plan->blocks.lends & STRATA_LENDS_INPUT;
    return table + (second ? x->plan->blocks.count : 0);
}

/* The blocks of a store that this rank has, from number `first` on in the table. */
static void lend(struct strata_execution *x, enum strata_store store, int side, int first,
                 int count)
{
    const int blocks = x->plan->blocks.count;
    struct strata_loan *table = loans_of(x, x->ring->me, side);
    struct strata_range *list = x->progress.lists;
    memset(table, 0, (size_t)blocks * sizeof *table);
    for (int i = 0; i < count; i++) {
        struct strata_spot spot;
        strata_spot_of(x, store, store == STRATA_INPUT ? first + i : i, &spot);
        table[(first + i) % blocks] = strata_lend_spot(&spot, &list);
    }
}

void strata_lend(struct strata_execution *x)
{
    const struct strata_plan *plan = x->plan;
    enum strata_held held = strata_input_of(plan->collective, plan->rank, plan->root);
    if (plan->blocks.lends & STRATA_LENDS_INPUT) {
        bool one = held == STRATA_ONE;
        lend(x, STRATA_INPUT, STRATA_LENDS_INPUT, one ? plan->rank : 0,
             held == STRATA_NONE ? 0
             : one               ? 1
                                 : plan->blocks.count);
    }
    if (plan->blocks.lends & STRATA_LENDS_WORK) {
        lend(x, STRATA_WORK, STRATA_LENDS_WORK, plan->blocks.work_first, plan->blocks.work);
    }
}

const struct strata_loan *strata_loan_of(const struct strata_execution *x, int store, int number)
{
    const int blocks = x->plan->blocks.count;
    int side = store == STRATA_MATE_INPUT ? STRATA_LENDS_INPUT : STRATA_LENDS_WORK;
    return &loans_of(x, number / blocks, side)[number % blocks];
}

void strata_mate_spot(const struct strata_execution *x, int store, int number,
                      struct strata_spot *spot)
{
    *spot = (struct strata_spot){.type = x->progress.input_stack.type,
                                 .bytes = strata_loan_of(x, store, number)->bytes};
}
