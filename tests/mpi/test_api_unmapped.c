/* alltoallw with datatypes of too many pieces for a map. Blocks are packed as a whole, as bytes,
 * where MPI can count them.
 *
 * sanitized: long
 * run: 1,3
 * timeout: 60
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "api/types/type_map.h"
#include "include/strata.h"
#include "tests/mpi/require.h"

enum { MOST_RANKS = 4, PIECES = (int)STRATA_MOST_PIECES + 5, BLOCK = 2 * PIECES };

static int rank, ranks;

static char digit(int source, int destination, int piece)
{
    return (char)(37 * source + 11 * destination + piece % 251);
}

/* Fills every second byte; the others are gaps. */
static void fill(char *block, int source, int destination)
{
    memset(block, '-', BLOCK);
    for (int i = 0; i < PIECES; i++) {
        block[2 * i] = digit(source, destination, i);
    }
}

static int wrong_bytes(const char *block, int source, int destination)
{
    int wrong = 0;
    for (int i = 0; i < PIECES; i++) {
        wrong += block[2 * i] != digit(source, destination, i) || block[2 * i + 1] != '-';
    }
    return wrong;
}

static void test(MPI_Datatype type, bool in_place)
{
    int counts[MOST_RANKS], displs[MOST_RANKS];
    MPI_Datatype types[MOST_RANKS];
    char *send = malloc((size_t)ranks * BLOCK), *recv = malloc((size_t)ranks * BLOCK);
    REQUIRE(send);
    REQUIRE(recv);
    memset(recv, '-', (size_t)ranks * BLOCK);
    for (int i = 0; i < ranks; i++) {
        counts[i] = 1;
        displs[i] = i * BLOCK;
        types[i] = type;
        fill((in_place ? recv : send) + displs[i], rank, i);
    }
    succeed(strata_alltoallw(in_place ? MPI_IN_PLACE : send, counts, displs, types, recv, counts,
                             displs, types, MPI_COMM_WORLD));
    for (int i = 0; i < ranks; i++) {
        REQUIRE_CMP(wrong_bytes(recv + displs[i], i, rank), ==, 0);
    }
    free(send);
    free(recv);
}

/* An element of more than 2 GiB cannot even be packed. That is an error on all ranks, but not where
 * none is sent, and no rank is then out of step. */
static void test_large(void)
{
    int counts[MOST_RANKS] = {0}, displs[MOST_RANKS] = {0}, all[MOST_RANKS], class;
    char nothing = 0;
    MPI_Datatype type;
    MPI_Comm comm;
    MPI_Type_vector(PIECES, 1 << 12, 1 << 13, MPI_CHAR, &type);
    MPI_Type_commit(&type);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    for (int i = 0; i < 4; i++) {
        succeed(strata_alltoallv(&nothing, counts, displs, type, &nothing + 1, counts, displs, type,
                                 comm));
    }
    for (int i = 0; i < ranks; i++) { /* the calls without elements are not taken for this one */
        counts[i] = 1;
    }
    MPI_Error_class(
        strata_alltoallv(&nothing, counts, displs, type, &nothing + 1, counts, displs, type, comm),
        &class);
    REQUIRE_CMP(class, ==, MPI_ERR_UNSUPPORTED_OPERATION);
    succeed(strata_comm_force(comm, "bcast", "binomial"));
    MPI_Error_class(strata_bcast(&nothing, 1, type, 0, comm), &class);
    REQUIRE_CMP(class, ==, MPI_ERR_UNSUPPORTED_OPERATION);
    succeed(strata_comm_force(comm, "allgather", "ring"));
    succeed(strata_allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, comm));
    REQUIRE_CMP(all[0], ==, 0);
    REQUIRE_CMP(all[ranks - 1], ==, ranks - 1);
    MPI_Comm_free(&comm);
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    struct strata_report report = {.size = sizeof report};
    MPI_Datatype type;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    REQUIRE_CMP(ranks, <=, MOST_RANKS);
    MPI_Type_vector(PIECES, 1, 2, MPI_CHAR, &type);
    MPI_Type_commit(&type);
    succeed(strata_comm_force(MPI_COMM_WORLD, "alltoallw", "linear"));
    test(type, false);
    test(type, true);
    succeed(strata_comm_report(MPI_COMM_WORLD, &report));
    REQUIRE_CMP(report.calls, ==, 2);
    MPI_Type_free(&type);
    test_large();
    MPI_Finalize();
    return 0;
}
