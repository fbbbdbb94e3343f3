#include "tests/sim/collective.h"

#include <assert.h>
#include <stdlib.h>

enum { MARGIN = 32 };

static void *zeroed(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    assert(memory);
    return memory;
}

static const struct strata_collective_info *info_of(const struct collective_call *c)
{
    return &strata_collective_info[c->shape.collective];
}

static bool reduces(const struct collective_call *c)
{
    return strata_collective_reduces(c->shape.collective);
}

/* The contents of blocks. */

/* Byte `at` of block b of a rank's input. */
static unsigned char input_byte(int rank, int block, int at)
{
    return (unsigned char)random_mix((uint64_t)rank << 40 ^ (uint64_t)block << 20 ^ (uint64_t)at);
}

static void multiply(const uint32_t *a, const uint32_t *b, uint32_t *product)
{
    for (int row = 0; row < 2; row++) {
        for (int column = 0; column < 2; column++) {
            product[2 * row + column] = a[2 * row] * b[column] + a[2 * row + 1] * b[2 + column];
        }
    }
}

/* into := from o into, for packed operands. */
static void combine_packed(bool commutative, const unsigned char *from, unsigned char *into,
                           int bytes)
{
    for (int at = 0; at < bytes; at += OPERAND) {
        uint32_t a[4], b[4], result[4];
        memcpy(a, from + at, OPERAND);
        memcpy(b, into + at, OPERAND);
        if (commutative) {
            for (int i = 0; i < 4; i++) {
                result[i] = a[i] + b[i];
            }
        } else {
            multiply(a, b, result);
        }
        memcpy(into + at, result, OPERAND);
    }
}

/* The same for operands in their layouts. */
static int combine(const struct strata_operator *op, const void *from, void *into, size_t elements)
{
    const struct collective_call *c = op->self;
    struct strata_layout a = {.base = (unsigned char *)(uintptr_t)from, .type = &c->operand};
    struct strata_layout b = {.base = into, .type = &c->operand};
    size_t bytes = elements * OPERAND;
    unsigned char *packed = zeroed(2, bytes);
    a.count = b.count = elements;
    strata_layout_pack(&a, 0, 0, bytes, packed);
    strata_layout_pack(&b, 0, 0, bytes, packed + bytes);
    combine_packed(c->shape.commutative, packed, packed + bytes, (int)bytes);
    strata_layout_unpack(&b, 0, 0, bytes, packed + bytes);
    free(packed);
    return STRATA_OK;
}

static void fill_block(int rank, int block, unsigned char *data, int bytes)
{
    for (int at = 0; at < bytes; at++) {
        data[at] = input_byte(rank, block, at);
    }
}

/* The combination of block b over ranks 0 .. last. */
static void reduce_block(const struct collective_call *c, int last, int block, unsigned char *data,
                         int bytes)
{
    fill_block(last, block, data, bytes);
    unsigned char *other = zeroed((size_t)bytes, 1);
    for (int rank = last - 1; rank >= 0; rank--) {
        fill_block(rank, block, other, bytes);
        combine_packed(c->shape.commutative, other, data, bytes);
    }
    free(other);
}

/* The expected output block of a rank. Returns false where it is not defined and must stay as
 * before. */
