/* Blocks of other lengths: what one rank alone has is known to all, and each of them chooses by it.
 * A node with one long block is as busy as its members are together, not as the one that has it.
 *
 * run: 8 STRATA_TOPO=node:2 STRATA_MACHINE=cluster:cores=8 STRATA_TRIAL=off
 * sanitized: 8
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/mpi/fresh.h"

enum { RANKS = 8, SHORT = 512, LONG = 16384, CALLS = 6 };

static int rank;
static MPI_Comm comm; /* which begins knowing nothing */

/* The algorithm of the last call, which is the same on all ranks. */
static const char *served(void)
{
    static char mine[sizeof((struct strata_report *)NULL)->algorithm];
    char first[sizeof mine];
    struct strata_report report = {.size = sizeof report};
    succeed(strata_comm_report(comm, &report));
    memcpy(mine, report.algorithm, sizeof mine);
    memcpy(first, mine, sizeof first);
    succeed(PMPI_Bcast(first, sizeof first, MPI_CHAR, 0, comm));
    REQUIRE(strcmp(first, mine) == 0);
    return mine;
}

/* The block from one rank to the next has `LONG` bytes: of the last rank, or of all. */
static int bytes_of(bool all, int from, int to)
{
    return to == (from + 1) % RANKS && (all || from == RANKS - 1) ? LONG : SHORT;
}

static const char *exchange(bool all)
{
    static unsigned char out[RANKS * LONG], in[RANKS * LONG], right[RANKS * LONG];
    int sent[RANKS], come[RANKS], place[RANKS];
    for (int i = 0; i < RANKS; i++) {
        sent[i] = bytes_of(all, rank, i);
        come[i] = bytes_of(all, i, rank);
        place[i] = i * LONG;
        memset(out + place[i], 1 + rank * RANKS + i, (size_t)sent[i]);
        memset(right + place[i], 0, LONG);
        memset(right + place[i], 1 + i * RANKS + rank, (size_t)come[i]);
    }
    memset(in, 0, sizeof in);
    succeed(strata_alltoallv(out, sent, place, MPI_BYTE, in, come, place, MPI_BYTE, comm));
    REQUIRE_BYTES(in, right, RANKS * LONG);
    return served();
}

static bool is_of_nodes(const char *algorithm)
{
    return strncmp(algorithm, "leaders", strlen("leaders")) == 0;
}

static void test_alltoallv(bool all)
{
    for (int i = 0; i < CALLS; i++) {
        const char *algorithm = exchange(all);
        REQUIRE(i == 0 || is_of_nodes(algorithm) == !all);
    }
}

static void test_one_long_block(void)
{
    test_alltoallv(false);
}

static void test_long_block_each(void)
{
    test_alltoallv(true);
}

int main(int argc, char **argv)
{
    void (*const tests[])(void) = {test_one_long_block, test_long_block_each};
    succeed(MPI_Init(&argc, &argv));
    succeed(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    run_fresh(tests, sizeof tests / sizeof *tests, RANKS, "alltoallv", &comm);
    succeed(MPI_Finalize());
    return EXIT_SUCCESS;
}
