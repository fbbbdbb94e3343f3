/* A budget beyond the system's memory: communicators are still attached, with less memory.
 *
 * run: 1,3 STRATA_BUDGET=64G
 * timeout: 60
 * sanitized: long
 */
#include <stdlib.h>
#include <sys/statvfs.h>

#include "include/strata.h"
#include "tests/mpi/require.h"

int main(int argc, char **argv)
{
    int rank, ranks;
    struct statvfs fs;
    struct strata_report report = {.size = sizeof report};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int *send = calloc((size_t)ranks, sizeof *send), *recv = calloc((size_t)ranks, sizeof *recv);
    REQUIRE(send);
    REQUIRE(recv);
    REQUIRE_CMP(statvfs("/dev/shm", &fs), ==, 0);
    for (int i = 0; i < ranks; i++) {
        send[i] = 100 * rank + i;
    }
    succeed(strata_alltoall(send, 1, MPI_INT, recv, 1, MPI_INT, MPI_COMM_WORLD));
    for (int i = 0; i < ranks; i++) {
        REQUIRE_CMP(recv[i], ==, 100 * i + rank);
    }
    succeed(strata_comm_report(MPI_COMM_WORLD, &report));
    REQUIRE_CMP(report.standing, ==, STRATA_STANDING_ATTACHED);
    REQUIRE_CMP(report.arena_bytes, >, 0);
    REQUIRE_CMP(report.arena_bytes, <=, (uint64_t)fs.f_blocks * fs.f_frsize / 2);
    free(send);
    free(recv);
    MPI_Finalize();
    return 0;
}
