/* One rank has no memory from its k-th allocation on, for every k. All ranks of a new communicator
 * have it or none has, in the other groups too. No rank waits for the rank that failed.
 *
 * run: 1,3
 * timeout: 60
 */
#include <string.h>

#include "core/base/memory.h"
#include "include/strata.h"
#include "tests/mpi/require.h"

/* Whether the call failed, alike on all ranks of the group; 2 where they disagree. */
static int split_once(MPI_Comm comm, long after, int groups, int flags)
{
    int rank, size;
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    const char *name = rank % groups ? "odd" : "even";
    struct strata_split_value colour = {name, strlen(name), strata_compare_bytes, strata_hash_bytes,
                                        NULL};
    if (rank == size - 1) {
        strata_memory_fail_after(after);
    }
    int failed = strata_comm_split(comm, &colour, NULL, "gather_scatter", flags, &made) != 0;
    strata_memory_fail_after(-1);
    int least = failed, most = failed;
    MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, comm);
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, comm);
    REQUIRE_CMP(least, ==, most);
    REQUIRE_CMP(made == MPI_COMM_NULL, ==, failed);
    if (made != MPI_COMM_NULL) {
        MPI_Comm_free(&made);
    }
    return failed;
}

/* Uses a communicator that is not attached yet, each time. */
static int walk(int groups, int flags)
{
    int failures = 0, failed = 1;
    for (long after = 1; failed; after++) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
        failed = split_once(comm, after, groups, flags);
        failures += failed;
        MPI_Comm_free(&comm);
        REQUIRE_CMP(after, <, 500);
    }
    return failures;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int groups = 1; groups <= 2; groups++) {
        REQUIRE_CMP(walk(groups, 0), >, 3);
        REQUIRE_CMP(walk(groups, STRATA_ATTACH), >, 3);
    }
    if (rank == 0) {
        printf("ok\n");
    }
    MPI_Finalize();
    return 0;
}
