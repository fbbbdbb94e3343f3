/* One rank calls Strata, and the other one MPI's own collectives in the same places, as where two
 * programs of a job were not built alike. The first call of Strata's waits for the other rank, and
 * says so. A nonblocking collective of MPI's that comes meanwhile is not taken for its agreement
 * (api/attach/introduce.c): the call ends with an error. Later calls are MPI's own, and right.
 *
 * run: 2 STRATA_STALL=1
 * timeout: 60 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "strata.h"
#include "tests/mpi/require.h"

enum { WORDS = 12 }; /* as many as the agreement has: others would not even be received */

static void by_mpi(void)
{
    int64_t own[WORDS] = {0}, all[WORDS];
    int number = 17;
    MPI_Request request;
    succeed(MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD)); /* ends at once */
    usleep(1500000);
    succeed(MPI_Iallreduce(own, all, WORDS, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD, &request));
    succeed(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

/* What standard error got in the call. */
static int call_and_hear(int *number, char *said, size_t size)
{
    FILE *heard = tmpfile();
    const int usual = dup(STDERR_FILENO);
    REQUIRE(heard && dup2(fileno(heard), STDERR_FILENO) >= 0);
    const int error = strata_bcast(number, 1, MPI_INT, 0, MPI_COMM_WORLD);
    REQUIRE(dup2(usual, STDERR_FILENO) >= 0);
    const ssize_t bytes = pread(fileno(heard), said, size - 1, 0);
    said[bytes > 0 ? bytes : 0] = '\0';
    fclose(heard);
    close(usual);
    return error;
}

static void by_strata(void)
{
    char said[1024];
    int number = 0;
    REQUIRE_CMP(call_and_hear(&number, said, sizeof said), ==, MPI_ERR_OTHER);
    fprintf(stderr, "%s", said);
    REQUIRE(strstr(said, "strata: rank 1 of MPI_COMM_WORLD has waited 1 s in the first call"));
    REQUIRE_CMP(number, ==, 0);
    succeed(strata_bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD));
    REQUIRE_CMP(number, ==, 17);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    (rank == 0 ? by_mpi : by_strata)();
    if (rank == 0) {
        printf("ranks that do not call Strata are noticed\n");
    }
    MPI_Finalize();
    return 0;
}
