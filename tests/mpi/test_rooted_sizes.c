/* Only the root of a gatherv or scatterv knows how long the blocks are. It tells the others before
 * the first call, and again after some calls, so that all choose for the present blocks. Calls that
 * were MPI's own and are passed on at once come back to plans. The machine makes copies of long
 * blocks cheap.
 *
 * run: 2,3 STRATA_TRIAL=off STRATA_MACHINE=host:fetch=2e-6,beta_fetch=1e-11,beta_node=1e-9
 * timeout: 60 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "api/call/sizes.h"
#include "tests/mpi/attached.h"
#include "tests/mpi/numbers.h"

enum { SHORT = 8, LONG = 300000, OFTEN = STRATA_SIZES_OLD + STRATA_SIZES_LATER, MOST_RANKS = 8 };

static int rank, ranks, counts[MOST_RANKS], displacements[MOST_RANKS];
static unsigned char *one, *all; /* of LONG bytes; of ranks x LONG */

/* Blocks of so many bytes; the last rank's block is longer. */
static int bytes_of(int of, int bytes)
{
    return bytes + (of == ranks - 1);
}

static void lay_out(int bytes)
{
    int at = 0;
    for (int r = 0; r < ranks; r++) {
        counts[r] = bytes_of(r, bytes);
        displacements[r] = at;
        at += counts[r];
    }
}

static void gather(MPI_Comm comm, int root, int bytes, int round)
{
    fill_bytes(one, (size_t)bytes_of(rank, bytes), round, rank, 0);
    memset(all, 255, (size_t)ranks * ((size_t)bytes + 1));
    succeed(strata_gatherv(one, bytes_of(rank, bytes), MPI_BYTE, all, counts, displacements,
                           MPI_BYTE, root, comm));
    for (int r = 0; r < ranks && rank == root; r++) {
        REQUIRE_FILLED(all + displacements[r], (size_t)counts[r], round, r, 0);
    }
}

static void scatter(MPI_Comm comm, int root, int bytes, int round)
{
    for (int r = 0; r < ranks && rank == root; r++) {
        fill_bytes(all + displacements[r], (size_t)counts[r], round, r, 0);
    }
    memset(one, 255, (size_t)bytes_of(rank, bytes));
    succeed(strata_scatterv(all, counts, displacements, MPI_BYTE, one, bytes_of(rank, bytes),
                            MPI_BYTE, root, comm));
    REQUIRE_FILLED(one, (size_t)bytes_of(rank, bytes), round, rank, 0);
}

typedef void move_blocks(MPI_Comm comm, int root, int bytes, int round);

/* Whether the last call was chosen for long blocks; all ranks must agree. Other calls are served by
 * MPI's own, or by a plan where MPI spins. */
static bool was_long(MPI_Comm comm)
{
    int mine = strcmp(report_of(comm).algorithm, "single_copy") == 0, least, most;
    MPI_Allreduce(&mine, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&mine, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    REQUIRE_CMP(least, ==, most);
    return mine;
}

/* Makes so many calls that the ranks have told each other sizes meanwhile, with other roots in
 * turn. Returns whether the last call was chosen for long blocks. */
static bool move_often(MPI_Comm comm, move_blocks *move, int bytes)
{
    lay_out(bytes);
    for (int round = 0; round <= OFTEN; round++) {
        move(comm, round % ranks, bytes, round);
    }
    return was_long(comm);
}

/* Nobody waits for the first root's sizes: all ranks read them some calls later. */
static void test_later_calls_know(MPI_Comm comm, move_blocks *move)
{
    lay_out(LONG);
    for (int call = 0; call <= STRATA_SIZES_LATER; call++) {
        move(comm, 0, LONG, call);
        REQUIRE_CMP(was_long(comm), ==, call == STRATA_SIZES_LATER);
    }
}

static void test_sizes_change(MPI_Comm comm, move_blocks *move)
{
    REQUIRE(!move_often(comm, move, SHORT));
    REQUIRE(move_often(comm, move, LONG));
    REQUIRE(!move_often(comm, move, SHORT));
}

/* Where sizes stay the same, the ranks tell each other less and less often, but never stop. */
static void test_sizes_stay(MPI_Comm comm, move_blocks *move)
{
    bool found = false;
    REQUIRE(!move_often(comm, move, SHORT));
    REQUIRE(!move_often(comm, move, SHORT));
    REQUIRE(!move_often(comm, move, SHORT));
    for (int times = 0; times < 4 && !found; times++) {
        found = move_often(comm, move, LONG);
    }
    REQUIRE(found);
}

/* A forced algorithm makes the ranks ask no sizes; later they ask again. */
static void test_forced(MPI_Comm comm, const char *name, move_blocks *move)
{
    succeed(strata_comm_force(comm, name, "native"));
    REQUIRE(!move_often(comm, move, LONG));
    succeed(strata_comm_force(comm, name, NULL));
    REQUIRE(move_often(comm, move, LONG));
}

static void test_collective(const char *name, move_blocks *move)
{
    MPI_Comm comm = new_communicator();
    test_later_calls_know(comm, move);
    test_sizes_change(comm, move);
    test_forced(comm, name, move);
    test_sizes_stay(comm, move);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    one = malloc(LONG + 1);
    all = malloc((size_t)ranks * (LONG + 1));
    REQUIRE(one);
    REQUIRE(all);
    REQUIRE_CMP(ranks, <=, MOST_RANKS);
    test_collective("gatherv", gather);
    test_collective("scatterv", scatter);
    free(all);
    free(one);
    MPI_Finalize();
    return 0;
}
