#include "tests/sim/exchange.h"

#include <assert.h>
#include <stdlib.h>

enum { MARGIN = 16 };

static void *zeroed(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    assert(memory);
    return memory;
}

int exchange_bytes(const struct exchange *e, int source, int destination)
{
    return e->bytes[source * e->ranks + destination];
}

const struct side *exchange_input(const struct exchange *e, int rank)
{
    return e->in_place[rank] ? &e->recv[rank] : &e->send[rank];
}

/* Block sizes. */

enum kind { EMPTY, SMALL, NEAR, LARGE, KINDS };

static int random_size(struct random *r, enum kind kind, int threshold, int unit)
{
    int units = threshold / unit;
    switch (kind) {
    case SMALL:
        return unit * random_between(r, 0, units < 8 ? units : 8);
    case NEAR:
        units += random_between(r, -1, 2);
        return units > 0 ? unit * units : 0;
    case LARGE:
        return unit * random_between(r, 1, 3 * units + 4);
    default:
        return 0;
    }
}

/* Some calls have blocks of one kind only, most have blocks of all kinds. */
static void draw_sizes(struct random *r, struct exchange *e, const struct exchange_shape *shape,
                       int unit)
{
    bool mixed = !random_one_in(r, 4);
    enum kind kind = (enum kind)random_below(r, KINDS);
    int size = random_size(r, kind, shape->threshold, unit);
    for (int i = 0; i < e->ranks * e->ranks; i++) {
        kind = mixed ? (enum kind)random_below(r, KINDS) : kind;
        e->bytes[i] = e->uniform ? size : random_size(r, kind, shape->threshold, unit);
    }
}

static void make_symmetric(struct exchange *e)
{
    for (int s = 0; s < e->ranks; s++) {
        for (int d = 0; d < s; d++) {
            e->bytes[s * e->ranks + d] = e->bytes[d * e->ranks + s];
        }
    }
}

/* All ranks are in place, none, or (more than MPI allows) some. */
static void draw_in_place(struct random *r, struct exchange *e)
{
    int mode = random_below(r, 6);
    if (mode < 2) {
        make_symmetric(e);
        for (int rank = 0; rank < e->ranks; rank++) {
            e->in_place[rank] = mode == 0 || random_one_in(r, 2);
        }
    }
}

/* Datatypes and places. */

static int random_divisor(struct random *r, int n)
{
    int divisor = random_between(r, 1, n);
    while (n % divisor != 0) {
        divisor--;
    }
    return divisor;
}

static void make_type(struct random *r, struct side *side, int unit, bool written)
{
    int size = random_divisor(r, unit);
    if (random_one_in(r, 3)) {
        side->npieces = 1;
        side->pieces[0] = (struct strata_piece){0, (size_t)size};
        side->low = 0;
        side->high = size;
    } else {
        side->npieces = random_pieces(r, size, side->pieces, &side->low, &side->high);
    }
    ptrdiff_t extent = side->high - side->low;
    extent += random_one_in(r, 2) ? 0 : random_below(r, 9);
    extent = random_one_in(r, 5) ? -extent : extent;
    if (!written && random_one_in(r, 8)) {
        extent = random_between(r, -9, 9);
    }
    int status = strata_type_init(&side->type, side->pieces, side->npieces, extent);
    assert(status == STRATA_OK);
    (void)status;
}

/* Places blocks in any order with gaps, also before the base. Blocks that are only read may
 * overlap. */
static void draw_places(struct random *r, struct side *side, int ranks, bool written)
{
    int *order = zeroed((size_t)ranks, sizeof *order);
    for (int i = 0; i < ranks; i++) {
        order[i] = i;
    }
    if (random_one_in(r, 2)) {
        random_shuffle(r, order, ranks);
    }
    int at = random_one_in(r, 2) ? random_between(r, -40, 20) : 0;
    bool overlap = !written && random_one_in(r, 6);
    for (int i = 0; i < ranks; i++) {
        side->displs[order[i]] = at;
        at += overlap ? random_between(r, -2, 2) : side->counts[order[i]];
        at += random_one_in(r, 4) ? random_below(r, 4) : 0;
    }
    free(order);
}

/* Lowers *low and raises *high to include block `rank`. */
static void take_in(const struct side *side, int rank, ptrdiff_t *low, ptrdiff_t *high)
{
    for (int end = 0; end < 2 && side->counts[rank] > 0; end++) {
        ptrdiff_t element = side->displs[rank] + (end ? side->counts[rank] - 1 : 0);
        ptrdiff_t first = element * side->type.extent + side->low;
        ptrdiff_t last = element * side->type.extent + side->high;
        *low = first < *low ? first : *low;
        *high = last > *high ? last : *high;
    }
}

/* Allocates memory for all blocks and a margin, with random bytes. */
static void make_memory(struct random *r, struct side *side, int ranks)
{
    ptrdiff_t low = 0, high = 0;
    for (int rank = 0; rank < ranks; rank++) {
        take_in(side, rank, &low, &high);
    }
    side->size = (size_t)(high - low) + 2 * MARGIN;
    side->memory = zeroed(side->size, 1);
    side->expected = zeroed(side->size, 1);
    for (size_t i = 0; i < side->size; i++) {
        side->memory[i] = (unsigned char)random_next(r);
    }
    memcpy(side->expected, side->memory, side->size);
    side->layout.base = side->memory + MARGIN - low;
}

