/* Every reduction with each of its algorithms: predefined operators on integers, whole doubles and
 * pairs, and a product of matrices that does not commute, over datatypes with gaps and with bytes
 * before their origin; half of the calls with large counts. MPI_Reduce_local combines the expected
 * result here, rank by rank. One call in 20 is also made with MPI's own. Algorithms that change the
 * operands' order must give way where the order counts. MPI's own reduce is made beside requests,
 * too.
 *
 * run: 1,3,4
 * run: 3 STRATA_TOPO=node:2 -- --calls 2
 * run: 7 STRATA_TOPO=node:3 -- --calls 2
 * run: 6 STRATA_TOPO=node:2 STRATA_CHECK=1 STRATA_TORUS=2x3 -- --calls 2
 * run: 8 "STRATA_TOPO=node:4:cyclic numa:2" STRATA_BUDGET=64K STRATA_TORUS=2x2x2 -- --calls 2
 * run: 9 STRATA_TOPO=node:3 STRATA_TORUS=3x3:mesh -- --calls 2
 * long: 2
 * long: 2 STRATA_TOPO=node:2 -- --calls 2
 * long: 5 STRATA_TOPO=node:3 -- --calls 2
 * timeout: 300
 */
#include <stdlib.h>
#include <string.h>

#include "include/strata.h"
#include "tests/mpi/forcing.h"
#include "tests/mpi/require.h"

#define MOST_RANKS 32
#define MARGIN     32 /* bytes around each buffer, more than a type reaches beyond its elements */
#define PATTERN    0xA5

/* A datatype, the place of its numbers, and the operators for it. */
struct kind {
    MPI_Datatype type;
    enum { INTS, DOUBLES, DOUBLE_INTS, SHORT_INTS, MATRICES } numbers;
    int origin; /* matrices: bytes from the element's origin to its first number */
    MPI_Op ops[4];
    int nops;
    bool gaps; /* MPI may write to the gaps */
};

static struct kind kinds[8];
static int nkinds;
static const struct kind *matrices; /* side by side; the other kinds of matrices follow */

/* The values of one call, which all ranks draw alike. */
struct call {
    enum strata_collective collective;
    MPI_Comm comm;
    int ranks, rank, root;
    uint64_t seed;
    bool in_place, large;
    const struct kind *kind;
    MPI_Op op;
    int counts[MOST_RANKS], total; /* of blocks; a vector is one block */
    MPI_Aint extent;
};

/* 2 x 2 matrices of unsigned, row by row: inout := in * inout. */
static void multiply(void *in, void *inout, int *count, MPI_Datatype *type)
{
    MPI_Aint lower, extent;
    int origin = 0;
    MPI_Type_get_extent(*type, &lower, &extent);
    for (int k = 0; k < nkinds; k++) {
        origin = kinds[k].type == *type ? kinds[k].origin : origin;
    }
    for (int i = 0; i < *count; i++) {
        unsigned a[4], b[4], c[4];
        memcpy(a, (char *)in + i * extent + origin, sizeof a);
        memcpy(b, (char *)inout + i * extent + origin, sizeof b);
        for (int j = 0; j < 4; j++) {
            c[j] = a[j / 2 * 2] * b[j % 2] + a[j / 2 * 2 + 1] * b[2 + j % 2];
        }
        memcpy((char *)inout + i * extent + origin, c, sizeof c);
    }
}

static MPI_Datatype matrix(int origin, int extent)
{
    int length = 4;
    MPI_Aint displacement = origin;
    MPI_Datatype numbers = MPI_UNSIGNED, inner, type;
    MPI_Type_create_struct(1, &length, &displacement, &numbers, &inner);
    MPI_Type_create_resized(inner, origin < 0 ? origin : 0, extent, &type);
    MPI_Type_free(&inner);
    MPI_Type_commit(&type);
    return type;
}

static MPI_Op product;

