/* One rank calls Strata, and the other one MPI's own collectives in the same places, as where two
 * programs of a job were not built alike. The first call of Strata's waits for the other rank, and
 * says so. A nonblocking collective of MPI's that comes meanwhile is not taken for its agreement
 * (api/attach/introduce.c): the call ends with an error. Later calls are MPI's own, and right. The
 * other rank reads what the first one says, and waits for that.
 *
 * run: 2 STRATA_STALL=1
 * timeout: 60 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "strata.h"
#include "tests/mpi/require.h"

enum { WORDS = 12 }; /* as many as the agreement has: others would not even be received */

static const char waits[] = "strata: rank 1 of MPI_COMM_WORLD has waited 1 s in the first call";

static bool holds(int file, const char *text)
{
    char said[1024];
    const ssize_t bytes = pread(file, said, sizeof said - 1, 0);
    said[bytes > 0 ? bytes : 0] = '\0';
    return strstr(said, text) != NULL;
}

static int file_of_other(void)
{
    char path[64];
    long place[2]; /* process and descriptor */
    succeed(MPI_Recv(place, 2, MPI_LONG, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    snprintf(path, sizeof path, "/proc/%ld/fd/%ld", place[0], place[1]);
    return open(path, O_RDONLY);
}

static void by_mpi(void)
{
    const int heard = file_of_other();
    int64_t own[WORDS] = {0}, all[WORDS];
    int number = 17;
    MPI_Request request;
    succeed(MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD)); /* ends at once */
    REQUIRE(heard >= 0);
    while (!holds(heard, waits)) {
        usleep(10000);
    }
    close(heard);
    succeed(MPI_Iallreduce(own, all, WORDS, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD, &request));
    succeed(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

/* With standard error in a file. */
static int call_into(int file, int *number)
{
    const int usual = dup(STDERR_FILENO);
    const long place[2] = {getpid(), file};
    succeed(MPI_Send(place, 2, MPI_LONG, 0, 0, MPI_COMM_WORLD));
    REQUIRE(dup2(file, STDERR_FILENO) >= 0);
    const int error = strata_bcast(number, 1, MPI_INT, 0, MPI_COMM_WORLD);
    REQUIRE(dup2(usual, STDERR_FILENO) >= 0);
    close(usual);
    return error;
}

static void by_strata(void)
{
    FILE *heard = tmpfile();
    int number = 0;
    REQUIRE(heard);
    REQUIRE_CMP(call_into(fileno(heard), &number), ==, MPI_ERR_OTHER);
    REQUIRE(holds(fileno(heard), waits));
    REQUIRE_CMP(number, ==, 0);
    succeed(strata_bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD));
    REQUIRE_CMP(number, ==, 17);
    fclose(heard);
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
