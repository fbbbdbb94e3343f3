/* Flattened datatypes against MPI_Pack: random nested derived types, predefined types, and types
 * that must be probed or packed as a whole.
 *
 * run: 1
 * timeout: 300 */
#include <stdlib.h>
#include <string.h>

#include "api/life/life.h"
#include "api/process/process.h"
#include "api/types/datatype.h"
#include "api/types/flatten.h"
#include "core/base/memory.h"
#include "tests/mpi/require.h"
#include "tests/mpis.h"
#include "tests/random.h"

#define TYPES    4000
#define ELEMENTS 3
#define FILLER   0xa5

static struct random r = {20240817};

/* MPI_Pack cannot be the reference for every type. With parts without any data both MPIs (Open MPI
 * 4.1, MPICH 4.0) read elsewhere or divide by zero. So only single blocks are empty here. MPICH
 * fails on these too, and on extents that are not positive. */
static bool mpich;

/* Open MPI 5.0 packs complex numbers wrongly whose distance is no multiple of their size, so with
 * it no type here has any. */
static bool packs_complex = true;

static void try_complex(void)
{
    enum { DISTANCE = 3 }; /* in halves of a number */
    const double from[] = {1, 2, 3, 4, 5};
    double packed[4] = {0};
    int at = 0;
    MPI_Datatype type;
    MPI_Type_create_hvector(2, 1, DISTANCE * (MPI_Aint)sizeof from[0], MPI_C_DOUBLE_COMPLEX, &type);
    MPI_Type_commit(&type);
    MPI_Pack(from, 1, type, packed, sizeof packed, &at, MPI_COMM_WORLD);
    MPI_Type_free(&type);
    packs_complex = packed[2] == from[DISTANCE] && packed[3] == from[DISTANCE + 1];
    if (!packs_complex) {
        printf(
            "without complex numbers: this MPI packs (4, 5), 24 bytes after (1, 2), as (%g, %g)\n",
            packed[2], packed[3]);
    }
}

static MPI_Datatype named_type(void)
{
    const MPI_Datatype types[] = {MPI_CHAR,  MPI_SHORT,      MPI_INT,       MPI_DOUBLE,
                                  MPI_FLOAT, MPI_DOUBLE_INT, MPI_SHORT_INT, MPI_LONG_INT,
                                  MPI_BYTE,  MPI_2INT,       MPI_INT64_T,   MPI_C_DOUBLE_COMPLEX};
    return types[random_below(&r, (int)(sizeof types / sizeof types[0]) - !packs_complex)];
}

/* Arguments of a constructor: at most 4 blocks, which may overlap in memory, because they are only
 * sent. */
struct arguments {
    MPI_Datatype old, other;
    int count, length, stride;
    int lengths[4], displs[4];
    MPI_Aint bytes[4];
    MPI_Datatype types[4];
};

/* Open MPI takes a stride of -1 byte for "not given", so no test has it. */
static int stride_between(int least, int most)
{
    int stride = random_between(&r, least, most);
    return stride == -1 ? most : stride;
}

static void draw(struct arguments *a)
{
    a->count = random_between(&r, 1, 4);
    a->length = random_between(&r, 1, 3);
    a->stride = stride_between(-4, 6);
    for (int i = 0; i < 4; i++) {
        a->lengths[i] = random_between(&r, i == 0 || mpich, 3);
        a->displs[i] = random_between(&r, -5, 9);
        a->bytes[i] = stride_between(-70, 150);
        a->types[i] = random_one_in(&r, 2) ? a->old : a->other;
    }
}

static void make_contiguous(struct arguments *a, MPI_Datatype *type)
{
    MPI_Type_contiguous(a->count, a->old, type);
}

static void make_vector(struct arguments *a, MPI_Datatype *type)
{
    MPI_Type_vector(a->count, a->length, a->stride, a->old, type);
}

static void make_hvector(struct arguments *a, MPI_Datatype *type)
{
    MPI_Type_create_hvector(a->count, a->length, a->bytes[0], a->old, type);
}

static void make_indexed(struct arguments *a, MPI_Datatype *type)
{
    MPI_Type_indexed(a->count, a->lengths, a->displs, a->old, type);
}

static void make_hindexed(struct arguments *a, MPI_Datatype *type)
{
    MPI_Type_create_hindexed(a->count, a->lengths, a->bytes, a->old, type);
}

