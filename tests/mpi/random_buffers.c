#include "tests/mpi/random_buffers.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "include/strata.h"
#include "tests/mpi/require.h"

#define PATTERN 0xA5
#define MARGIN  64

/* Memory of strata_alloc for some buffers; empty again when the last of them is destroyed. */
static struct {
    unsigned char *memory;
    size_t bytes, used;
    unsigned buffers, asked;
} pool;

static MPI_Datatype long_base = MPI_DATATYPE_NULL; /* made at the first request */

/* Whether this rank has a pool. One rank in four has none, in turn. */
static bool has_pool(void)
{
    static uint64_t pools;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct random r = {random_mix(++pools + 1000 * (uint64_t)rank)};
    return !random_one_in(&r, 4);
}

void buffers_map(size_t bytes)
{
    bytes = has_pool() ? bytes : 0;
    succeed(strata_alloc((MPI_Aint)bytes, MPI_COMM_WORLD, &pool.memory));
    pool.bytes = bytes;
}

void buffers_unmap(void)
{
    REQUIRE_CMP(pool.buffers, ==, 0);
    succeed(strata_free(pool.memory));
    pool.bytes = 0;
    if (long_base != MPI_DATATYPE_NULL) {
        MPI_Type_free(&long_base);
    }
}

/* Two of three buffers come from the pool, while it has room. */
static unsigned char *obtain(size_t bytes)
{
    size_t whole = (bytes / 64 + 1) * 64;
    if (pool.asked++ % 3 == 0 || whole > pool.bytes - pool.used) {
        unsigned char *memory = malloc(bytes);
        REQUIRE(memory);
        return memory;
    }
    unsigned char *memory = pool.memory + pool.used;
    pool.used += whole;
    pool.buffers++;
    return memory;
}

static MPI_Datatype indexed(struct random *r, MPI_Datatype base, int elements)
{
    int lengths[16], displs[16], at = random_between(r, -5, 5);
    for (int i = 0; i < elements; i++) {
        lengths[i] = 1;
        at += random_below(r, 3);
        displs[i] = at++;
    }
    random_shuffle(r, displs, random_one_in(r, 2) ? elements : 0);
    MPI_Datatype type;
    MPI_Type_indexed(elements, lengths, displs, base, &type);
    return type;
}

static MPI_Datatype strided(struct random *r, MPI_Datatype base, int elements)
{
    MPI_Datatype type;
    MPI_Type_vector(elements, 1, random_between(r, 1, 3), base, &type);
    return type;
}

static MPI_Datatype contiguous(struct random *r, MPI_Datatype base, int elements)
{
    (void)r;
    MPI_Datatype type;
    MPI_Type_contiguous(elements, base, &type);
    return type;
}

static MPI_Datatype resized(struct random *r, MPI_Datatype base, int elements)
{
    MPI_Datatype inner = indexed(r, base, elements), type;
    MPI_Aint lower, extent;
    MPI_Type_get_true_extent(inner, &lower, &extent);
    int before = random_below(r, 9), after = random_below(r, 9);
    MPI_Type_create_resized(inner, lower - before, extent + before + after, &type);
    MPI_Type_free(&inner);
    return type;
}

static MPI_Datatype structure(struct random *r, MPI_Datatype base, int elements)
{
    int first = random_between(r, 0, elements), lengths[2] = {first, elements - first}, size;
    MPI_Type_size(base, &size);
    MPI_Aint displs[2] = {(MPI_Aint)size * (elements + random_below(r, 4)), 0};
    MPI_Datatype types[2] = {base, base}, type;
    MPI_Type_create_struct(2, lengths, displs, types, &type);
    return type;
}

MPI_Datatype random_long_base(void)
{
    if (long_base == MPI_DATATYPE_NULL) {
        MPI_Type_contiguous(4100, MPI_INT, &long_base);
        MPI_Type_commit(&long_base);
    }
    return long_base;
}

MPI_Datatype random_datatype(struct random *r, MPI_Datatype base, int elements)
{
    static MPI_Datatype (*const make[])(struct random *, MPI_Datatype, int) = {
        contiguous, contiguous, strided, indexed, resized, structure};
    MPI_Datatype type = make[random_below(r, 6)](r, base, elements);
    MPI_Type_commit(&type);
    return type;
}

static void place(struct buffer *b, struct random *r, bool uniform)
{
    int order[MOST_RANKS], at = uniform ? 0 : random_between(r, -20, 20);
    for (int i = 0; i < b->ranks; i++) {
        order[i] = i;
    }
    random_shuffle(r, order, uniform ? 0 : b->ranks);
    for (int i = 0; i < b->ranks; i++) {
        at += uniform ? 0 : random_below(r, 3);
        b->displs[order[i]] = at;
        at += b->counts[order[i]];
    }
}

/* Allocates from the lowest byte of any block to the highest. */
static void allocate(struct buffer *b)
{
    MPI_Aint lower, extent, true_lower, true_extent, low = 0, high = 0;
    MPI_Type_get_extent(b->type, &lower, &extent);
    MPI_Type_get_true_extent(b->type, &true_lower, &true_extent);
    for (int i = 0; i < b->ranks; i++) {
        MPI_Aint first = b->displs[i] * extent + true_lower;
        MPI_Aint last = first + b->counts[i] * extent + true_extent;
        low = first < low ? first : low;
        high = last > high ? last : high;
    }
    b->bytes = (size_t)(high - low) + 2 * MARGIN;
    b->memory = obtain(b->bytes);
    memset(b->memory, PATTERN, b->bytes);
    b->base = b->memory + MARGIN - low;
}

void buffer_create(struct buffer *b, struct random *r, bool uniform)
{
    place(b, r, uniform);
    allocate(b);
}

void buffer_destroy(struct buffer *b)
{
    if ((uintptr_t)b->memory - (uintptr_t)pool.memory >= pool.bytes) {
        free(b->memory);
    } else if (--pool.buffers == 0) {
        pool.used = 0;
    }
}

void buffer_put_stream(struct buffer *b, int block, uint64_t seed, int source, int destination)
{
    int size, position = 0;
    MPI_Aint lower, extent;
    MPI_Type_size(b->type, &size);
    MPI_Type_get_extent(b->type, &lower, &extent);
    int bytes = size * b->counts[block];
    unsigned char *stream = malloc((size_t)bytes + 1);
    REQUIRE(stream);
    struct random r = {seed + (uint64_t)source * 1000003u + (uint64_t)destination * 7919u};
    for (int i = 0; i < bytes; i++) {
        stream[i] = (unsigned char)random_next(&r);
    }
    if (bytes > 0) {
        PMPI_Unpack(stream, bytes, &position, b->base + b->displs[block] * extent, b->counts[block],
                    b->type, MPI_COMM_WORLD);
    }
    free(stream);
}

void buffer_copy(struct buffer *to, const struct buffer *from)
{
    *to = *from;
    to->memory = obtain(from->bytes);
    memcpy(to->memory, from->memory, from->bytes);
    to->base = to->memory + (from->base - from->memory);
}

bool buffer_equal(const struct buffer *a, const struct buffer *b)
{
    return a->bytes == b->bytes && memcmp(a->memory, b->memory, a->bytes) == 0;
}
