/* One rank's own block is longer than its receiving side and all others state. The plans go through
 * the node, where the receiving side tells the number of slices of all blocks, or are flat. That
 * rank finds the mistake, and no other rank does. No buffer is overrun, and the next call is right.
 * Lengths are powers of two, because some of these fill their last slice.
 *
 * run: 3
 * run: 4 STRATA_TOPO=node:2 STRATA_BUDGET=256K
 * timeout: 60
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "include/strata.h"
#include "tests/mpi/require.h"

enum { MOST_RANKS = 4, SHORTEST = 1 << 9, LONGEST = 1 << 18, GUARD = 0x77 };

static int rank, ranks;
static unsigned char *own, *all; /* this rank's block; all blocks, with room for a guard */

typedef int collective(int mine, int each, MPI_Comm comm);

static int allgather(int mine, int each, MPI_Comm comm)
{
    return strata_allgather(own, mine, MPI_BYTE, all, each, MPI_BYTE, comm);
}

static int allgatherv(int mine, int each, MPI_Comm comm)
{
    int counts[MOST_RANKS], displs[MOST_RANKS];
    for (int i = 0; i < ranks; i++) {
        counts[i] = each;
        displs[i] = i * each;
    }
    return strata_allgatherv(own, mine, MPI_BYTE, all, counts, displs, MPI_BYTE, comm);
}

static int gather(int mine, int each, MPI_Comm comm)
{
    return strata_gather(own, mine, MPI_BYTE, all, each, MPI_BYTE, 0, comm);
}

static int gatherv(int mine, int each, MPI_Comm comm)
{
    int counts[MOST_RANKS], displs[MOST_RANKS];
    for (int i = 0; i < ranks; i++) {
        counts[i] = each;
        displs[i] = i * each;
    }
    return strata_gatherv(own, mine, MPI_BYTE, all, counts, displs, MPI_BYTE, 0, comm);
}

/* Only the root's own block may be longer, where the others cannot know what the root expects. Long
 * blocks of gatherv go from rank to rank. */
static const struct {
    const char *name, *through_nodes, *flat;
    collective *call;
    bool rooted, slices;
} collectives[] = {{"allgather", "node_allgather", "ring", allgather, false, true},
                   {"allgatherv", "node_allgather", "ring", allgatherv, false, true},
                   {"gather", "node_gather", "linear_rooted", gather, true, true},
                   {"gatherv", "node_gather", "linear_rooted", gatherv, true, false}};
enum { COLLECTIVES = sizeof collectives / sizeof *collectives };

/* Returns the error class. */
static int call(int c, int mine, int each, MPI_Comm comm)
{
    int class;
    memset(own, rank + 1, 2 * LONGEST);
    memset(all, GUARD, (MOST_RANKS + 2) * LONGEST);
    MPI_Error_class(collectives[c].call(mine, each, comm), &class);
    for (int i = ranks * each; i < (MOST_RANKS + 2) * LONGEST; i++) {
        REQUIRE_CMP(all[i], ==, GUARD);
    }
    return class;
}

static void call_rightly(int c, int each, MPI_Comm comm)
{
    succeed(call(c, each, each, comm));
    for (int i = 0; i < ranks * each && (!collectives[c].rooted || rank == 0); i++) {
        REQUIRE_CMP(all[i], ==, i / each + 1);
    }
}

static int in_passes(MPI_Comm comm)
{
    struct strata_report report = {.size = sizeof report};
    succeed(strata_comm_report(comm, &report));
    return report.passes > 1;
}

/* Returns how many calls went in slices. */
static int test_algorithm(int c, const char *name, MPI_Comm comm)
{
    int sliced = 0;
    succeed(strata_comm_force(comm, collectives[c].name, name));
    for (int each = SHORTEST; each <= LONGEST; each *= 2) {
        int wrong = collectives[c].rooted ? 0 : each / 3 % ranks;
        call_rightly(c, each, comm);
        REQUIRE_CMP(call(c, rank == wrong ? 2 * each : each, each, comm), ==,
                    rank == wrong ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
        sliced += in_passes(comm);
        call_rightly((c + 1) % COLLECTIVES, 100, comm);
    }
    return sliced;
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    REQUIRE_CMP(ranks, <=, MOST_RANKS);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    own = malloc(2 * LONGEST);
    all = malloc((MOST_RANKS + 2) * LONGEST);
    REQUIRE(own);
    REQUIRE(all);
    for (int c = 0; c < COLLECTIVES; c++) {
        int sliced = test_algorithm(c, collectives[c].through_nodes, comm);
        REQUIRE_CMP(sliced > 0, ==, collectives[c].slices);
        REQUIRE_CMP(test_algorithm(c, collectives[c].flat, comm), ==, 0);
    }
    free(all);
    free(own);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
