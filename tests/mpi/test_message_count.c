/* Between nodes one leader sends ceil(log2 N) messages a call, and no other rank sends any. The
 * test counts by replacing every send call of MPI.
 *
 * long: 4 STRATA_TOPO=node:2 STRATA_ALLTOALLV=leaders:leaders=1,radix=2 STRATA_ALLTOALL=leaders:leaders=1,radix=2
 * long: 6,7 STRATA_TOPO=node:3 STRATA_ALLTOALLV=leaders:leaders=1,radix=2 STRATA_ALLTOALL=leaders:leaders=1,radix=2
 * run: 2,8 STRATA_TOPO=node:2 STRATA_ALLTOALLV=leaders:leaders=1,radix=2 STRATA_ALLTOALL=leaders:leaders=1,radix=2
 * run: 9 STRATA_TOPO=node:3 STRATA_ALLTOALLV=leaders:leaders=1,radix=2 STRATA_ALLTOALL=leaders:leaders=1,radix=2
 * run: 8 STRATA_TOPO=node:5 STRATA_ALLTOALLV=leaders:leaders=1,radix=2 STRATA_ALLTOALL=leaders:leaders=1,radix=2
 * run: 9 STRATA_TOPO=node:8:cyclic STRATA_ALLTOALLV=leaders:leaders=1,radix=2 STRATA_ALLTOALL=leaders:leaders=1,radix=2
 * timeout: 120
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#include "strata.h"
#include "tests/mpi/require.h"

/* Each row: the call, its parameters, and the arguments that pass them on. */
#define SEND_CALLS(ROW)                                                                            \
    ROW(PMPI_Send, (const void *b, int n, MPI_Datatype t, int d, int g, MPI_Comm c),               \
        (b, n, t, d, g, c))                                                                        \
    ROW(PMPI_Ssend, (const void *b, int n, MPI_Datatype t, int d, int g, MPI_Comm c),              \
        (b, n, t, d, g, c))                                                                        \
    ROW(PMPI_Rsend, (const void *b, int n, MPI_Datatype t, int d, int g, MPI_Comm c),              \
        (b, n, t, d, g, c))                                                                        \
    ROW(PMPI_Bsend, (const void *b, int n, MPI_Datatype t, int d, int g, MPI_Comm c),              \
        (b, n, t, d, g, c))                                                                        \
    ROW(PMPI_Isend,                                                                                \
        (const void *b, int n, MPI_Datatype t, int d, int g, MPI_Comm c, MPI_Request *r),          \
        (b, n, t, d, g, c, r))                                                                     \
    ROW(PMPI_Issend,                                                                               \
        (const void *b, int n, MPI_Datatype t, int d, int g, MPI_Comm c, MPI_Request *r),          \
        (b, n, t, d, g, c, r))                                                                     \
    ROW(PMPI_Irsend,                                                                               \
        (const void *b, int n, MPI_Datatype t, int d, int g, MPI_Comm c, MPI_Request *r),          \
        (b, n, t, d, g, c, r))                                                                     \
    ROW(PMPI_Ibsend,                                                                               \
        (const void *b, int n, MPI_Datatype t, int d, int g, MPI_Comm c, MPI_Request *r),          \
        (b, n, t, d, g, c, r))                                                                     \
    ROW(PMPI_Start, (MPI_Request * r), (r))                                                        \
    ROW(PMPI_Startall, (int n, MPI_Request r[]), (n, r))                                           \
    ROW(PMPI_Sendrecv,                                                                             \
        (const void *b, int n, MPI_Datatype t, int d, int g, void *rb, int rn, MPI_Datatype rt,    \
         int s, int rg, MPI_Comm c, MPI_Status *st),                                               \
        (b, n, t, d, g, rb, rn, rt, s, rg, c, st))                                                 \
    ROW(PMPI_Sendrecv_replace,                                                                     \
        (void *b, int n, MPI_Datatype t, int d, int g, int s, int rg, MPI_Comm c, MPI_Status *st), \
        (b, n, t, d, g, s, rg, c, st))

static int sends;

/* The program's definition precedes the MPI library's, which is the next one. */
#define STAND_IN(name, parameters, arguments)                                                      \
    int name parameters                                                                            \
    {                                                                                              \
        int(*real) parameters;                                                                     \
        void *symbol = dlsym(RTLD_NEXT, #name);                                                    \
        memcpy(&real, &symbol, sizeof real);                                                       \
        sends++;                                                                                   \
        return real arguments;                                                                     \
    }
SEND_CALLS(STAND_IN)

static int rounds(int nodes)
{
    int count = 0;
    for (int reached = 1; reached < nodes; reached *= 2) {
        count++;
    }
    return count;
}

/* The messages that this rank sends in one call of 8-byte blocks. */
static int count_call(bool uniform, int ranks)
{
    double from[16] = {0}, to[16];
    int counts[16], displs[16];
    for (int i = 0; i < ranks; i++) {
        counts[i] = 1;
        displs[i] = i;
    }
    sends = 0;
    int error = uniform ? strata_alltoall(from, 1, MPI_DOUBLE, to, 1, MPI_DOUBLE, MPI_COMM_WORLD)
                        : strata_alltoallv(from, counts, displs, MPI_DOUBLE, to, counts, displs,
                                           MPI_DOUBLE, MPI_COMM_WORLD);
    succeed(error);
    return sends;
}

static void check_collective(bool uniform, int ranks)
{
    struct strata_report report = {.size = sizeof report};
    count_call(uniform, ranks); /* attaches */
    strata_comm_report(MPI_COMM_WORLD, &report);
    REQUIRE_CMP(report.standing, ==, STRATA_STANDING_ATTACHED);
    REQUIRE_CMP(report.nodes, >, 1);
    int mine = count_call(uniform, ranks);
    int leads = mine > 0, leaders, most;
    PMPI_Allreduce(&leads, &leaders, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    PMPI_Allreduce(&mine, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    REQUIRE_CMP(leaders, ==, report.nodes);
    REQUIRE(mine == 0 || mine == rounds(report.nodes));
    REQUIRE_CMP(most, ==, rounds(report.nodes));
}

/* Checks that the replacements count at all. */
static void check_counting(int rank)
{
    int value = rank, other;
    sends = 0;
    PMPI_Sendrecv(&value, 1, MPI_INT, rank, 0, &other, 1, MPI_INT, rank, 0, MPI_COMM_WORLD,
                  MPI_STATUS_IGNORE);
    REQUIRE_CMP(sends, ==, 1);
    REQUIRE_CMP(other, ==, rank);
}

int main(int argc, char **argv)
{
    int ranks, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    REQUIRE_CMP(ranks, <=, 16);
    check_counting(rank);
    check_collective(false, ranks);
    check_collective(true, ranks);
    if (rank == 0) {
        printf("each leader sends as many messages as there are rounds\n");
    }
    MPI_Finalize();
    return 0;
}
