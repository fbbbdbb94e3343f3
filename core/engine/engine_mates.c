/* Blocks that the members of a node lend each other: a member says in its slot where each lies, and
 * its mates take them from there, in one copy.
 *
 * What lies in several pieces, or is written over in the same call, is lent from a copy of it
 * (core/engine/engine_stores.c). Who lends does not leave the call before all have left it. */
#include <string.h>

#include "core/engine/engine_moving.h"

static int lent_sides(const struct strata_plan *plan)
{
    unsigned lends = plan->blocks.lends;
    return (lends & STRATA_LENDS_INPUT ? 1 : 0) + (lends & STRATA_LENDS_WORK ? 1 : 0);
}

/* In plans over items they are of direct blocks, behind the staged ones. */
size_t strata_loans_begin(const struct strata_plan *plan)
{
    const struct strata_topology *t = plan->topology;
    return strata_plan_over_blocks(plan)
               ? STRATA_SHARED_HEAD
               : strata_slot_bytes_at(t->ranks, t->nodes, plan->exchange.lanes, plan->limits.slice);
}

size_t strata_loans_end(const struct strata_plan *plan)
{
    size_t loans = strata_plan_over_blocks(plan)
                       ? (size_t)plan->blocks.count * (size_t)lent_sides(plan)
                       : (size_t)plan->topology->largest;
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
    memset(table, 0, (size_t)blocks * sizeof *table);
    for (int i = 0; i < count; i++) {
        struct strata_spot spot;
        strata_spot_of(x, store, store == STRATA_INPUT ? first + i : i, &spot);
        table[(first + i) % blocks] =
            (struct strata_loan){(uint64_t)(uintptr_t)strata_spot_address(&spot), spot.bytes};
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

/* The origin is the lender's: only the functions below may follow it. */
void strata_mate_spot(const struct strata_execution *x, int store, int number,
                      struct strata_spot *spot)
{
    const int blocks = x->plan->blocks.count;
    int side = store == STRATA_MATE_INPUT ? STRATA_LENDS_INPUT : STRATA_LENDS_WORK;
    const struct strata_loan *loan = &loans_of(x, number / blocks, side)[number % blocks];
    const struct strata_type *type = x->progress.input_stack.type;
    ptrdiff_t before = type->npieces > 0 ? type->pieces[0].offset : 0;
    *spot = (struct strata_spot){.origin = (unsigned char *)(uintptr_t)loan->address - before,
                                 .type = type,
                                 .bytes = loan->bytes};
}

/* What one step does with what it reads. */
struct fetching {
    struct strata_execution *x;
    int member;
    bool combines;
};

static void taken(const struct fetching *f, size_t bytes)
{
    f->x->progress.taken += bytes;
    f->x->count.copied += f->combines ? 0 : bytes;
}

/* Bytes that are here go where they belong. Of an operator's error the call has a note. */
static void take(const struct fetching *f, const unsigned char *from,
                 const struct strata_spot *into)
{
    if (f->combines) {
        const struct strata_type *type = into->type;
        (void)strata_combine_operands(f->x, from - type->pieces[0].offset,
                                      strata_first_element(into), into->bytes / type->size);
    } else {
        strata_spot_unpack(into, from);
    }
    taken(f, into->bytes);
}

static int read_mate(const struct fetching *f, uint64_t address, void *into, size_t bytes)
{
    const struct strata_mates *mates = f->x->memory->mates;
    return mates->read(mates, f->member, address, into, bytes);
}

/* By way of a buffer that stays in the cache. */
static int fetch_by_parts(const struct fetching *f, uint64_t address,
                          const struct strata_spot *into)
{
    size_t unit = f->combines ? into->type->size : 1;
    size_t most = STRATA_FETCH_BYTES / unit * unit;
    int error = STRATA_OK;
    for (size_t at = 0; at < into->bytes && error == STRATA_OK; at += most) {
        struct strata_spot part = strata_part_of(into, at, strata_least(most, into->bytes - at));
        error = read_mate(f, address + at, f->x->progress.fetched, part.bytes);
        if (error == STRATA_OK) {
            take(f, f->x->progress.fetched, &part);
        }
    }
    return error;
}

/* Where the system does not let us: the mate copies, as much at a time as my slot has room for. */
static int fetch_by_asking(const struct fetching *f, uint64_t address,
                           const struct strata_spot *into)
{
    size_t unit = f->combines ? into->type->size : 1;
    size_t most = strata_ask_most(f->x) / unit * unit;
    for (size_t at = 0; at < into->bytes; at += most) {
        struct strata_spot part = strata_part_of(into, at, strata_least(most, into->bytes - at));
        struct strata_asking wanted = {f->member, address + at, part.bytes};
        const unsigned char *come = NULL;
        int status = strata_ask(f->x, &wanted, &come);
        if (status != STRATA_OK) {
            return status;
        }
        take(f, come, &part);
    }
    return STRATA_OK;
}

/* After a refusal: whether all of it is the mate's memory. */
static bool is_there(const struct fetching *f, uint64_t address, size_t bytes)
{
    int error = STRATA_OK;
    for (size_t at = 0; at < bytes && error == STRATA_OK; at += STRATA_FETCH_BYTES) {
        size_t now = strata_least(STRATA_FETCH_BYTES, bytes - at);
        error = read_mate(f, address + at, f->x->progress.fetched, now);
    }
    return error == STRATA_OK;
}

static int fetch_at_once(const struct fetching *f, uint64_t address, unsigned char *into,
                         size_t bytes)
{
    int error = read_mate(f, address, into, bytes);
    if (error == STRATA_OK) {
        taken(f, bytes);
    } else if (error == STRATA_ERR_ARGUMENT && is_there(f, address, bytes)) {
        strata_record_error(f->x, error,
                            "rank %d: part of the buffer that it receives into is no memory that "
                            "may be written",
                            f->x->plan->rank);
    }
    return error;
}

static int fetch(const struct fetching *f, uint64_t address, const struct strata_spot *into)
{
    const struct strata_mates *mates = f->x->memory->mates;
    const unsigned char *here = mates->reach(mates, f->member, address, into->bytes);
    unsigned char *plain = f->combines ? NULL : strata_spot_address(into);
    if (here) {
        take(f, here, into);
        return STRATA_OK;
    }
    if (f->x->memory->denied) {
        return fetch_by_asking(f, address, into);
    }
    return plain ? fetch_at_once(f, address, plain, into->bytes) : fetch_by_parts(f, address, into);
}

/* What is not there is its lender's mistake, unless another was noted, and leaves the ranks in
 * step. */
static void complain(const struct fetching *f)
{
    struct strata_execution *x = f->x;
    strata_record_error(x, STRATA_ERR_ARGUMENT,
                        "rank %d: part of the buffer that rank %d gave is no memory of that rank",
                        x->plan->rank,
                        strata_topology_rank(x->plan->topology, strata_my_node(x), f->member));
}

/* All pairs of the step, from the first byte on that was not taken yet. */
static int fetch_pairs(struct fetching *f, struct strata_pair_walk *walk)
{
    struct strata_execution *x = f->x;
    size_t skip = x->progress.taken;
    int error = STRATA_OK;
    strata_pairs_begin(walk, x, strata_cursor_from(&x->cursor), strata_cursor_set(&x->cursor));
    while (error == STRATA_OK && strata_pairs_next(walk)) {
        size_t before = strata_least(skip, walk->bytes);
        struct strata_spot into = strata_part_of(&walk->into, before, walk->bytes - before);
        uint64_t address = (uint64_t)(uintptr_t)strata_spot_address(&walk->from);
        skip -= before;
        f->member = (walk->from_walk.run.first - 1) / x->plan->blocks.count;
        error = into.bytes > 0 ? fetch(f, address + before, &into) : STRATA_OK;
    }
    return error;
}

int strata_fetch_block(struct strata_execution *x, int member, uint64_t address,
                       const struct strata_spot *into)
{
    struct fetching f = {.x = x, .member = member};
    int error = STRATA_ERR_UNSUPPORTED;
    for (int tries = 0; error == STRATA_ERR_UNSUPPORTED && tries < 2; tries++) {
        x->memory->denied = x->memory->denied || tries > 0; /* from now on */
        struct strata_spot rest =
            strata_part_of(into, x->progress.taken, into->bytes - x->progress.taken);
        error = fetch(&f, address + x->progress.taken, &rest);
    }
    if (error == STRATA_ERR_ARGUMENT) {
        complain(&f);
    }
    return error;
}

int strata_fetch(struct strata_execution *x, const struct strata_step *step)
{
    struct fetching f = {.x = x, .combines = step->op == STRATA_STEP_REDUCE};
    struct strata_pair_walk walk;
    int error = fetch_pairs(&f, &walk);
    if (error == STRATA_ERR_UNSUPPORTED) { /* from now on */
        x->memory->denied = true;
        error = fetch_pairs(&f, &walk);
    }
    if (error == STRATA_PENDING) {
        return error;
    }
    x->progress.taken = 0;
    if (error == STRATA_ERR_ARGUMENT) {
        complain(&f);
        return STRATA_OK;
    }
    if (error == STRATA_OK && walk.from.bytes != walk.into.bytes) {
        strata_record_error(x, STRATA_ERR_TRUNCATE,
                            "rank %d expects a block of another length than its mate has",
                            x->plan->rank);
    }
    return error;
}