static void make_indexed_block(struct arguments *a, MPI_Datatype *type)
{
    MPI_Type_create_indexed_block(a->count, a->length, a->displs, a->old, type);
}

static void make_hindexed_block(struct arguments *a, MPI_Datatype *type)
{
    MPI_Type_create_hindexed_block(a->count, a->length, a->bytes, a->old, type);
}

static void make_struct(struct arguments *a, MPI_Datatype *type)
{
    for (int i = 0; i < 4; i++) {
        a->lengths[i] += a->lengths[i] == 0;
    }
    MPI_Type_create_struct(a->count, a->lengths, a->bytes, a->types, type);
}

static void make_dup(struct arguments *a, MPI_Datatype *type)
{
    MPI_Type_dup(a->old, type);
}

static void make_resized(struct arguments *a, MPI_Datatype *type)
{
    MPI_Aint extent = mpich ? labs(a->bytes[1]) + 1 : a->bytes[1];
    MPI_Type_create_resized(a->old, a->bytes[0], extent, type);
}

static void make_subarray(struct arguments *a, MPI_Datatype *type)
{
    int dims = random_between(&r, 1, 3);
    int sizes[3], subsizes[3], starts[3];
    for (int d = 0; d < dims; d++) {
        sizes[d] = random_between(&r, 1, 5);
        subsizes[d] = random_between(&r, 1, sizes[d]);
        starts[d] = random_between(&r, 0, sizes[d] - subsizes[d]);
    }
    MPI_Type_create_subarray(dims, sizes, subsizes, starts,
                             random_one_in(&r, 2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN, a->old, type);
}

/* Makes a darray of a plain type: Open MPI refuses empty types and types with negative extents
 * here. */
static void make_darray(struct arguments *a, MPI_Datatype *type)
{
    const MPI_Datatype old = a->stride > 0 ? MPI_INT : MPI_DOUBLE_INT;
    int sizes[2] = {random_between(&r, 4, 7), random_between(&r, 4, 7)};
    int kinds[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC};
    int arguments[2] = {MPI_DISTRIBUTE_DFLT_DARG, random_between(&r, 1, 2)};
    int processes[2] = {2, 2};
    MPI_Type_create_darray(4, random_below(&r, 4), 2, sizes, kinds, arguments, processes,
                           MPI_ORDER_C, old, type);
}

typedef void maker(struct arguments *a, MPI_Datatype *type);

static maker *const makers[] = {
    make_contiguous,     make_vector, make_hvector, make_indexed, make_hindexed, make_indexed_block,
    make_hindexed_block, make_struct, make_dup,     make_resized, make_subarray, make_darray};

/* A type within `most` bytes around its origin, so that it fits in a test buffer. */
static MPI_Datatype random_type(int depth, MPI_Aint most)
{
    struct arguments a;
    MPI_Datatype type;
    MPI_Aint lower_bound, extent;
    if (depth == 0) {
        type = named_type();
        MPI_Type_dup(type, &type);
        return type;
    }
    a.old = random_type(depth - 1, most);
    a.other = random_type(random_below(&r, depth), most);
    draw(&a);
    makers[random_below(&r, (int)(sizeof makers / sizeof makers[0]))](&a, &type);
    MPI_Type_get_extent(type, &lower_bound, &extent);
    if (labs(lower_bound) > most || labs(extent) > most) {
        MPI_Type_free(&type);
        MPI_Type_dup(a.old, &type);
    }
    MPI_Type_free(&a.old);
    MPI_Type_free(&a.other);
    return type;
}

/* The bounds in memory of ELEMENTS elements. */
static void bounds(MPI_Datatype type, MPI_Aint *low, MPI_Aint *high)
{
    MPI_Aint true_low, true_extent, lower_bound, extent;
    MPI_Type_get_true_extent(type, &true_low, &true_extent);
    MPI_Type_get_extent(type, &lower_bound, &extent);
    MPI_Aint last = (ELEMENTS - 1) * extent;
    *low = true_low + (last < 0 ? last : 0);
    *high = true_low + true_extent + (last > 0 ? last : 0);
}

/* Compares MPI_Pack's bytes of random memory with the bytes by our map. */
static void compare_pack(MPI_Datatype type, const struct strata_type *flat, unsigned char *origin,
                         unsigned char *packed, int bytes)
{
    unsigned char *ours = malloc((size_t)bytes + 1);
    struct strata_layout layout = {.base = origin, .type = flat, .count = ELEMENTS};
    int at = 0;
    REQUIRE(ours);
    MPI_Pack(origin, ELEMENTS, type, packed, bytes, &at, MPI_COMM_WORLD);
    REQUIRE_CMP(at, ==, bytes);
    strata_layout_pack(&layout, 0, 0, (size_t)bytes, ours);
    REQUIRE_BYTES(ours, packed, (size_t)bytes);
    free(ours);
}

static bool overlaps(const struct strata_type *flat, MPI_Aint low, size_t room)
{
    unsigned char *seen = calloc(room + 1, 1);
    bool twice = false;
    REQUIRE(seen);
    for (int e = 0; e < ELEMENTS; e++) {
        for (size_t i = 0; i < flat->npieces; i++) {
            for (size_t b = 0; b < flat->pieces[i].length; b++) {
                ptrdiff_t at = e * flat->extent + flat->pieces[i].offset + (ptrdiff_t)b - low;
                twice = twice || seen[at]++;
            }
        }
    }
    free(seen);
    return twice;
}

/* Unpacking gives the same memory, gaps included, unless entries overlap. */
static void compare_unpack(MPI_Datatype type, const struct strata_type *flat, unsigned char *packed,
                           int bytes, MPI_Aint low, size_t room)
{
    unsigned char *theirs = malloc(room + 1);
    unsigned char *ours = malloc(room + 1);
    REQUIRE(theirs);
    REQUIRE(ours);
    struct strata_layout layout = {.base = ours - low, .type = flat, .count = ELEMENTS};
    int at = 0;
    memset(theirs, FILLER, room);
    memset(ours, FILLER, room);
    MPI_Unpack(packed, bytes, &at, theirs - low, ELEMENTS, type, MPI_COMM_WORLD);
    strata_layout_unpack(&layout, 0, 0, (size_t)bytes, packed);
    REQUIRE_BYTES(ours, theirs, room);
    free(theirs);
    free(ours);
}

static void compare(MPI_Datatype type, const struct strata_type *flat)
{
    MPI_Aint low, high, lower_bound, extent;
    int size;
    MPI_Type_size(type, &size);
    MPI_Type_get_extent(type, &lower_bound, &extent);
    bounds(type, &low, &high);
    REQUIRE_CMP(flat->size, ==, (size_t)size);
    REQUIRE(flat->npieces == 0 || flat->extent == extent);
    if (size == 0) {
        return;
    }
    size_t room = (size_t)(high - low);
    unsigned char *memory = malloc(room);
    unsigned char *packed = malloc((size_t)(ELEMENTS * size));
    REQUIRE(memory);
    REQUIRE(packed);
    for (size_t i = 0; i < room; i++) {
        memory[i] = (unsigned char)random_next(&r);
    }
    compare_pack(type, flat, memory - low, packed, ELEMENTS * size);
    if (!overlaps(flat, low, room)) {
        compare_unpack(type, flat, packed, ELEMENTS * size, low, room);
    }
    free(memory);
    free(packed);
}

/* Flattens by taking apart and by probing. */
static void test_both_ways(MPI_Datatype type)
{
    struct strata_map map[2] = {{NULL, 0, 0}, {NULL, 0, 0}};
    MPI_Aint lower_bound, extent;
    int size;
    MPI_Type_size(type, &size);
    MPI_Type_get_extent(type, &lower_bound, &extent);
    REQUIRE_CMP(strata_flatten(type, MPI_COMM_WORLD, &map[0]), ==, STRATA_OK);
    REQUIRE(size == 0 || strata_probe(type, MPI_COMM_WORLD, &map[1]) == STRATA_OK);
    for (int i = 0; i < 2; i++) {
        struct strata_type flat;
        REQUIRE_CMP(strata_type_init(&flat, map[i].items, map[i].used, extent), ==, STRATA_OK);
        compare(type, &flat);
        strata_type_fini(&flat);
        strata_map_free(&map[i]);
    }
}

static void test_kept(MPI_Datatype type)
{
    const struct strata_datatype *first, *again;
    succeed(strata_datatype_find(strata_process(), type, MPI_COMM_SELF, &first));
    succeed(strata_datatype_find(strata_process(), type, MPI_COMM_SELF, &again));
    REQUIRE_CMP(first, ==, again);
    REQUIRE(!first->packed);
    compare(type, &first->flat);
}

static void test_random(void)
{
    for (int i = 0; i < TYPES; i++) {
        MPI_Datatype type = random_type(random_between(&r, 0, 4), 3000);
        MPI_Type_commit(&type);
        test_both_ways(type);
        test_kept(type);
        MPI_Type_free(&type);
    }
    REQUIRE(!strata_process()->datatypes); /* the last type took its entry along */
}

static void test_named(void)
{
    const MPI_Datatype types[] = {MPI_INT,      MPI_DOUBLE, MPI_DOUBLE_INT, MPI_LONG_DOUBLE_INT,
                                  MPI_C_BOOL,   MPI_PACKED, MPI_BYTE,       MPI_LONG_DOUBLE,
                                  MPI_SHORT_INT};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        test_kept(types[i]);
        REQUIRE(strata_datatype_is_named(types[i]));
    }
}

