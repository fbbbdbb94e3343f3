/* Reads blocks that the members of a node expose. A member says in its slot where each block lies
 * (core/engine/single_copy_expose.c), and its local peers read the block there, in one copy. */
#include <stdatomic.h>
#include <string.h>

#include "core/engine/engine_combine.h"
#include "core/engine/engine_moving.h"
#include "core/engine/single_copy.h"
#include "core/engine/single_copy_parts.h"

/* How a step reads blocks, and what it does with the bytes. */
struct fetching {
    struct strata_execution *x;
    int member;
    bool combines, folds;
    enum strata_way way;
};

static void taken(const struct fetching *f, size_t bytes)
{
    f->x->progress.taken += bytes;
    f->x->count.exposed[f->way] += bytes;
    f->x->count.copied += f->combines ? 0 : bytes;
}

/* Copies or combines bytes that are here into their destination. The call has noted an error of the
 * operator. */
static void take(const struct fetching *f, const unsigned char *from,
                 const struct strata_span *into)
{
    if (f->combines) {
        const struct strata_type *type = into->type;
        (void)strata_combine_operands(f->x, from - type->pieces[0].offset,
                                      strata_first_element(into), into->bytes / type->size,
                                      f->folds);
    } else if (f->way != STRATA_WAY_MAPPED || !strata_copy_deferred(f->x, from, into->bytes)) {
        const struct strata_span here = {(unsigned char *)(uintptr_t)from, &strata_byte_type, 0,
                                         into->bytes};
        strata_share_spans(f->x, &here, into);
    }
    taken(f, into->bytes);
}

/* The rest of an exposed block, in the local peer's memory. */
struct source {
    struct strata_range one, *range;
    size_t count;
};

static int read_peer(const struct fetching *f, const struct strata_range *range, size_t count,
                     void *into)
{
    const struct strata_peer_memory *peers = f->x->memory->peers;
    return peers->read(peers, f->member, range, count, into);
}

/* Finds the loan's bytes from `skip` on. STRATA_ERR_ARGUMENT: its list has more pieces than there
 * is room for, or fewer bytes. */
static int find_source(const struct fetching *f, const struct strata_loan *loan, size_t skip,
                       size_t bytes, struct source *source)
{
    const struct strata_range list = {loan->address, loan->pieces * sizeof list};
    if (loan->pieces == 0) {
        source->one = (struct strata_range){loan->address + skip, bytes};
        source->range = &source->one;
        source->count = 1;
        return STRATA_OK;
    }
    source->range = f->x->progress.listed;
    int error = f->x->memory->denied                 ? STRATA_ERR_UNSUPPORTED
                : loan->pieces > STRATA_MOST_EXPOSED ? STRATA_ERR_ARGUMENT
                                                     : read_peer(f, &list, 1, source->range);
    source->count =
        strata_cut_list(&source->range, error == STRATA_OK ? loan->pieces : 0, skip, bytes);
    return error == STRATA_OK && bytes > 0 && source->count == 0 ? STRATA_ERR_ARGUMENT : error;
}

/* A read of ranges that several threads share: one range by its bytes, several by their number,
 * because a range is no shorter than pays to be read by itself. */
struct reading {
    const struct fetching *f;
    const struct strata_range *range;
    size_t count;
    unsigned char *into;
    atomic_int error; /* one that a thread met; STRATA_OK: there is none */
};

static int read_bytes(const struct reading *r, int chunk, int chunks)
{
    const uint64_t from = (uint64_t)strata_chunk_begin((int64_t)r->range->bytes, chunk, chunks);
    const uint64_t to = (uint64_t)strata_chunk_begin((int64_t)r->range->bytes, chunk + 1, chunks);
    const struct strata_range part = {r->range->address + from, to - from};
    return to > from ? read_peer(r->f, &part, 1, r->into + from) : STRATA_OK;
}

static int read_ranges(const struct reading *r, int chunk, int chunks)
{
    const size_t from = (size_t)strata_chunk_begin((int64_t)r->count, chunk, chunks);
    const size_t to = (size_t)strata_chunk_begin((int64_t)r->count, chunk + 1, chunks);
    unsigned char *into = r->into;
    for (size_t i = 0; i < from; i++) {
        into += r->range[i].bytes;
    }
    return to > from ? read_peer(r->f, &r->range[from], to - from, into) : STRATA_OK;
}

