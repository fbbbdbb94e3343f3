/* Ranks of one communicator are in different collectives, or in one with different roots. No MPI
 * promises them anything. A rank that waits for the others is told which call they are in, and
 * takes no byte of theirs for its own. (Over several nodes they stand still, as in MPI.)
 *
 * run: 2,3
 * timeout: 60 */
#include <stdbool.h>
#include <string.h>

#include "tests/mpi/attached.h"
#include "tests/mpi/numbers.h"

enum { RANKS = 4, COUNT = 8 };

static int rank, ranks;
static int sent[RANKS * COUNT], taken[RANKS * COUNT];

static int reduce_all(MPI_Comm comm)
{
    return strata_allreduce(sent, taken, COUNT, MPI_INT, MPI_SUM, comm);
}

static int gather_all(MPI_Comm comm)
{
    return strata_allgather(sent, COUNT, MPI_INT, taken, COUNT, MPI_INT, comm);
}

static int exchange_all(MPI_Comm comm)
{
    return strata_alltoall(sent, COUNT, MPI_INT, taken, COUNT, MPI_INT, comm);
}

static int reduce_to_first(MPI_Comm comm)
{
    return strata_reduce(sent, taken, COUNT, MPI_INT, MPI_SUM, 0, comm);
}

static int reduce_to_second(MPI_Comm comm)
{
    return strata_reduce(sent, taken, COUNT, MPI_INT, MPI_SUM, 1, comm);
}

/* The calls of even and of odd ranks, in one ring of the node memory. In two rings each rank would
 * wait in its own. */
static const struct crossing {
    int (*even)(MPI_Comm), (*odd)(MPI_Comm);
} crossing[] = {
    {reduce_all, reduce_to_first},
    {reduce_to_second, reduce_all},
    {reduce_to_first, reduce_to_second},
    {gather_all, exchange_all},
};

static void begin_round(void)
{
    fill_numbers(sent, RANKS * COUNT, 0, rank, 0);
    memset(taken, 0xff, sizeof taken);
}

/* On ranks of one node, a rank that is told may leave. Its local peers then hear that it failed. */
static void cross(const struct crossing *c)
{
    MPI_Comm comm = new_communicator();
    const bool even = rank % 2 == 0;
    succeed(strata_comm_force(comm, "allreduce", "node_allreduce"));
    succeed(strata_comm_force(comm, "allgather", "node_allgather"));
    succeed(strata_comm_force(comm, "alltoall", "leaders"));
    succeed(strata_comm_force(comm, "reduce", "node_reduce"));
    for (int round = 0; round < 4; round++) { /* the last ones by tape */
        begin_round();
        succeed(c->even(comm));
        succeed(c->odd(comm));
    }
    begin_round();
    int error = (even ? c->even : c->odd)(comm);
    int told = error != MPI_SUCCESS, any = 0;
    MPI_Allreduce(&told, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    REQUIRE(any);
    for (int i = 0; i < RANKS * COUNT && !told; i++) { /* no data were taken, or my own */
        REQUIRE(taken[i] == -1 || taken[i] == sent[i % COUNT] || taken[i] == sent[i]);
    }
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (size_t i = 0; i < sizeof crossing / sizeof *crossing; i++) {
        cross(&crossing[i]);
    }
    MPI_Finalize();
    return 0;
}
