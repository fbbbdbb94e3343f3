/* A program that knows nothing of Strata. It calls MPI's 17 blocking collectives, with MPI_IN_PLACE
 * where it is allowed, and checks every result. Prints "all right", or what is wrong. With the word
 * "ever" it does so on one communicator after the other until something is wrong. With LARGE it
 * calls the forms with large counts. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/preload/expect.h"

#ifdef LARGE
typedef MPI_Count count_of_elements;
typedef MPI_Aint displacement;
#define MPI_Alltoall             MPI_Alltoall_c
#define MPI_Alltoallv            MPI_Alltoallv_c
#define MPI_Alltoallw            MPI_Alltoallw_c
#define MPI_Allgather            MPI_Allgather_c
#define MPI_Allgatherv           MPI_Allgatherv_c
#define MPI_Bcast                MPI_Bcast_c
#define MPI_Gather               MPI_Gather_c
#define MPI_Gatherv              MPI_Gatherv_c
#define MPI_Scatter              MPI_Scatter_c
#define MPI_Scatterv             MPI_Scatterv_c
#define MPI_Reduce               MPI_Reduce_c
#define MPI_Allreduce            MPI_Allreduce_c
#define MPI_Reduce_scatter       MPI_Reduce_scatter_c
#define MPI_Reduce_scatter_block MPI_Reduce_scatter_block_c
#define MPI_Scan                 MPI_Scan_c
#define MPI_Exscan               MPI_Exscan_c
#else
typedef int count_of_elements, displacement;
#endif

enum { MOST = 64, LONG = 1500 };
static int rank, ranks, n;
static MPI_Comm comm;
static int a[MOST * LONG], b[MOST * LONG];
static count_of_elements counts[MOST];
static displacement displs[MOST], bytes[MOST];
static MPI_Datatype types[MOST];

/* Element i of the block from one rank to another. */
static int value(int from, int to, int i)
{
    return 100000 * from + 1000 * to + i % 997;
}

static int sum(int below, int to, int i)
{
    int all = 0;
    for (int r = 0; r < below; r++) {
        all += value(r, to, i);
    }
    return all;
}

/* Fills one buffer with my blocks for all ranks, and empties the other. */
static void fill(int *buffer, int *other)
{
    for (int i = 0; i < ranks * n; i++) {
        buffer[i] = value(rank, i / n, i % n);
        other[i] = -1;
    }
}

static void expect_from_each(const char *what, const int *buffer, int to)
{
    for (int i = 0; i < ranks * n; i++) {
        EXPECT(what, buffer[i], ==, value(i / n, to < 0 ? i / n : to, i % n));
    }
}

static void alltoalls(void)
{
    fill(a, b);
    MPI_Alltoall(a, n, MPI_INT, b, n, MPI_INT, comm);
    expect_from_each("alltoall", b, rank);
    fill(a, b);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, a, n, MPI_INT, comm);
    expect_from_each("alltoall in place", a, rank);
    fill(a, b);
    MPI_Alltoallv(a, counts, displs, MPI_INT, b, counts, displs, MPI_INT, comm);
    expect_from_each("alltoallv", b, rank);
    fill(a, b);
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_INT, a, counts, displs, MPI_INT, comm);
    expect_from_each("alltoallv in place", a, rank);
    fill(a, b);
    MPI_Alltoallw(a, counts, bytes, types, b, counts, bytes, types, comm);
    expect_from_each("alltoallw", b, rank);
    fill(a, b);
    MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, a, counts, bytes, types, comm);
    expect_from_each("alltoallw in place", a, rank);
}

static void allgathers(void)
{
    fill(a, b);
    MPI_Allgather(a + n * rank, n, MPI_INT, b, n, MPI_INT, comm);
    expect_from_each("allgather", b, -1);
    fill(a, b);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, a, n, MPI_INT, comm);
    expect_from_each("allgather in place", a, -1);
    fill(a, b);
    MPI_Allgatherv(a + n * rank, n, MPI_INT, b, counts, displs, MPI_INT, comm);
    expect_from_each("allgatherv", b, -1);
    fill(a, b);
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, a, counts, displs, MPI_INT, comm);
    expect_from_each("allgatherv in place", a, -1);
}

