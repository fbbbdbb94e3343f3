/* A rank that waits in a collective lets its own messages leave. One rank begins to send a large
 * message and enters the collective, while its partner has still to receive the message and only
 * then enters. An argument is the number of repeats of each collective.
 *
 * run: 2 STRATA_TOPO=node:1
 * run: 3,4 STRATA_TOPO=node:2
 * timeout: 120
 */
#include <stdlib.h>
#include <string.h>

#include "include/strata.h"
#include "tests/mpi/require.h"

enum { LARGE = 1 << 20, MOST_RANKS = 64, COLLECTIVES = 4, TIMES = 20 };

static int rank, ranks;

static void call(int collective, int value)
{
    int in[MOST_RANKS], out[MOST_RANKS], ones[MOST_RANKS], displs[MOST_RANKS];
    const MPI_Comm comm = MPI_COMM_WORLD;
    for (int i = 0; i < ranks; i++) {
        in[i] = value + 100 * rank + (collective < 2 ? i : 0);
        ones[i] = 1;
        displs[i] = i;
    }
    switch (collective) {
    case 0:
        strata_alltoallv(in, ones, displs, MPI_INT, out, ones, displs, MPI_INT, comm);
        break;
    case 1:
        strata_alltoall(in, 1, MPI_INT, out, 1, MPI_INT, comm);
        break;
    case 2:
        strata_allgather(in, 1, MPI_INT, out, 1, MPI_INT, comm);
        break;
    default:
        strata_allgatherv(in, 1, MPI_INT, out, ones, displs, MPI_INT, comm);
        break;
    }
    for (int i = 0; i < ranks; i++) {
        REQUIRE_CMP(out[i], ==, value + 100 * i + (collective < 2 ? rank : 0));
    }
}

/* Each rank in turn is the late one: it first receives from its left neighbour. */
static void send_and_call(unsigned char *sent, unsigned char *received, int collective, int turn)
{
    int late = turn % ranks, early = (late + ranks - 1) % ranks;
    MPI_Request request = MPI_REQUEST_NULL;
    if (rank == early) {
        memset(sent, 1 + turn % 255, LARGE);
        MPI_Isend(sent, LARGE, MPI_BYTE, late, collective, MPI_COMM_WORLD, &request);
    } else if (rank == late) {
        MPI_Recv(received, LARGE, MPI_BYTE, early, collective, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        REQUIRE_CMP(received[0], ==, 1 + turn % 255);
        REQUIRE_CMP(received[LARGE - 1], ==, 1 + turn % 255);
    }
    call(collective, turn);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int times = argc > 1 ? atoi(argv[1]) : TIMES;
    unsigned char *sent = malloc(LARGE), *received = malloc(LARGE);
    REQUIRE(sent);
    REQUIRE(received);
    REQUIRE_CMP(ranks, >, 1);
    REQUIRE_CMP(ranks, <=, MOST_RANKS);
    for (int turn = 0; turn < times; turn++) {
        for (int collective = 0; collective < COLLECTIVES; collective++) {
            send_and_call(sent, received, collective, turn);
        }
    }
    free(sent);
    free(received);
    if (rank == 0) {
        printf("rendezvous: %d ranks, %d times each: ok\n", ranks, times);
    }
    MPI_Finalize();
    return 0;
}
