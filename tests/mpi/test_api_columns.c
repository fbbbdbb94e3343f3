/* Reduces a matrix column by column. The elements of different columns alternate in memory. Only as
 * many of them as the matrix has can lie side by side, so no plan may keep more.
 *
 * run: 2,4
 * timeout: 60
 */
#include <stdbool.h>

#include "hier/registry.h"
#include "include/strata.h"
#include "tests/algorithms.h"
#include "tests/mpi/require.h"

enum { ROWS = 3, COLUMNS = 4 };

/* Adds up columns. */
static void add(void *from, void *into, int *count, MPI_Datatype *type)
{
    const int *left = from;
    int *right = into;
    (void)type;
    for (int i = 0; i < *count; i++) {
        for (int row = 0; row < ROWS; row++) {
            right[row * COLUMNS + i] += left[row * COLUMNS + i];
        }
    }
}

static void test(MPI_Comm comm, MPI_Datatype column, MPI_Op op, bool all)
{
    int rank, ranks, mine[ROWS * COLUMNS], sum[ROWS * COLUMNS];
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        mine[i] = 100 * rank + i;
        sum[i] = -1;
    }
    succeed((all ? strata_allreduce(mine, sum, COLUMNS, column, op, comm)
                 : strata_reduce(mine, sum, COLUMNS, column, op, 0, comm)));
    for (int i = 0; i < ROWS * COLUMNS && (all || rank == 0); i++) {
        REQUIRE_CMP(sum[i], ==, 100 * (ranks * (ranks - 1) / 2) + ranks * i);
    }
}

int main(int argc, char **argv)
{
    const struct strata_algorithm *row;
    MPI_Datatype strided, column;
    MPI_Op op;
    MPI_Init(&argc, &argv);
    MPI_Type_vector(ROWS, 1, COLUMNS, MPI_INT, &strided);
    MPI_Type_create_resized(strided, 0, sizeof(int), &column);
    MPI_Type_commit(&column);
    MPI_Op_create(add, 1, &op);
    for (int i = 0; (row = strata_registry_at(i)); i++) {
        if (algorithm_serves(row, STRATA_REDUCE)) {
            succeed(strata_comm_force(MPI_COMM_WORLD, "reduce", row->name));
            test(MPI_COMM_WORLD, column, op, false);
        }
        if (algorithm_serves(row, STRATA_ALLREDUCE)) {
            succeed(strata_comm_force(MPI_COMM_WORLD, "allreduce", row->name));
            test(MPI_COMM_WORLD, column, op, true);
        }
    }
    MPI_Op_free(&op);
    MPI_Type_free(&column);
    MPI_Type_free(&strided);
    MPI_Finalize();
    return 0;
}