static void make_kinds(void)
{
    MPI_Op_create(multiply, 0, &product);
    kinds[nkinds++] =
        (struct kind){MPI_INT, INTS, 0, {MPI_SUM, MPI_MAX, MPI_BXOR, MPI_MIN}, 4, false};
    kinds[nkinds++] = (struct kind){MPI_DOUBLE, DOUBLES, 0, {MPI_SUM, MPI_MAX}, 2, false};
    kinds[nkinds++] =
        (struct kind){MPI_DOUBLE_INT, DOUBLE_INTS, 0, {MPI_MAXLOC, MPI_MINLOC}, 2, true};
    kinds[nkinds++] =
        (struct kind){MPI_SHORT_INT, SHORT_INTS, 0, {MPI_MAXLOC, MPI_MINLOC}, 2, true};
    matrices = &kinds[nkinds];
    static const int origins[] = {0, 8, -8}, extents[] = {16, 28, 24};
    for (int i = 0; i < 3; i++) {
        MPI_Datatype type = matrix(origins[i], extents[i]);
        kinds[nkinds++] = (struct kind){type, MATRICES, origins[i], {product}, 1, false};
    }
}

static void free_kinds(void)
{
    for (int i = 0; i < nkinds; i++) {
        if (kinds[i].numbers == MATRICES) {
            MPI_Type_free(&kinds[i].type);
        }
    }
    MPI_Op_free(&product);
}

static void draw_counts(struct call *c, struct random *r)
{
    const struct strata_collective_info *info = &strata_collective_info[c->collective];
    int most = random_one_in(r, 8) ? 2000 : random_one_in(r, 3) ? 100 : 6;
    int blocks = info->ranked ? c->ranks : 1;
    for (int i = 0; i < blocks; i++) {
        bool again = i > 0 && !info->varying;
        int count = random_one_in(r, 8) ? 0 : random_between(r, 0, most);
        c->counts[i] = again ? c->counts[0] : count;
        c->total += c->counts[i];
    }
}

static void draw(struct call *c, MPI_Comm comm, enum strata_collective collective, uint64_t seed,
                 bool plain)
{
    struct random r = {seed};
    MPI_Aint lower;
    *c = (struct call){.collective = collective, .comm = comm, .seed = random_next(&r)};
    MPI_Comm_size(comm, &c->ranks);
    MPI_Comm_rank(comm, &c->rank);
    c->root = collective == STRATA_REDUCE ? random_below(&r, c->ranks) : 0;
    c->in_place = random_one_in(&r, 4);
    if (plain && c->root != 0) { /* MPICH 4.0's own reduce crashes on long vectors */
        c->in_place = false;
    }
    c->kind = &kinds[random_below(&r, nkinds)];
    if (plain && c->kind->numbers == MATRICES) {
        c->kind = matrices;
    }
    c->op = c->kind->ops[random_below(&r, c->kind->nops)];
    draw_counts(c, &r);
    c->large = random_one_in(&r, 2);
    MPI_Type_get_extent(c->kind->type, &lower, &c->extent);
}

struct vector {
    unsigned char *memory, *base;
    size_t bytes;
};

static struct vector make_vector(const struct call *c)
{
    struct vector v = {.bytes = (size_t)c->total * (size_t)c->extent + 2 * MARGIN};
    v.memory = malloc(v.bytes);
    REQUIRE(v.memory);
    memset(v.memory, PATTERN, v.bytes);
    v.base = v.memory + MARGIN;
    return v;
}

static struct vector copy_of(const struct vector *from)
{
    struct vector v = {malloc(from->bytes), NULL, from->bytes};
    REQUIRE(v.memory);
    memcpy(v.memory, from->memory, v.bytes);
    v.base = v.memory + MARGIN;
    return v;
}

/* Draws numbers that are small enough for exact sums in a double. */
static void put_element(const struct kind *kind, unsigned char *at, struct random *r)
{
    const struct {
        double value;
        int index;
    } with_double = {random_between(r, -9, 9), random_below(r, 100)};
    const struct {
        short value;
        int index;
    } with_short = {(short)random_between(r, -9, 9), random_below(r, 100)};
    int number = random_between(r, -1000, 1000);
    double real = random_between(r, -1000, 1000);
    switch (kind->numbers) {
    case INTS:
        memcpy(at, &number, sizeof number);
        break;
    case DOUBLES:
        memcpy(at, &real, sizeof real);
        break;
    case DOUBLE_INTS:
        memcpy(at, &with_double.value, sizeof with_double.value);
        memcpy(at + offsetof(__typeof__(with_double), index), &with_double.index, sizeof(int));
        break;
    case SHORT_INTS:
        memcpy(at, &with_short.value, sizeof with_short.value);
        memcpy(at + offsetof(__typeof__(with_short), index), &with_short.index, sizeof(int));
        break;
    case MATRICES:
        for (int i = 0; i < 4; i++) {
            unsigned entry = (unsigned)random_next(r);
            memcpy(at + kind->origin + 4 * i, &entry, sizeof entry);
        }
        break;
    }
}

