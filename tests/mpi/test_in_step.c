/* One rank calls a collective with another count than the others, by every algorithm that serves
 * it. The call ends on all ranks, at least one finds the mistake, and no buffer is overrun. The
 * next call, also of another collective, gives the same as MPI's own.
 *
 * run: 3
 * run: 4 "STRATA_TOPO=node:2" STRATA_BUDGET=4M
 * timeout: 120
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "include/strata.h"
#include "tests/mpi/require.h"

enum { MOST_RANKS = 4, MOST = 7000, GUARD = 8000, FILLER = -77 };

static int rank, ranks;

/* Pairs of counts with the same power of two, also times three and four ranks, so that all ranks
 * take the same plan. */
static const int counts[][2] = {{90, 120}, {120, 90}, {7000, 6000}, {6000, 7000}};

struct buffers {
    int send[MOST_RANKS * MOST], recv[MOST_RANKS * MOST + GUARD], expected[MOST_RANKS * MOST];
};

static void fill(struct buffers *b)
{
    for (int i = 0; i < MOST_RANKS * MOST; i++) {
        b->send[i] = 1000 * rank + i;
        b->recv[i] = b->expected[i] = i;
    }
    for (int i = 0; i < GUARD; i++) {
        b->recv[MOST_RANKS * MOST + i] = FILLER;
    }
}

/* n for each rank, and the places of the blocks, for any length. */
static const int *each(int n)
{
    static int lengths[MOST_RANKS];
    for (int r = 0; r < MOST_RANKS; r++) {
        lengths[r] = n;
    }
    return lengths;
}
static const int places[MOST_RANKS] = {0, MOST, 2 * MOST, 3 * MOST};

typedef int collective(struct buffers *b, int *recv, int count, int root, MPI_Comm comm);

/* Each collective by Strata, or by MPI into the expected result. */
#define COLLECTIVE(NAME, STRATA_CALL, MPI_CALL)                                                    \
    static int NAME(struct buffers *b, int *recv, int n, int root, MPI_Comm comm)                  \
    {                                                                                              \
        (void)root;                                                                                \
        return recv == b->expected ? MPI_CALL : STRATA_CALL;                                       \
    }
#define ONE_SIDE(NAME)                                                                             \
    COLLECTIVE(NAME, strata_##NAME(recv, n, MPI_INT, root, comm),                                  \
               MPI_Bcast(recv, n, MPI_INT, root, comm))
#define ROOTED(NAME, MPI_NAME)                                                                     \
    COLLECTIVE(NAME, strata_##NAME(b->send, n, MPI_INT, recv, n, MPI_INT, root, comm),             \
               MPI_NAME(b->send, n, MPI_INT, recv, n, MPI_INT, root, comm))
#define BLOCKS(NAME, MPI_NAME)                                                                     \
    COLLECTIVE(NAME, strata_##NAME(b->send, n, MPI_INT, recv, n, MPI_INT, comm),                   \
               MPI_NAME(b->send, n, MPI_INT, recv, n, MPI_INT, comm))
#define REDUCTION(NAME, MPI_NAME)                                                                  \
    COLLECTIVE(NAME, strata_##NAME(b->send, recv, n, MPI_INT, MPI_SUM, comm),                      \
               MPI_NAME(b->send, recv, n, MPI_INT, MPI_SUM, comm))
ONE_SIDE(bcast)
ROOTED(gather, MPI_Gather)
ROOTED(scatter, MPI_Scatter)
BLOCKS(allgather, MPI_Allgather)
BLOCKS(alltoall, MPI_Alltoall)
REDUCTION(allreduce, MPI_Allreduce)
REDUCTION(reduce_scatter_block, MPI_Reduce_scatter_block)
REDUCTION(scan, MPI_Scan)
REDUCTION(exscan, MPI_Exscan)
COLLECTIVE(gatherv, strata_gatherv(b->send, n, MPI_INT, recv, each(n), places, MPI_INT, root, comm),
           MPI_Gatherv(b->send, n, MPI_INT, recv, each(n), places, MPI_INT, root, comm))
