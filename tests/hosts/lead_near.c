/* The only leader of SLOAVx is a rank near the network adapter, where hwloc says where that is.
 *
 *   lead_near MACHINE    a host as hwloc records it: each rank takes a core of it in turn, and the
 *                        adapter is near the third and the fourth one */
#define _GNU_SOURCE /* setenv */
#include <stdlib.h>

#include "strata.h"
#include "tests/mpi/require.h"

enum { RANKS = 8, ON_A_HOST = 4, LEADER = 2, CALLS = 10 };

int main(int argc, char **argv)
{
    char sent[RANKS] = "01234567", got[RANKS];
    int rank, counts[RANKS], places[RANKS];
    struct strata_report report = {.size = sizeof report};
    setenv("STRATA_ALLTOALLV", "leaders:leaders=1", 1);
    MPI_Init(&argc, &argv);
    REQUIRE(argc == 2 && setenv("HWLOC_XMLFILE", argv[1], 1) == 0);
    unsetenv("HWLOC_COMPONENTS"); /* would overrule HWLOC_XMLFILE */
    succeed(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    for (int i = 0; i < RANKS; i++) {
        counts[i] = 1;
        places[i] = i;
    }
    for (int i = 0; i < CALLS; i++) {
        succeed(strata_alltoallv(sent, counts, places, MPI_CHAR, got, counts, places, MPI_CHAR,
                                 MPI_COMM_WORLD));
    }
    for (int i = 0; i < RANKS; i++) {
        REQUIRE_CMP(got[i], ==, sent[rank]);
    }
    succeed(strata_comm_report(MPI_COMM_WORLD, &report));
    REQUIRE_CMP((int)report.messages, ==, rank % ON_A_HOST == LEADER ? CALLS : 0);
    if (rank == 0) {
        printf("led near the adapter: ok\n");
    }
    MPI_Finalize();
    return 0;
}
