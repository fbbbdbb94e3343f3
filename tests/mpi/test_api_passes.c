/* A call takes no more passes than the longest block of the previous calls needs. A longer block
 * goes directly, and the next call has as many passes as that block needs.
 *
 * run: 4 STRATA_TOPO=node:2 STRATA_BUDGET=64K STRATA_ALLTOALLV=leaders:leaders=1,radix=2
 * timeout: 60 */
#include <stdlib.h>
#include <string.h>

#include "include/strata.h"
#include "tests/mpi/require.h"

enum { MOST = 3000, RANKS = 4 };

static unsigned char value(int from, int to, int at)
{
    return (unsigned char)(17 * from + 5 * to + 3 * at);
}

/* Exchanges blocks of `bytes` between all ranks. Returns the number of passes. */
static int exchange(int rank, int bytes)
{
    static unsigned char send[RANKS * MOST], recv[RANKS * MOST];
    int counts[RANKS], displs[RANKS];
    struct strata_report report = {.size = sizeof report};
    memset(recv, 0xee, sizeof recv);
    for (int i = 0; i < RANKS; i++) {
        counts[i] = bytes;
        displs[i] = i * MOST;
        for (int at = 0; at < bytes; at++) {
            send[i * MOST + at] = value(rank, i, at);
        }
    }
    succeed(strata_alltoallv(send, counts, displs, MPI_BYTE, recv, counts, displs, MPI_BYTE,
                             MPI_COMM_WORLD));
    for (int i = 0; i < RANKS; i++) {
        for (int at = 0; at < MOST; at++) {
            REQUIRE_CMP(recv[i * MOST + at], ==, at < bytes ? value(i, rank, at) : 0xee);
        }
    }
    succeed(strata_comm_report(MPI_COMM_WORLD, &report));
    return report.passes;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    REQUIRE_CMP(exchange(rank, 8), >, 1); /* nothing is known yet */
    REQUIRE_CMP(exchange(rank, 8), ==, 1);
    REQUIRE_CMP(exchange(rank, MOST), ==, 1);
    REQUIRE_CMP(exchange(rank, MOST), >, 1);
    REQUIRE_CMP(exchange(rank, 0), >, 1);
    REQUIRE_CMP(exchange(rank, 8), ==, 1);
    MPI_Finalize();
    return 0;
}
