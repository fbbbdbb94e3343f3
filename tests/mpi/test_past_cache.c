/* Vectors and blocks longer than the cache, whose copies and results go past it: on odd addresses,
 * from memory that local peers have mapped and from any other, in place too.
 *
 * run: 2 STRATA_ALLREDUCE=single_copy STRATA_REDUCE=single_copy STRATA_ALLGATHER=single_copy
 * timeout: 60 */
#include <stdlib.h>
#include <string.h>

#include "tests/mpi/attached.h"
#include "tests/mpi/numbers.h"

/* The integers of a vector of more than 8 MiB, which ends within a line. */
enum { COUNT = (9 << 18) + 5, SHIFT = 3, ROOM = COUNT + SHIFT };

static int rank, ranks;

static void require_sums(const int *vector)
{
    for (int i = 0; i < COUNT; i++) {
        REQUIRE_CMP(vector[i], ==, sum_of_numbers(0, 0, ranks, 0, i));
    }
}

static void require_served(void)
{
    struct strata_report report = report_of(MPI_COMM_WORLD);
    REQUIRE_TEXT(report.algorithm, "single_copy");
}

static void reduce(int *in, int *out)
{
    fill_numbers(in, COUNT, 0, rank, 0);
    succeed(strata_allreduce(in, out, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    require_served();
    require_sums(out);
    for (int root = 0; root < ranks; root++) {
        memset(out, 0, COUNT * sizeof *out);
        succeed(strata_reduce(in, out, COUNT, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD));
        if (rank == root) {
            require_sums(out);
        }
    }
    succeed(strata_allreduce(MPI_IN_PLACE, in, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    require_sums(in);
}

static void gather(int *in, int *out)
{
    fill_numbers(in, COUNT, 0, rank, 0);
    succeed(strata_allgather(in, COUNT, MPI_INT, out, COUNT, MPI_INT, MPI_COMM_WORLD));
    require_served();
    for (int r = 0; r < ranks; r++) {
        REQUIRE_NUMBERS(out + (size_t)r * COUNT, COUNT, 0, r, 0);
    }
}

static void move_all(int *in, int *out)
{
    reduce(in + SHIFT, out + 1);
    gather(in + 1, out + SHIFT);
}

int main(int argc, char **argv)
{
    int *in, *out, *mapped;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    in = malloc(ROOM * sizeof *in);
    out = malloc((size_t)ranks * ROOM * sizeof *out);
    REQUIRE(in);
    REQUIRE(out);
    move_all(in, out);
    succeed(strata_alloc(ROOM * sizeof *mapped, MPI_COMM_WORLD, &mapped));
    move_all(mapped, out);
    succeed(strata_free(mapped));
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