COLLECTIVE(scatterv,
           strata_scatterv(b->send, each(n), places, MPI_INT, recv, n, MPI_INT, root, comm),
           MPI_Scatterv(b->send, each(n), places, MPI_INT, recv, n, MPI_INT, root, comm))
COLLECTIVE(allgatherv, strata_allgatherv(b->send, n, MPI_INT, recv, each(n), places, MPI_INT, comm),
           MPI_Allgatherv(b->send, n, MPI_INT, recv, each(n), places, MPI_INT, comm))
COLLECTIVE(reduce_scatter, strata_reduce_scatter(b->send, recv, each(n), MPI_INT, MPI_SUM, comm),
           MPI_Reduce_scatter(b->send, recv, each(n), MPI_INT, MPI_SUM, comm))
COLLECTIVE(reduce, strata_reduce(b->send, recv, n, MPI_INT, MPI_SUM, root, comm),
           MPI_Reduce(b->send, recv, n, MPI_INT, MPI_SUM, root, comm))

static const struct {
    const char *name;
    collective *call;
} collectives[] = {{"bcast", bcast},
                   {"gather", gather},
                   {"scatter", scatter},
                   {"allgather", allgather},
                   {"alltoall", alltoall},
                   {"reduce", reduce},
                   {"allreduce", allreduce},
                   {"reduce_scatter_block", reduce_scatter_block},
                   {"scan", scan},
                   {"exscan", exscan},
                   {"gatherv", gatherv},
                   {"scatterv", scatterv},
                   {"allgatherv", allgatherv},
                   {"reduce_scatter", reduce_scatter}};
enum { COLLECTIVES = sizeof collectives / sizeof *collectives };

static void call_rightly(struct buffers *b, collective *call, int count, int root, MPI_Comm comm)
{
    fill(b);
    succeed(call(b, b->recv, count, root, comm));
    succeed(call(b, b->expected, count, root, comm));
    REQUIRE_BYTES(b->recv, b->expected, sizeof b->expected);
}

static void call_wrongly(struct buffers *b, int c, int wrong, const int *count, MPI_Comm comm)
{
    int class, found;
    fill(b);
    MPI_Error_class(collectives[c].call(b, b->recv, count[rank == wrong], 0, comm), &class);
    REQUIRE(class == MPI_SUCCESS || class == MPI_ERR_TRUNCATE);
    found = class == MPI_ERR_TRUNCATE;
    for (int i = 0; i < GUARD; i++) {
        REQUIRE_CMP(b->recv[MOST_RANKS * MOST + i], ==, FILLER);
    }
    MPI_Allreduce(MPI_IN_PLACE, &found, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    REQUIRE(found);
}

/* Whether MPI's own served the last call. */
static bool native(MPI_Comm comm)
{
    struct strata_report report = {.size = sizeof report};
    succeed(strata_comm_report(comm, &report));
    return strcmp(report.algorithm, "native") == 0;
}

static int test_algorithm(struct buffers *b, int c, const char *name, int number, MPI_Comm comm)
{
    int tried = 0;
    succeed(strata_comm_force(comm, collectives[c].name, name));
    const int *count = counts[number % 4];
    call_rightly(b, collectives[c].call, count[0], 0, comm);
    for (int wrong = number / 4 % ranks; wrong < ranks && !native(comm); wrong += 2) {
        call_wrongly(b, c, wrong, count, comm);
        call_rightly(b, collectives[(c + 1 + wrong) % COLLECTIVES].call, 100, ranks - 1, comm);
        call_rightly(b, collectives[c].call, count[0], 0, comm);
        tried++;
    }
    return tried;
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int tried = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    REQUIRE_CMP(ranks, <=, MOST_RANKS);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    struct buffers *b = malloc(sizeof *b);
    REQUIRE(b);
    for (int c = 0; c < COLLECTIVES; c++) {
        const char *name;
        for (int i = 0; (name = strata_algorithm_at(collectives[c].name, i)); i++) {
            tried += test_algorithm(b, c, name, i, comm);
        }
    }
    if (rank == 0) {
        printf("%d calls of %d ranks with a wrong count\n", tried, ranks);
    }
    REQUIRE_CMP(tried, >, 40);
    free(b);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