/* A long vector is one piece where its blocks touch, and its length takes no time. */
static void test_merged(void)
{
    MPI_Datatype type;
    struct strata_map map = {NULL, 0, 0};
    MPI_Type_contiguous(1 << 30, MPI_BYTE, &type);
    REQUIRE_CMP(strata_flatten(type, MPI_COMM_WORLD, &map), ==, STRATA_OK);
    REQUIRE_CMP(map.used, ==, 1);
    REQUIRE_CMP(map.items[0].length, ==, 1u << 30);
    strata_map_free(&map);
    MPI_Type_free(&type);
}

/* A type of more pieces than a map may have is packed as a whole. */
static void test_too_many(void)
{
    MPI_Datatype type;
    const struct strata_datatype *found;
    MPI_Type_vector((int)STRATA_MOST_PIECES + 1, 1, 2, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    succeed(strata_datatype_find(strata_process(), type, MPI_COMM_SELF, &found));
    REQUIRE(found->packed);
    REQUIRE(found->flat.contiguous);
    REQUIRE_CMP(found->flat.size, ==, STRATA_MOST_PIECES + 1);
    MPI_Type_free(&type);
}

static void test_not_committed(void)
{
    MPI_Datatype type;
    const struct strata_datatype *found;
    int class;
    MPI_Type_vector(2, 1, 2, MPI_INT, &type);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    int error = strata_datatype_find(strata_process(), type, MPI_COMM_SELF, &found);
    REQUIRE_CMP(error, !=, MPI_SUCCESS);
    MPI_Error_class(error, &class);
    REQUIRE_CMP(class, ==, MPI_ERR_TYPE);
    MPI_Type_commit(&type);
    succeed(strata_datatype_find(strata_process(), type, MPI_COMM_SELF, &found));
    MPI_Type_free(&type);
}

/* Each allocation fails once. That gives an error or the packed form, never a wrong map and never a
 * leak. */
static void test_memory(void)
{
    int sizes[2] = {4, 5}, subsizes[2] = {2, 3}, starts[2] = {1, 1};
    MPI_Datatype inner, type;
    MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_DOUBLE_INT, &inner);
    MPI_Type_vector(3, 2, 3, inner, &type);
    MPI_Type_commit(&type);
    bool failed = true;
    for (long k = 1; failed; k++) {
        const struct strata_datatype *found;
        strata_memory_fail_after(k);
        int error = strata_datatype_find(strata_process(), type, MPI_COMM_SELF, &found);
        strata_memory_fail_after(-1);
        failed = error != MPI_SUCCESS || found->packed;
        REQUIRE(error == MPI_SUCCESS || error == MPI_ERR_NO_MEM);
        REQUIRE_CMP(k, <, 1000);
        if (error == MPI_SUCCESS) {
            MPI_Type_free(&type);
            MPI_Type_vector(3, 2, 3, inner, &type);
            MPI_Type_commit(&type);
        }
    }
    MPI_Type_free(&type);
    MPI_Type_free(&inner);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    mpich = is_mpich();
    REQUIRE(strata_process());
    try_complex();
    test_random();
    test_named();
    test_merged();
    test_too_many();
    test_not_committed();
    test_memory();
    printf("%d random types agree with MPI_Pack\n", TYPES);
    MPI_Finalize();
    return 0;
}