static bool expect_block(const struct collective_call *c, int rank, int block, unsigned char *data,
                         int bytes)
{
    int ranks = c->shape.ranks;
    switch (info_of(c)->result) {
    case STRATA_REDUCED:
        reduce_block(c, ranks - 1, block, data, bytes);
        return true;
    case STRATA_UP_TO_ME:
        reduce_block(c, rank, block, data, bytes);
        return true;
    case STRATA_BEFORE_ME:
        if (rank > 0) {
            reduce_block(c, rank - 1, block, data, bytes);
        }
        return rank > 0;
    default:
        if (strata_collective_transposes(c->shape.collective)) {
            fill_block(block, rank, data, bytes);
        } else if (info_of(c)->root == 'i') {
            fill_block(c->shape.root, block, data, bytes);
        } else {
            fill_block(block, block, data, bytes);
        }
        return true;
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

/* Elements of `size` bytes without overlap. With `bulky` they may have gaps; with `backwards` each
 * may begin before the previous one. */
static void make_type(struct random *r, struct strata_type *type, int size, bool bulky,
                      bool backwards)
{
    struct strata_piece pieces[RANDOM_PIECES] = {{0, (size_t)size}};
    ptrdiff_t low = 0, high = size;
    size_t npieces = 1;
    if (bulky && !random_one_in(r, 2)) {
        npieces = random_pieces(r, size, pieces, &low, &high);
        high += random_one_in(r, 2) ? 0 : random_below(r, 9);
    }
    ptrdiff_t extent = backwards && random_one_in(r, 4) ? low - high : high - low;
    int status = strata_type_init(type, pieces, npieces, extent);
    assert(status == STRATA_OK);
    (void)status;
}

/* The number of a part's i-th block. */
static int number_of(const struct collective_call *c, const struct part *p, int rank, int i)
{
    bool one_of_many = p->blocks == 1 && info_of(c)->ranked;
    return one_of_many ? rank : i;
}

static int bytes_of(const struct collective_call *c, int block)
{
    bool alike = !info_of(c)->ranked || strata_collective_transposes(c->shape.collective);
    return c->bytes[alike ? 0 : block];
}

static void lay_out(struct random *r, const struct collective_call *c, struct part *p, int rank,
                    bool cut)
{
    bool varying = info_of(c)->varying && p->blocks > 1;
    int at = 0;
    for (int i = 0; i < p->blocks; i++) {
        int elements = bytes_of(c, number_of(c, p, rank, i)) / (int)p->type.size;
        p->counts[i] = elements;
        p->displs[i] = at;
        at += elements + (varying && random_one_in(r, 3) ? random_below(r, 3) : 0);
    }
    ptrdiff_t span = at * p->type.extent;
    size_t lead = 64 + (size_t)(span < 0 ? -span : 0);
    p->size = lead + (size_t)(span > 0 ? span : 0) + 256;
    p->memory = zeroed(p->size, 1);
    p->expected = zeroed(p->size, 1);
    for (size_t i = 0; i < p->size; i++) {
        p->memory[i] = (unsigned char)random_next(r);
    }
    p->layout = (struct strata_layout){.base = p->memory + lead, .type = &p->type};
    if (varying) {
        p->layout.counts = p->counts;
        p->layout.displs = p->displs;
    } else {
        p->layout.count = p->blocks > 0 ? (size_t)p->counts[0] : 0;
    }
    if (cut) {
        p->layout.segments = (size_t)c->shape.segments;
        p->layout.unit = reduces(c) ? p->type.size : 1;
    }
}

static int blocks_of(const struct collective_call *c, enum strata_held held)
{
    return held == STRATA_NONE ? 0 : held == STRATA_ONE || !info_of(c)->ranked ? 1 : c->shape.ranks;
}

/* A part's whole block, in its memory or in the expected memory. */
static struct strata_layout whole(const struct part *p, unsigned char *memory)
{
    struct strata_layout l = p->layout;
    l.segments = l.unit = 0;
    l.base = memory + (p->layout.base - p->memory);
    return l;
}

static void write_blocks(const struct collective_call *c, struct part *p, int rank)
{
    struct strata_layout l = whole(p, p->memory);
    for (int i = 0; i < p->blocks; i++) {
        int block = number_of(c, p, rank, i), bytes = bytes_of(c, block);
        unsigned char *data = zeroed((size_t)bytes, 1);
        fill_block(rank, block, data, bytes);
        strata_layout_unpack(&l, i, 0, (size_t)bytes, data);
        free(data);
    }
}

static void expect_blocks(const struct collective_call *c, struct part *p, int rank)
{
    struct strata_layout l = whole(p, p->expected);
    for (int i = 0; i < p->blocks; i++) {
        int block = number_of(c, p, rank, i), bytes = bytes_of(c, block);
        unsigned char *data = zeroed((size_t)bytes, 1);
        if (expect_block(c, rank, block, data, bytes)) {
            strata_layout_unpack(&l, i, 0, (size_t)bytes, data);
        }
        free(data);
    }
}

static void make_part(struct random *r, const struct collective_call *c, struct part *p, int rank,
                      enum strata_held kind, int unit)
{
    p->counts = zeroed((size_t)c->shape.ranks, sizeof *p->counts);
    p->displs = zeroed((size_t)c->shape.ranks, sizeof *p->displs);
    p->blocks = blocks_of(c, kind);
    if (reduces(c)) {
        struct strata_type *type = &p->type;
        int status =
            strata_type_init(type, c->operand.pieces, c->operand.npieces, c->operand.extent);
        assert(status == STRATA_OK);
        (void)status;
    } else {
        make_type(r, &p->type, random_divisor(r, unit), true, true);
    }
    lay_out(r, c, p, rank, !info_of(c)->ranked);
}

/* Puts the input into the output's memory: as this rank's block, or at the beginning. */
static void join(const struct collective_call *c, int rank)
{
    struct part *in = &c->input[rank], *out = &c->output[rank];
    if (c->shape.collective == STRATA_REDUCE_SCATTER ||
        c->shape.collective == STRATA_REDUCE_SCATTER_BLOCK) {
        out->layout = in->layout; /* the output is the first block of the input's memory */
        out->layout.counts = out->layout.displs = NULL;
        out->layout.count = (size_t)(bytes_of(c, rank) / OPERAND);
        return;
    }
    if (c->shape.collective == STRATA_SCATTER || c->shape.collective == STRATA_SCATTERV) {
        out->layout = in->layout;
        out->layout.base = strata_layout_at(&in->layout, rank);
        out->layout.counts = out->layout.displs = NULL;
        out->layout.count = strata_layout_elements(&in->layout, rank);
        return;
    }
    struct strata_layout one = out->layout;
    if (in->blocks == 1 && info_of(c)->ranked) {
        one.base = strata_layout_at(&out->layout, rank);
        one.count = strata_layout_elements(&out->layout, rank);
        one.counts = one.displs = NULL;
    }
    in->layout = one;
}

/* Whether this rank's call is in place: where MPI allows it, and always in a bcast. */
bool collective_in_place(const struct collective_call *c, int rank)
{
    bool at_root = rank == c->shape.root || !strata_collective_rooted(c->shape.collective);
    return c->shape.collective == STRATA_BCAST || (c->shape.in_place && at_root);
}

/* Whether the input's memory, not the output's, holds a call in place. */
static bool memory_is_input(const struct collective_call *c)
{
    return info_of(c)->output == STRATA_ONE;
}

static void fill_rank(struct random *r, struct collective_call *c, int rank, int unit)
{
    struct part *in = &c->input[rank], *out = &c->output[rank];
    enum strata_collective kind = c->shape.collective;
    enum strata_held has = strata_input_of(kind, rank, c->shape.root);
    enum strata_held gets = strata_output_of(kind, rank, c->shape.root);
    make_part(r, c, in, rank, has, unit);
    make_part(r, c, out, rank, gets, unit);
    if (collective_in_place(c, rank)) {
        struct part *memory = memory_is_input(c) ? in : out;
        join(c, rank);
        if (memory == out && has != STRATA_NONE) {
            struct part view = *out;
            view.blocks = in->blocks;
            view.layout = in->layout;
            write_blocks(c, &view, rank);
        } else if (memory == in) {
            write_blocks(c, in, rank);
        }
        memcpy(memory->expected, memory->memory, memory->size);
        struct part view = *memory;
        view.blocks = out->blocks;
        view.layout = out->layout;
        expect_blocks(c, &view, rank);
        return;
    }
    write_blocks(c, in, rank);
    memcpy(in->expected, in->memory, in->size);
    memcpy(out->expected, out->memory, out->size);
    expect_blocks(c, out, rank);
}

static void make_work(struct collective_call *c)
{
    static const struct strata_piece piece = {0, 1};
    int status = strata_type_init(&c->byte, &piece, 1, 1);
    assert(status == STRATA_OK);
    (void)status;
    c->work = (struct strata_layout){.type = reduces(c) ? &c->operand : &c->byte};
    int size = (int)c->work.type->size;
    if (info_of(c)->varying && !strata_collective_transposes(c->shape.collective)) {
        for (int i = 0; i < c->shape.ranks; i++) {
            c->work_counts[i] = c->bytes[i] / size;
        }
        c->work.counts = c->work_counts;
    } else {
        c->work.count = (size_t)(c->bytes[0] / size);
    }
    if (!info_of(c)->ranked) {
        c->work.segments = (size_t)c->shape.segments;
        c->work.unit = (size_t)size;
    }
}

static void draw_bytes(struct random *r, struct collective_call *c, int unit)
{
    int most = c->shape.most / unit;
    int same = random_one_in(r, 8) ? 0 : random_between(r, 0, most);
    for (int i = 0; i < c->shape.ranks; i++) {
        bool varies = info_of(c)->varying;
        c->bytes[i] = unit * (!varies               ? same
                              : random_one_in(r, 4) ? 0
                                                    : random_between(r, 0, most));
    }
}

struct collective_call *collective_create(struct random *r, const struct collective_shape *shape)
{
    struct collective_call *c = zeroed(1, sizeof *c);
    size_t ranks = (size_t)shape->ranks;
    c->shape = *shape;
    c->bytes = zeroed(ranks, sizeof *c->bytes);
    c->input = zeroed(ranks, sizeof *c->input);
    c->output = zeroed(ranks, sizeof *c->output);
    c->work_counts = zeroed(ranks, sizeof *c->work_counts);
    c->op = (struct strata_operator){.combine = combine, .self = c};
    make_type(r, &c->operand, OPERAND, shape->bulky, false);
    int unit = reduces(c) ? OPERAND : random_between(r, 1, 12);
    draw_bytes(r, c, unit);
    for (int rank = 0; rank < shape->ranks; rank++) {
        fill_rank(r, c, rank, unit);
    }
    make_work(c);
    return c;
}

static void free_part(struct part *p)
{
    strata_type_fini(&p->type);
    free(p->counts);
    free(p->displs);
    free(p->memory);
    free(p->expected);
}

void collective_destroy(struct collective_call *c)
{
    for (int rank = 0; rank < c->shape.ranks; rank++) {
        free_part(&c->input[rank]);
        free_part(&c->output[rank]);
    }
    strata_type_fini(&c->operand);
    strata_type_fini(&c->byte);
    free(c->bytes);
    free(c->work_counts);
    free(c->input);
    free(c->output);
    free(c);
}

static bool is_wrong(const struct part *p)
{
    return memcmp(p->memory, p->expected, p->size) != 0;
}

/* A call in place uses one of the two memories only. */
int collective_wrong(const struct collective_call *c)
{
    for (int rank = 0; rank < c->shape.ranks; rank++) {
        bool joined = collective_in_place(c, rank), in = memory_is_input(c);
        if (((!joined || in) && is_wrong(&c->input[rank])) ||
            ((!joined || !in) && is_wrong(&c->output[rank]))) {
            return rank;
        }
    }
    return -1;
}
