/* The plans that a communicator keeps: with more kinds of calls than the table has room for, the
 * oldest plans make way and are made again.
 *
 * run: 3,5 STRATA_TOPO=node:2
 */
#include <string.h>

#include "api/attach/state.h"
#include "api/life/life.h"
#include "api/process/process.h"
#include "include/strata.h"
#include "tests/algorithms.h"
#include "tests/mpi/require.h"

#define MOST_BYTES (1 << 14)

static int rank, ranks;

static void broadcast(MPI_Comm comm, int bytes, int root)
{
    static unsigned char buffer[MOST_BYTES];
    memset(buffer, rank == root ? 1 + (bytes + root) % 200 : 0, (size_t)bytes);
    succeed(strata_bcast(buffer, bytes, MPI_BYTE, root, comm));
    for (int i = 0; i < bytes; i++) {
        REQUIRE_CMP(buffer[i], ==, 1 + (bytes + root) % 200);
    }
}

/* Broadcasts with all sizes, roots and algorithms. Returns the number of calls. */
static int broadcast_all(MPI_Comm comm)
{
    const struct strata_algorithm *algorithm;
    int kinds = 0;
    for (int i = 0; (algorithm = strata_registry_at(i)); i++) {
        if (algorithm_serves(algorithm, STRATA_BCAST) && algorithm->level != STRATA_MPI) {
            succeed(strata_comm_force(comm, "bcast", algorithm->name));
            for (int bytes = 1; bytes <= MOST_BYTES; bytes *= 2) {
                for (int root = 0; root < ranks; root++, kinds++) {
                    broadcast(comm, bytes, root);
                }
            }
        }
    }
    return kinds;
}

static const struct strata_plan_table *table_of(MPI_Comm comm)
{
    const struct strata_state *state = strata_state_peek(strata_process(), comm);
    REQUIRE(state);
    REQUIRE(state->group);
    return &state->group->plans;
}

/* Each root has its own plan, made once. */
static void rotate_roots(MPI_Comm comm, const struct strata_plan_table *table)
{
    int before = table->entries;
    succeed(strata_comm_force(comm, "bcast", "binomial"));
    for (int call = 0; call < 4 * ranks; call++) {
        broadcast(comm, 3, call % ranks);
        REQUIRE_CMP(table->entries - before, ==, call < ranks ? call + 1 : ranks);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    struct strata_report report = {.size = sizeof report};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    succeed(strata_comm_force(comm, "barrier", "dissemination"));
    succeed(strata_barrier(comm));
    rotate_roots(comm, table_of(comm));
    int kinds = broadcast_all(comm);
    REQUIRE_CMP(kinds, >, table_of(comm)->entries);
    REQUIRE_CMP(table_of(comm)->entries, >=, 200);
    REQUIRE_CMP(broadcast_all(comm), ==, kinds);
    succeed(strata_barrier(comm)); /* its plan is made again */
    succeed(strata_comm_report(comm, &report));
    REQUIRE_CMP(strncmp(report.algorithm, "dissemination", 13), ==, 0);
    MPI_Comm_free(&comm);
    if (rank == 0) {
        printf("%d kinds of calls\n", kinds);
    }
    MPI_Finalize();
    return 0;
}
