/* Ranks call with different datatypes of the same signature: with gaps or without, predefined or
 * the program's own, with other counts, and none where others have no bytes. By Strata's name for
 * each collective; with PRELOADED by MPI's name, as tests/preload runs it.
 *
 * run: 2
 * run: 4 STRATA_TOPO=node:2 -- every
 * timeout: 60
 */
#include <stdbool.h>
#include <stddef.h>

#include "tests/mpi/require.h"

#ifdef PRELOADED
#define CALL(Name, name) MPI_##Name
#else
#include "hier/registry.h"
#include "include/strata.h"
#include "tests/algorithms.h"
#define CALL(Name, name) strata_##name
#endif

enum { PIECES = 5, MOST_RANKS = 4, MOST_ELEMENTS = 2000, ROOM = MOST_RANKS * MOST_ELEMENTS * 16 };
enum kind { STRIDED, INTERLEAVED, PAIR, KINDS, REVERSED };

static int rank, ranks;
static int sent[ROOM], taken[ROOM];

/* This rank's way to hold elements of PIECES integers, or of one: the distance between integers,
 * and between elements. */
struct element {
    MPI_Datatype type;
    int pieces, apart, extent;
};
static struct element element;

/* Each rank makes another element. */
static struct element make_element(enum kind kind)
{
    struct element e = {.pieces = PIECES, .apart = 1 + rank % 3};
    MPI_Datatype plain;
    e.extent = (PIECES - 1) * e.apart + 1;
    if (kind == REVERSED) {
        e.extent = rank == 1 ? -e.extent - 1 : e.extent;
    } else if (kind == INTERLEAVED && rank == 1) { /* each integer beside the next element's */
        e.apart = MOST_ELEMENTS * MOST_RANKS;
        e.extent = 1;
    } else if (kind == PAIR) { /* an integer alone, predefined on the first rank */
        e = (struct element){MPI_INT, 1, 1, rank == 1 ? 2 : 1};
    }
    if (kind == PAIR && rank == 0) {
        return e;
    }
    MPI_Type_vector(e.pieces, 1, e.apart, MPI_INT, &plain);
    MPI_Type_create_resized(plain, 0, e.extent * (MPI_Aint)sizeof(int), &e.type);
    MPI_Type_commit(&e.type);
    MPI_Type_free(&plain);
    return e;
}

static void free_element(struct element *e)
{
    if (e->type != MPI_INT) {
        MPI_Type_free(&e->type);
    }
}

/* The first integer of so many elements in a buffer. */
static int *first_of(int *buffer, int count)
{
    return buffer + (element.extent < 0 ? -element.extent * (count - 1) : 0);
}

static int *integer_of(int *first, int i, int piece)
{
    return first + (ptrdiff_t)i * element.extent + (ptrdiff_t)piece * element.apart;
}

static int value(int of, int i, int piece)
{
    return 1000 * of + 7 * i + piece;
}

static void fill(int *first, int count)
{
    for (int i = 0; i < ROOM; i++) {
        sent[i] = taken[i] = -1;
    }
    for (int i = 0; i < count; i++) {
        for (int p = 0; p < element.pieces; p++) {
            *integer_of(first, i, p) = value(rank, i, p);
        }
    }
}

/* Requires the sums over ranks 0 to `end` - 1 from element `from` on, and no other write. */
static void require_sums(int *first, int from, int count, int end)
{
    for (int i = 0; i < count; i++) {
        for (int p = 0; p < element.pieces; p++) {
            int wanted = 1000 * (end * (end - 1) / 2) + end * (7 * (from + i) + p);
            REQUIRE_CMP(*integer_of(first, i, p), ==, wanted);
            *integer_of(first, i, p) = -1;
        }
    }
    for (int i = 0; i < ROOM; i++) {
        REQUIRE_CMP(taken[i], ==, -1);
    }
}

/* The program's operator, on elements in this rank's form. */
static void add(void *from, void *into, int *count, MPI_Datatype *type)
{
    REQUIRE_CMP(*type, ==, element.type);
    for (int i = 0; i < *count; i++) {
        for (int p = 0; p < element.pieces; p++) {
            *integer_of(into, i, p) += *integer_of(from, i, p);
        }
    }
}

static void reduce(int count, MPI_Op op, int root)
{
    int *from = first_of(sent, count), *into = first_of(taken, count);
    fill(from, count);
    CALL(Allreduce, allreduce)(from, into, count, element.type, op, MPI_COMM_WORLD);
    require_sums(into, 0, count, ranks);
    CALL(Reduce, reduce)(from, into, count, element.type, op, root, MPI_COMM_WORLD);
    require_sums(into, 0, rank == root ? count : 0, ranks);
    CALL(Scan, scan)(from, into, count, element.type, op, MPI_COMM_WORLD);
    require_sums(into, 0, count, rank + 1);
    CALL(Exscan, exscan)(from, into, count, element.type, op, MPI_COMM_WORLD);
    require_sums(into, 0, rank > 0 ? count : 0, rank);
    fill(into, count);
    CALL(Allreduce, allreduce)(MPI_IN_PLACE, into, count, element.type, op, MPI_COMM_WORLD);
    require_sums(into, 0, count, ranks);
}

static void reduce_parts(int count, MPI_Op op)
{
    int counts[MOST_RANKS], before = 0;
    int *from = first_of(sent, ranks * count), *into = first_of(taken, count);
    for (int r = 0; r < ranks; r++) {
        counts[r] = r % 2 ? count : count - 1;
        before += r < rank ? counts[r] : 0;
    }
    fill(from, ranks * count);
    CALL(Reduce_scatter_block, reduce_scatter_block)
    (from, into, count, element.type, op, MPI_COMM_WORLD);
    require_sums(into, rank * count, count, ranks);
    CALL(Reduce_scatter, reduce_scatter)(from, into, counts, element.type, op, MPI_COMM_WORLD);
    require_sums(into, before, counts[rank], ranks);
}