static void gathers(int root)
{
    void *mine = rank == root ? MPI_IN_PLACE : a + n * rank;
    for (int in_place = 0; in_place < 2; in_place++) {
        fill(a, b);
        int *to = in_place ? a : b;
        MPI_Gather(in_place ? mine : a + n * rank, n, MPI_INT, to, n, MPI_INT, root, comm);
        if (rank == root) {
            expect_from_each("gather", to, -1);
        }
        fill(a, b);
        MPI_Gatherv(in_place ? mine : a + n * rank, n, MPI_INT, to, counts, displs, MPI_INT, root,
                    comm);
        if (rank == root) {
            expect_from_each("gatherv", to, -1);
        }
    }
}

static void scatters(int root)
{
    for (int in_place = 0; in_place < 2; in_place++) {
        void *to = in_place && rank == root ? MPI_IN_PLACE : b;
        const int *got = to == b ? b : a + n * rank;
        fill(a, b);
        MPI_Scatter(a, n, MPI_INT, to, n, MPI_INT, root, comm);
        for (int i = 0; i < n; i++) {
            EXPECT("scatter", got[i], ==, value(root, rank, i));
        }
        fill(a, b);
        MPI_Scatterv(a, counts, displs, MPI_INT, to, n, MPI_INT, root, comm);
        for (int i = 0; i < n; i++) {
            EXPECT("scatterv", got[i], ==, value(root, rank, i));
        }
    }
    fill(a, b);
    MPI_Bcast(a, n, MPI_INT, root, comm);
    for (int i = 0; i < n; i++) {
        EXPECT("bcast", a[i], ==, value(root, 0, i));
    }
}

static void expect_sums(const char *what, const int *buffer, int below, int to)
{
    for (int i = 0; i < n; i++) {
        EXPECT(what, buffer[i], ==, sum(below, to, i));
    }
}

static void reductions(int root, int in_place)
{
    const void *from = in_place ? MPI_IN_PLACE : (const void *)a;
    int *to = in_place ? a : b;
    fill(a, b);
    MPI_Reduce(rank == root ? from : a, to, n, MPI_INT, MPI_SUM, root, comm);
    if (rank == root) {
        expect_sums("reduce", to, ranks, 0);
    }
    fill(a, b);
    MPI_Allreduce(from, to, n, MPI_INT, MPI_SUM, comm);
    expect_sums("allreduce", to, ranks, 0);
    fill(a, b);
    MPI_Reduce_scatter(from, to, counts, MPI_INT, MPI_SUM, comm);
    expect_sums("reduce_scatter", to, ranks, rank);
    fill(a, b);
    MPI_Reduce_scatter_block(from, to, n, MPI_INT, MPI_SUM, comm);
    expect_sums("reduce_scatter_block", to, ranks, rank);
    fill(a, b);
    MPI_Scan(from, to, n, MPI_INT, MPI_SUM, comm);
    expect_sums("scan", to, rank + 1, 0);
    fill(a, b);
    MPI_Exscan(from, to, n, MPI_INT, MPI_SUM, comm);
    if (rank > 0) {
        expect_sums("exscan", to, rank, 0);
    }
}

static void run_all(int elements)
{
    n = elements;
    for (int r = 0; r < ranks; r++) {
        counts[r] = n;
        displs[r] = r * n;
        bytes[r] = r * n * (int)sizeof *a;
        types[r] = MPI_INT;
    }
    alltoalls();
    allgathers();
    gathers(0);
    gathers(ranks - 1);
    scatters(0);
    scatters(ranks - 1);
    reductions(ranks - 1, 0);
    reductions(0, 1); /* MPICH 4.0.2 alone fails in place at other roots */
    MPI_Barrier(comm);
}

static void run_for_ever(void)
{
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    while (wrong == 0) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        run_all(2);
        run_all(LONG);
        MPI_Comm_free(&comm);
    }
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

int main(int argc, char **argv)
{

    MPI_Init(&argc, &argv);
    comm = MPI_COMM_WORLD;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    if (argc > 1 && strcmp(argv[1], "ever") == 0) {
        run_for_ever();
    }
    for (int repeat = 0; repeat < 2; repeat++) {
        run_all(2);
        run_all(LONG);
    }
    say_all_right(comm);
    MPI_Finalize();
    return wrong > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
