/* No rank leaves a barrier before the last one has entered it, whatever is inside the nodes. Each
 * rank counts its calls in memory that all ranks share, late in some calls, and reads the counts of
 * all others when it has left.
 *
 * run: 2,5 STRATA_BARRIER=node_barrier:tree=1
 * run: 1,2,3 STRATA_BARRIER=node_barrier:tree=2
 * run: 8 "STRATA_TOPO=node:1 package:2 domain:2 cache:2" STRATA_BARRIER=node_barrier:tree=2
 * run: 7 "STRATA_TOPO=node:1 package:2:cyclic cache:2" STRATA_BARRIER=node_barrier:tree=2
 * run: 8 "STRATA_TOPO=node:2:cyclic domain:2" STRATA_BARRIER=node_barrier:tree=2
 * run: 6 "STRATA_TOPO=node:3,2,1 package:1" STRATA_BARRIER=node_barrier:tree=2
 * timeout: 120 */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/mpi/attached.h"
#include "tests/random.h"

enum { CALLS = 400, MOST = 16 };

static void meet(MPI_Comm comm, atomic_int *count, int rank, int ranks)
{
    struct random r = {.state = 3};
    for (int call = 1; call <= CALLS; call++) {
        int late = random_below(&r, ranks);
        bool sleeps = random_one_in(&r, 8);
        if (rank == late && sleeps) {
            usleep(500);
        }
        atomic_store(&count[rank], call);
        succeed(strata_barrier(comm));
        for (int other = 0; other < ranks; other++) {
            REQUIRE_CMP(atomic_load(&count[other]), >=, call);
        }
    }
}

/* The counts of all ranks, which are on one host. MPICH 5.0.2 has no window that they share. */
static atomic_int *share(int rank)
{
    const size_t bytes = MOST * sizeof(atomic_int);
    char name[] = "/tmp/barrier-XXXXXX";
    int file = -1;
    if (rank == 0) {
        file = mkstemp(name);
        REQUIRE_CMP(ftruncate(file, (off_t)bytes), ==, 0);
    }
    MPI_Bcast(name, sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (rank > 0) {
        file = open(name, O_RDWR | O_CLOEXEC);
    }
    atomic_int *count = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    REQUIRE(count != MAP_FAILED);
    close(file);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        unlink(name);
    }
    return count;
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm comm = new_communicator();
    REQUIRE_CMP(ranks, <=, MOST);
    meet(comm, share(rank), rank, ranks);
    REQUIRE_CMP(report_of(comm).calls_native, ==, ranks == 1 ? CALLS : 0);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