/* `first` is the first rank's operator, which may be MPI's. */
static void reductions(MPI_Op first, MPI_Op others, int count)
{
    MPI_Op op = rank == 0 ? first : others;
    reduce(count, op, ranks - 1);
    reduce_parts(count, op);
}

/* Sends integers by twos on the first rank. */
static void require_values(const int *from, int ranks_before, int count)
{
    for (int r = 0; r < ranks_before; r++) {
        for (int i = 0; i < count; i++) {
            REQUIRE_CMP(from[r * count + i], ==, value(r, i, 0));
        }
    }
}

static void copies(int count)
{
    MPI_Datatype two, type = MPI_INT;
    int n = count;
    MPI_Type_contiguous(2, MPI_INT, &two);
    MPI_Type_commit(&two);
    if (rank == 0) {
        type = two;
        n = count / 2;
    }
    for (int i = 0; i < ranks * count; i++) {
        sent[i] = value(rank, i % count, 0);
        taken[i] = rank == 1 ? value(1, i, 0) : -1;
    }
    CALL(Bcast, bcast)(taken, n, type, 1, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++) {
        REQUIRE_CMP(taken[i], ==, value(1, i, 0));
    }
    CALL(Allgather, allgather)(sent, n, type, taken, n, type, MPI_COMM_WORLD);
    require_values(taken, ranks, count);
    CALL(Alltoall, alltoall)(sent, n, type, taken, n, type, MPI_COMM_WORLD);
    require_values(taken, ranks, count);
    CALL(Gather, gather)(sent, n, type, taken, n, type, 0, MPI_COMM_WORLD);
    CALL(Scatter, scatter)(sent, n, type, taken, n, type, 1, MPI_COMM_WORLD);
    REQUIRE_CMP(taken[count - 1], ==, value(1, count - 1, 0));
    MPI_Type_free(&two);
}

static void each_kind(MPI_Op op)
{
    for (enum kind kind = 0; kind < KINDS; kind++) {
        element = make_element(kind);
        reductions(op, op, 3);
        reductions(op, op, MOST_ELEMENTS);
        free_element(&element);
    }
}

#ifndef PRELOADED
/* The first rank has elements without a byte, the others have no elements. */
static void nothing(MPI_Op op)
{
    struct element before = element;
    MPI_Datatype empty;
    int n = rank == 0 ? 3 : 0;
    MPI_Type_contiguous(0, MPI_INT, &empty);
    MPI_Type_commit(&empty);
    element.type = rank == 0 ? empty : MPI_INT;
    element.pieces = 0;
    taken[0] = -1;
    strata_allreduce(sent, taken, n, element.type, op, MPI_COMM_WORLD);
    strata_reduce(sent, taken, n, element.type, op, 0, MPI_COMM_WORLD);
    strata_scan(sent, taken, n, element.type, op, MPI_COMM_WORLD);
    REQUIRE_CMP(taken[0], ==, -1);
    element = before;
    MPI_Type_free(&empty);
}

/* Tries every algorithm that serves a reduction. */
static void each_algorithm(MPI_Op op)
{
    const struct strata_algorithm *algorithm;
    element = make_element(STRIDED);
    for (int i = 0; (algorithm = strata_registry_at(i)); i++) {
        for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
            if (strata_collective_reduces((enum strata_collective)c) &&
                algorithm_serves(algorithm, (enum strata_collective)c)) {
                const char *name = strata_collective_info[c].name;
                succeed(strata_comm_force(MPI_COMM_WORLD, name, algorithm->name));
            }
        }
        reductions(op, op, 3);
    }
    free_element(&element);
}

/* The ranks tell each other their operators, and MPI's own serves the call. */
static void persistent(MPI_Op op)
{
    struct strata_request *r = NULL;
    succeed(
        strata_allreduce_init(sent, taken, 3, element.type, op, MPI_COMM_WORLD, MPI_INFO_NULL, &r));
    succeed(strata_start(&r));
    succeed(strata_wait(&r, MPI_STATUS_IGNORE));
    succeed(strata_request_free(&r));
}

/* Reductions that MPI's own calls do not serve: elements that go backwards, and an operator that is
 * MPI's on the first rank. */
static void by_plans(MPI_Op op)
{
    static const char *const forced[][2] = {
        {"reduce", "binomial"},     {"allreduce", "recursive_doubling"},
        {"scan", "doubling_scan"},  {"exscan", "doubling_scan"},
        {"reduce_scatter", "ring"}, {"reduce_scatter_block", "circulant"}};
    for (size_t i = 0; i < sizeof forced / sizeof *forced; i++) {
        succeed(strata_comm_force(MPI_COMM_WORLD, forced[i][0], forced[i][1]));
    }
    element = make_element(REVERSED);
    reductions(op, op, 3);
    nothing(op);
    free_element(&element);
    element = make_element(PAIR);
    reductions(MPI_SUM, op, 3);
    persistent(rank == 0 ? MPI_SUM : op);
    free_element(&element);
}
#endif

int main(int argc, char **argv)
{
    MPI_Op op;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    REQUIRE_CMP(ranks, <=, MOST_RANKS);
    MPI_Op_create(add, 1, &op);
    each_kind(op);
    for (int i = 0; i < 3; i++) {
        copies(4);
        copies(MOST_ELEMENTS);
    }
#ifndef PRELOADED
    if (argc > 1) {
        each_algorithm(op);
        by_plans(op);
    }
#endif
    MPI_Op_free(&op);
    MPI_Finalize();
    if (rank == 0) {
        printf("all right\n");
    }
    return 0;
}
