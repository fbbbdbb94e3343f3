/* The message of a wrong call has the value and what is allowed, or the sizes of both sides, and
 * names the rank once.
 *
 * run: 2 STRATA_TOPO=node:2 STRATA_BCAST=binomial STRATA_GATHERV=binomial STRATA_SCATTERV=binomial
 * run: 2 STRATA_GATHERV=node_gather STRATA_SCATTERV=node_scatter STRATA_BCAST=node_bcast
 */
#include <string.h>
#include <unistd.h>

#include "include/strata.h"
#include "tests/mpi/require.h"

static int rank;
static char said[4096];

/* Redirects this rank's messages from here to heard(). */
static FILE *listen_to(int *usual)
{
    FILE *file = tmpfile();
    REQUIRE(file);
    fflush(stderr);
    *usual = dup(STDERR_FILENO);
    REQUIRE_CMP(*usual, >=, 0);
    REQUIRE_CMP(dup2(fileno(file), STDERR_FILENO), >=, 0);
    return file;
}

static void heard(FILE *file, int usual)
{
    fflush(stderr);
    dup2(usual, STDERR_FILENO);
    close(usual);
    rewind(file);
    said[fread(said, 1, sizeof said - 1, file)] = '\0';
    fclose(file);
}

#define SAYS(call, text)                                                                           \
    do {                                                                                           \
        int usual, error;                                                                          \
        FILE *file = listen_to(&usual);                                                            \
        error = call;                                                                              \
        heard(file, usual);                                                                        \
        if (error == MPI_SUCCESS || !strstr(said, text)) {                                         \
            fprintf(stderr, "%s: said \"%s\"\n", text, said);                                      \
        }                                                                                          \
        REQUIRE(error != MPI_SUCCESS && strstr(said, text));                                       \
    } while (0)

static void test_arguments(void)
{
    int ones[] = {1, 1}, bad[] = {1, -5}, at[] = {0, 1}, in[2] = {0}, out[2];
    struct strata_request *request;
    MPI_Comm comm = MPI_COMM_WORLD;
    SAYS(strata_bcast(in, 1, MPI_INT, 7, comm), "the root is 7, but allowed is 0 .. 1");
    SAYS(strata_ibcast(in, 1, MPI_INT, -4, comm, &request),
         "the root is -4, but allowed is 0 .. 1");
    SAYS(strata_allgather(in, 1, MPI_INT, out, -3, MPI_INT, comm),
         "the count is -3, but allowed is 0 or more");
    SAYS(strata_alltoallv(in, bad, at, MPI_INT, out, ones, at, MPI_INT, comm),
         "the count for rank 1 is -5, but allowed is 0 or more");
    SAYS(strata_allreduce_init(in, out, -1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request),
         "the count is -1, but allowed is 0 or more");
}

/* Rank 1's block has two numbers at its source, and one at its destination. */
static void test_lengths(void)
{
    int counts[] = {1, rank == 0 ? 1 : 2}, at[] = {0, 1}, in[4] = {0}, out[4];
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    if (rank == 0) {
        SAYS(strata_gatherv(in, counts[rank], MPI_INT, out, counts, at, MPI_INT, 0, comm),
             "gatherv, rank 0: ");
        REQUIRE(strstr(said, "rank 1 "));
        REQUIRE(strstr(said, " 8 "));
        REQUIRE(strstr(said, " 4"));
    } else {
        (void)strata_gatherv(in, counts[rank], MPI_INT, NULL, NULL, NULL, MPI_INT, 0, comm);
    }
    MPI_Comm_free(&comm);
}

static void test_rank_once(void)
{
    int in[4] = {0}, usual;
    FILE *file;
    MPI_Barrier(MPI_COMM_WORLD);
    file = listen_to(&usual);
    int error = strata_bcast(in, rank == 0 ? 2 : 1, MPI_INT, 0, MPI_COMM_WORLD);
    heard(file, usual);
    REQUIRE(rank == 0 || error != MPI_SUCCESS);
    REQUIRE(rank == 0 || strstr(said, "strata: bcast, rank 1: "));
    REQUIRE(!strstr(said, "rank 1: rank 1: "));
    REQUIRE(rank == 0 || (strstr(said, "8 bytes") && strstr(said, " 4")));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    test_arguments();
    test_lengths();
    test_rank_once();
    MPI_Finalize();
    if (rank == 0) {
        printf("messages: ok\n");
    }
    return 0;
}
