/* Vectors and blocks longer than the cache, whose copies and results go past it: on odd addresses,
 * out of memory that mates have mapped and out of any other, in place too.
 *
 * run: 2 STRATA_ALLREDUCE=single_copy STRATA_REDUCE=single_copy STRATA_ALLGATHER=single_copy
 * timeout: 60 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/mpi/attached.h"

/* Integers, in which a vector of more than 8 MiB ends within a line. */
enum { COUNT = (9 << 18) + 5, SHIFT = 3, ROOM = COUNT + SHIFT };

static int rank, ranks;

static uint32_t value_of(int of, size_t place)
{
    return (uint32_t)(place * 2654435761u) ^ (uint32_t)(of + 1) << 20;
}

static void fill(uint32_t *vector, int of)
{
    for (size_t i = 0; i < COUNT; i++) {
        vector[i] = value_of(of, i);
    }
}

static void require_sums(const uint32_t *vector)
{
    for (size_t i = 0; i < COUNT; i++) {
        uint32_t sum = 0;
        for (int r = 0; r < ranks; r++) {
            sum += value_of(r, i);
        }
        REQUIRE(vector[i] == sum);
    }
}

static void require_served(void)
{
    struct strata_report report = report_of(MPI_COMM_WORLD);
    REQUIRE(strcmp(report.algorithm, "single_copy") == 0);
}

static void reduce(uint32_t *in, uint32_t *out)
{
    fill(in, rank);
    succeed(strata_allreduce(in, out, COUNT, MPI_UINT32_T, MPI_SUM, MPI_COMM_WORLD));
    require_served();
    require_sums(out);
    for (int root = 0; root < ranks; root++) {
        memset(out, 0, COUNT * sizeof *out);
        succeed(strata_reduce(in, out, COUNT, MPI_UINT32_T, MPI_SUM, root, MPI_COMM_WORLD));
        if (rank == root) {
            require_sums(out);
        }
    }
    succeed(strata_allreduce(MPI_IN_PLACE, in, COUNT, MPI_UINT32_T, MPI_SUM, MPI_COMM_WORLD));
    require_sums(in);
}

static void gather(uint32_t *in, uint32_t *out)
{
    fill(in, rank);
    succeed(strata_allgather(in, COUNT, MPI_UINT32_T, out, COUNT, MPI_UINT32_T, MPI_COMM_WORLD));
    require_served();
    for (int r = 0; r < ranks; r++) {
        for (size_t i = 0; i < COUNT; i++) {
            REQUIRE(out[(size_t)r * COUNT + i] == value_of(r, i));
        }
    }
}

static void move_all(uint32_t *in, uint32_t *out)
{
    reduce(in + SHIFT, out + 1);
    gather(in + 1, out + SHIFT);
}

int main(int argc, char **argv)
{
    uint32_t *in, *out, *mapped;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    in = malloc(ROOM * sizeof *in);
    out = malloc((size_t)ranks * ROOM * sizeof *out);
    REQUIRE(in && out);
    move_all(in, out);
    succeed(strata_alloc(ROOM * sizeof *mapped, MPI_COMM_WORLD, &mapped));
    move_all(mapped, out);
    succeed(strata_free(mapped));
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