static void read_part(void *argument, int chunk, int chunks)
{
    struct reading *r = argument;
    const int error = (r->count == 1 ? read_bytes : read_ranges)(r, chunk, chunks);
    if (error != STRATA_OK) {
        atomic_store_explicit(&r->error, error, memory_order_relaxed); /* read when all are done */
    }
}

static int read_shared(const struct fetching *f, const struct strata_range *range, size_t count,
                       size_t bytes, unsigned char *into)
{
    struct reading r = {f, range, count, into, STRATA_OK};
    strata_share(f->x, bytes, read_part, &r);
    return atomic_load_explicit(&r.error, memory_order_relaxed);
}

/* Reads the next `bytes` bytes of the source, and removes them from it. */
static int read_next(const struct fetching *f, struct source *source, unsigned char *into,
                     size_t bytes)
{
    size_t before = 0, left = bytes;
    while (left > source->range[before].bytes) {
        left -= source->range[before++].bytes;
    }
    struct strata_range *last = &source->range[before];
    const struct strata_range rest = {last->address + left, last->bytes - left};
    last->bytes = left;
    int error = read_shared(f, source->range, before + 1, bytes, into);
    *last = rest;
    source->range = last;
    return error;
}

/* Reads without the kernel if the member's memory is mapped here. Returns whether it is. */
static bool take_mapped(struct fetching *f, const struct source *source,
                        const struct strata_span *into)
{
    const struct strata_peer_memory *peers = f->x->memory->peers;
    uint64_t least = UINT64_MAX, end = 0;
    for (size_t i = 0; i < source->count; i++) {
        const struct strata_range *range = &source->range[i];
        least = range->address < least ? range->address : least;
        end = range->address + range->bytes > end ? range->address + range->bytes : end;
    }
    const unsigned char *here =
        source->count > 0 ? peers->reach(peers, f->member, least, end - least) : NULL;
    size_t at = 0;
    f->way = here ? STRATA_WAY_MAPPED : f->way;
    for (size_t i = 0; here && i < source->count; i++) {
        const struct strata_range *range = &source->range[i];
        struct strata_span part = strata_part_of(into, at, range->bytes);
        take(f, here + (range->address - least), &part);
        at += range->bytes;
    }
    return here;
}

/* Reads through a buffer that stays in the cache. */
static int fetch_by_parts(const struct fetching *f, struct source *source,
                          const struct strata_span *into)
{
    size_t unit = f->combines ? into->type->size : 1;
    size_t most = STRATA_FETCH_BYTES / unit * unit;
    int error = STRATA_OK;
    for (size_t at = 0; at < into->bytes && error == STRATA_OK; at += most) {
        struct strata_span part = strata_part_of(into, at, strata_least(most, into->bytes - at));
        error = read_next(f, source, f->x->progress.fetched, part.bytes);
        if (error == STRATA_OK) {
            take(f, f->x->progress.fetched, &part);
        }
    }
    return error;
}

/* Asks the local peer to copy the bytes, where the system does not let this rank read them: at a
 * time, as many as my slot has room for. */
static int fetch_by_asking(const struct fetching *f, const struct strata_loan *loan, size_t skip,
                           const struct strata_span *into)
{
    size_t unit = f->combines ? into->type->size : 1;
    size_t most = strata_ask_most(f->x) / unit * unit;
    for (size_t at = 0; at < into->bytes; at += most) {
        struct strata_span part = strata_part_of(into, at, strata_least(most, into->bytes - at));
        struct strata_asking wanted = {f->member, *loan, skip + at, part.bytes};
        const unsigned char *come = NULL;
        int status = strata_ask(f->x, &wanted, &come);
        if (status != STRATA_OK) {
            return status;
        }
        take(f, come, &part);
    }
    return STRATA_OK;
}

/* After an error: whether all bytes are in the local peer's memory. */
static bool is_there(const struct fetching *f, struct source *source, size_t bytes)
{
    int error = STRATA_OK;
    for (size_t at = 0; at < bytes && error == STRATA_OK; at += STRATA_FETCH_BYTES) {
        size_t now = strata_least(STRATA_FETCH_BYTES, bytes - at);
        error = read_next(f, source, f->x->progress.fetched, now);
    }
    return error == STRATA_OK;
}

