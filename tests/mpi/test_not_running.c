/* A call before MPI_Init ends the process, as it does with MPI alone. Each call is made by a child.
 *
 * run: 1
 * timeout: 60
 */
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "include/strata.h"
#include "tests/mpi/require.h"

static int from, into;

static int native(void)
{
    return PMPI_Allreduce(&from, &into, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static int block(void)
{
    return strata_allreduce(&from, &into, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static int begin(void)
{
    struct strata_request *request = NULL;
    return strata_iallreduce(&from, &into, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
}

static int attach(void)
{
    return strata_comm_attach(MPI_COMM_WORLD, "");
}

static int describe(void)
{
    return strata_comm_describe(MPI_COMM_WORLD, stderr);
}

static int share(void)
{
    const void *result = NULL;
    return strata_allgather_shared(&from, 1, MPI_INT, &result, 1, MPI_INT, MPI_COMM_WORLD);
}

static int chain(void)
{
    struct strata_chain *made = NULL;
    return strata_chain_create(MPI_COMM_WORLD, &made);
}

/* Whether the call does not come back in a process of its own. */
static bool ends(int (*call)(void))
{
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        (void)call();
        _exit(0);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status != 0;
}

int main(int argc, char **argv)
{
    static int (*const calls[])(void) = {native, block, begin, attach, describe, share, chain};
    enum { CALLS = sizeof calls / sizeof *calls };

    int ended = 0;
    for (int i = 0; i < CALLS; i++) {
        ended += ends(calls[i]);
    }
    MPI_Init(&argc, &argv);
    REQUIRE_CMP(ended, ==, (int)CALLS);
    from = 1;
    succeed(block());
    REQUIRE_CMP(into, ==, 1);
    MPI_Finalize();
    return 0;
}