/* Fills in what a rank contributes. */
static void fill(const struct call *c, struct vector *v, int rank)
{
    struct random r = {random_mix(c->seed + 1000003u * (uint64_t)rank)};
    for (int i = 0; i < c->total; i++) {
        put_element(c->kind, v->base + i * c->extent, &r);
    }
}

/* The combined vectors of ranks first .. last, in a buffer with this rank's margins. */
static struct vector combine(const struct call *c, int first, int last)
{
    struct vector sum = make_vector(c), other = make_vector(c);
    fill(c, &sum, last);
    for (int rank = last - 1; rank >= first; rank--) {
        fill(c, &other, rank);
        MPI_Reduce_local(other.base, sum.base, c->total, c->kind->type, c->op);
    }
    free(other.memory);
    return sum;
}

#define EITHER(name, Name, ...)                                                                    \
    (!ours      ? PMPI_##Name(__VA_ARGS__)                                                         \
     : c->large ? strata_##name##_c(__VA_ARGS__)                                                   \
                : strata_##name(__VA_ARGS__))

static int exchange(const struct call *c, bool ours, void *send, struct vector *recv)
{
    MPI_Datatype type = c->kind->type;
    MPI_Count wide[MOST_RANKS];
    const void *counts = ours && c->large ? (const void *)wide : c->counts;
    for (int i = 0; i < MOST_RANKS; i++) {
        wide[i] = c->counts[i];
    }
    switch (c->collective) {
    case STRATA_REDUCE:
        return EITHER(reduce, Reduce, send, recv->base, c->total, type, c->op, c->root, c->comm);
    case STRATA_ALLREDUCE:
        return EITHER(allreduce, Allreduce, send, recv->base, c->total, type, c->op, c->comm);
    case STRATA_REDUCE_SCATTER:
        return EITHER(reduce_scatter, Reduce_scatter, send, recv->base, counts, type, c->op,
                      c->comm);
    case STRATA_REDUCE_SCATTER_BLOCK:
        return EITHER(reduce_scatter_block, Reduce_scatter_block, send, recv->base, c->counts[0],
                      type, c->op, c->comm);
    case STRATA_SCAN:
        return EITHER(scan, Scan, send, recv->base, c->total, type, c->op, c->comm);
    default:
        return EITHER(exscan, Exscan, send, recv->base, c->total, type, c->op, c->comm);
    }
}

/* Elements [*first, *first + count) of the combined vectors belong at the beginning of the
 * result. */
static int result_of(const struct call *c, int *first)
{
    *first = 0;
    switch (c->collective) {
    case STRATA_REDUCE:
        return c->rank == c->root ? c->total : 0;
    case STRATA_EXSCAN:
        return c->rank > 0 ? c->total : 0;
    case STRATA_REDUCE_SCATTER:
    case STRATA_REDUCE_SCATTER_BLOCK:
        for (int i = 0; i < c->rank; i++) {
            *first += c->counts[i];
        }
        return c->counts[c->rank];
    default:
        return c->total;
    }
}

static struct vector expected_of(const struct call *c)
{
    bool before = c->collective == STRATA_SCAN || c->collective == STRATA_EXSCAN;
    int last = c->collective == STRATA_EXSCAN ? c->rank - 1 : before ? c->rank : c->ranks - 1;
    return combine(c, 0, last < 0 ? 0 : last);
}

/* Compares the result element by element, as MPI packs it, and the other memory byte by byte. In
 * place a reduce_scatter may leave anything behind its result. */
static bool is_right(const struct call *c, const struct vector *got, const struct vector *before)
{
    struct vector expected = expected_of(c), clean = copy_of(got);
    int first, count = result_of(c, &first), size, at = 0;
    MPI_Type_size(c->kind->type, &size);
    size_t packed = (size_t)size * (size_t)count;
    unsigned char *mine = malloc(packed + 1), *theirs = malloc(packed + 1);
    REQUIRE(mine);
    REQUIRE(theirs);
    MPI_Pack(got->base, count, c->kind->type, mine, (int)packed, &at, c->comm);
    at = 0;
    MPI_Pack(expected.base + first * c->extent, count, c->kind->type, theirs, (int)packed, &at,
             c->comm);
    bool right = memcmp(mine, theirs, packed) == 0;
    bool leaves = c->in_place && strata_collective_info[c->collective].output == STRATA_ONE;
    size_t skipped = (size_t)(leaves ? c->total : c->kind->gaps ? count : 0) * (size_t)c->extent;
    int origin = c->kind->origin < 0 ? c->kind->origin : 0;
    memcpy(clean.base + origin, before->base + origin, skipped);
    if (!leaves) { /* gaps stay, and the packed elements return */
        at = 0;
        struct vector old = copy_of(before);
        unsigned char *was = malloc(packed + 1);
        REQUIRE(was);
        MPI_Pack(old.base, count, c->kind->type, was, (int)packed, &at, c->comm);
        at = 0;
        MPI_Unpack(was, (int)packed, &at, clean.base, count, c->kind->type, c->comm);
        free(was);
        free(old.memory);
    }
    right = right && memcmp(clean.memory, before->memory, clean.bytes) == 0;
    free(mine);
    free(theirs);
    free(expected.memory);
    free(clean.memory);
    return right;
}

static void complain(const struct call *c)
{
    struct strata_report report = {.size = sizeof report};
    strata_comm_report(c->comm, &report);
    fprintf(stderr, "%s of %d elements, kind %d, on %d ranks, root %d, %sin place, served by %s\n",
            strata_collective_name(c->collective), c->total, (int)(c->kind - kinds), c->ranks,
            c->root, c->in_place ? "" : "not ", report.algorithm);
}

static void one_call(MPI_Comm comm, enum strata_collective collective, uint64_t seed, bool plain)
{
    struct call c;
    draw(&c, comm, collective, seed, plain);
    bool in_place = c.in_place && (collective != STRATA_REDUCE || c.rank == c.root);
    struct vector send = make_vector(&c), recv = make_vector(&c);
    fill(&c, &send, c.rank);
    if (in_place) {
        fill(&c, &recv, c.rank);
    }
    struct vector sent = copy_of(&send), before = copy_of(&recv), theirs = copy_of(&recv);
    void *from = in_place ? MPI_IN_PLACE : (void *)send.base;
    bool right = exchange(&c, true, from, &recv) == MPI_SUCCESS && is_right(&c, &recv, &before) &&
                 memcmp(send.memory, sent.memory, send.bytes) == 0;
    if (plain && c.seed % 20 == 0) {
        right = right && exchange(&c, false, from, &theirs) == MPI_SUCCESS &&
                is_right(&c, &theirs, &before);
    }
    if (!right) {
        complain(&c);
    }
    REQUIRE(right);
    struct vector *all[] = {&send, &recv, &sent, &before, &theirs};
    for (int i = 0; i < 5; i++) {
        free(all[i]->memory);
    }
}

/* MPI's own, in the form that it takes once a plan has served a nonblocking call. */
static void reduce_beside_requests(void)
{
    MPI_Comm comm;
    struct strata_request *request = NULL;
    int one = 1, sum;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    REQUIRE(strata_barrier(comm) == MPI_SUCCESS); /* attaches it */
    REQUIRE(strata_comm_force(comm, "allreduce", "recursive_doubling") == MPI_SUCCESS);
    REQUIRE(strata_iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm, &request) == MPI_SUCCESS);
    REQUIRE(strata_wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS);
    struct strata_report report = {.size = sizeof report};
    REQUIRE(strata_comm_report(comm, &report) == MPI_SUCCESS);
    REQUIRE(strcmp(report.algorithm, "recursive_doubling") == 0);
    REQUIRE(strata_comm_force(comm, "reduce", "native") == MPI_SUCCESS);
    for (uint64_t seed = 0; seed < 100; seed++) {
        one_call(comm, STRATA_REDUCE, seed, true);
    }
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    make_kinds();
    reduce_beside_requests();
    force_main(argc, argv, 6, true, one_call);
    free_kinds();
    MPI_Finalize();
    return 0;
}