static int fetch_at_once(const struct fetching *f, struct source *source, unsigned char *into,
                         size_t bytes)
{
    int error = read_shared(f, source->range, source->count, bytes, into);
    if (error == STRATA_OK) {
        taken(f, bytes);
    } else if (error == STRATA_ERR_ARGUMENT && is_there(f, source, bytes)) {
        strata_record_error(f->x, error,
                            "rank %d: part of the buffer that it receives into is no memory that "
                            "may be written",
                            f->x->plan->rank);
    }
    return error;
}

/* Reads an exposed block from its byte `skip` on. */
static int fetch(struct fetching *f, const struct strata_loan *loan, size_t skip,
                 const struct strata_span *into)
{
    struct source source;
    int error = find_source(f, loan, skip, into->bytes, &source);
    unsigned char *plain = f->combines ? NULL : strata_span_address(into);
    if (error == STRATA_OK && take_mapped(f, &source, into)) {
        return STRATA_OK;
    }
    f->way = f->x->memory->denied ? STRATA_WAY_ASKED
             : loan->pieces > 0   ? STRATA_WAY_PIECES
                                  : STRATA_WAY_READ;
    if (f->x->memory->denied) {
        return fetch_by_asking(f, loan, skip, into);
    }
    if (error == STRATA_OK && plain) {
        return fetch_at_once(f, &source, plain, into->bytes);
    }
    return error == STRATA_OK ? fetch_by_parts(f, &source, into) : error;
}

/* Notes that bytes of a block are not in its owner's memory. That is the owner's mistake, unless
 * another was noted before, and leaves the ranks in step. */
static void complain(const struct fetching *f)
{
    struct strata_execution *x = f->x;
    strata_record_error(x, STRATA_ERR_ARGUMENT,
                        "rank %d: part of the buffer that rank %d gave is no memory of that rank",
                        x->plan->rank,
                        strata_topology_rank(x->plan->topology, strata_my_node(x), f->member));
}

/* Reads all pairs of the step, from the first byte on that was not read yet. */
static int fetch_pairs(struct fetching *f, struct strata_pair_walk *walk)
{
    struct strata_execution *x = f->x;
    size_t skip = x->progress.taken;
    int error = STRATA_OK;
    strata_pairs_begin(walk, x, strata_cursor_from(&x->cursor), strata_cursor_set(&x->cursor));
    while (error == STRATA_OK && strata_pairs_next(walk)) {
        size_t before = strata_least(skip, walk->bytes);
        struct strata_span into = strata_part_of(&walk->into, before, walk->bytes - before);
        const struct strata_run *run = &walk->from_walk.run;
        const struct strata_loan *loan = strata_loan_of(x, run->store, run->first - 1);
        skip -= before;
        f->member = (run->first - 1) / x->plan->blocks.count;
        error = into.bytes > 0 ? fetch(f, loan, walk->from.skip + before, &into) : STRATA_OK;
    }
    return error;
}

int strata_fetch_block(struct strata_execution *x, int member, const struct strata_loan *loan,
                       const struct strata_span *into, bool asks)
{
    struct fetching f = {.x = x, .member = member};
    int error = STRATA_ERR_UNSUPPORTED;
    for (int tries = 0; error == STRATA_ERR_UNSUPPORTED && tries < 1 + asks; tries++) {
        struct strata_span rest =
            strata_part_of(into, x->progress.taken, into->bytes - x->progress.taken);
        error = fetch(&f, loan, x->progress.taken, &rest);
        x->memory->denied |= error == STRATA_ERR_UNSUPPORTED; /* for good */
    }
    if (error == STRATA_ERR_ARGUMENT) {
        complain(&f);
    }
    return error;
}

int strata_fetch(struct strata_execution *x, const struct strata_step *step)
{
    struct fetching f = {.x = x,
                         .combines = strata_step_act(step) == STRATA_ACT_COMBINE,
                         .folds = step->op == STRATA_STEP_FOLD};
    struct strata_pair_walk walk;
    int error = fetch_pairs(&f, &walk);
    if (error == STRATA_ERR_UNSUPPORTED) { /* for good */
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
                            "rank %d expects a block of another length than its mate has, which is "
                            "%zu bytes %s",
                            x->plan->rank,
                            walk.from.bytes > walk.into.bytes ? walk.from.bytes - walk.into.bytes
                                                              : walk.into.bytes - walk.from.bytes,
                            walk.from.bytes > walk.into.bytes ? "longer" : "shorter");
    }
    return error;
}