/* Gives each block a datatype of its own; empty blocks have bytes. */
static void give_types(struct side *side, int ranks)
{
    side->types = zeroed((size_t)ranks, sizeof *side->types);
    side->bytes = zeroed((size_t)ranks, sizeof *side->bytes);
    for (int i = 0; i < ranks; i++) {
        side->types[i] = side->counts[i] > 0 ? &side->type : &strata_byte_type;
        side->bytes[i] = side->displs[i] * (int)side->type.extent;
    }
    side->layout.type = NULL;
    side->layout.types = side->types;
    side->layout.displs = side->bytes;
}

static void make_side(struct random *r, struct exchange *e, int rank, int unit, bool written)
{
    struct side *side = written ? &e->recv[rank] : &e->send[rank];
    make_type(r, side, unit, written);
    side->counts = zeroed((size_t)e->ranks, sizeof *side->counts);
    side->displs = zeroed((size_t)e->ranks, sizeof *side->displs);
    for (int i = 0; i < e->ranks; i++) {
        int bytes = written ? exchange_bytes(e, i, rank) : exchange_bytes(e, rank, i);
        side->counts[i] = bytes / (int)side->type.size;
    }
    side->layout = (struct strata_layout){.type = &side->type};
    if (e->uniform) {
        side->layout.count = (size_t)side->counts[0];
        for (int i = 0; i < e->ranks; i++) {
            side->displs[i] = i * side->counts[0];
        }
    } else {
        draw_places(r, side, e->ranks, written);
        side->layout.counts = side->counts;
        side->layout.displs = side->displs;
    }
    if (e->typed) {
        give_types(side, e->ranks);
    }
    make_memory(r, side, e->ranks);
}

/* The expected memory: streams are copied piece by piece from the memory before the call. */

static void copy_stream(const struct side *side, unsigned char *memory, int block,
                        unsigned char *stream, bool out)
{
    unsigned char *base = memory + (side->layout.base - side->memory);
    for (int element = 0; element < side->counts[block]; element++) {
        unsigned char *origin = base + (side->displs[block] + element) * side->type.extent;
        for (size_t i = 0; i < side->npieces; i++) {
            unsigned char *place = origin + side->pieces[i].offset;
            memcpy(out ? place : stream, out ? stream : place, side->pieces[i].length);
            stream += side->pieces[i].length;
        }
    }
}

static void expect_block(struct exchange *e, int source, int destination)
{
    int bytes = exchange_bytes(e, source, destination);
    unsigned char *stream = zeroed((size_t)bytes, 1);
    const struct side *input = exchange_input(e, source);
    struct side *output = &e->recv[destination];
    copy_stream(input, input->memory, destination, stream, false);
    copy_stream(output, output->expected, source, stream, true);
    free(stream);
}

struct exchange *exchange_create(struct random *r, struct exchange_shape shape)
{
    static const int units[] = {1, 2, 4, 8, 12, 24, 30};
    struct exchange *e = zeroed(1, sizeof *e);
    size_t ranks = (size_t)shape.ranks;
    int unit = units[random_below(r, (int)(sizeof units / sizeof *units))];
    e->ranks = shape.ranks;
    e->uniform = shape.uniform;
    e->typed = shape.typed;
    e->bytes = zeroed(ranks * ranks, sizeof *e->bytes);
    e->in_place = zeroed(ranks, sizeof *e->in_place);
    e->send = zeroed(ranks, sizeof *e->send);
    e->recv = zeroed(ranks, sizeof *e->recv);
    draw_sizes(r, e, &shape, unit);
    draw_in_place(r, e);
    for (int rank = 0; rank < e->ranks; rank++) {
        make_side(r, e, rank, unit, false);
        make_side(r, e, rank, unit, true);
    }
    for (int i = 0; i < e->ranks * e->ranks; i++) {
        expect_block(e, i / e->ranks, i % e->ranks);
    }
    return e;
}

static void side_fini(struct side *side)
{
    strata_type_fini(&side->type);
    free(side->types);
    free(side->bytes);
    free(side->counts);
    free(side->displs);
    free(side->memory);
    free(side->expected);
}

void exchange_destroy(struct exchange *e)
{
    for (int rank = 0; rank < e->ranks; rank++) {
        side_fini(&e->send[rank]);
        side_fini(&e->recv[rank]);
    }
    free(e->send);
    free(e->recv);
    free(e->bytes);
    free(e->in_place);
    free(e);
}

static bool intact(const struct side *side)
{
    return memcmp(side->memory, side->expected, side->size) == 0;
}

int exchange_wrong(const struct exchange *e)
{
    for (int rank = 0; rank < e->ranks; rank++) {
        if (!intact(&e->send[rank]) || !intact(&e->recv[rank])) {
            return rank;
        }
    }
    return -1;
}
