/* What a call's key says of its sizes: the plan that it selects is long enough for all calls of the
 * key, and of a vector that is cut into a block for each rank no longer than the next power of two.
 * A count that the range of a key takes in has this key, and the ones beside the range have not.
 *
 * run: 1
 */
#include "api/call/plan_table.h"
#include "core/base/memory.h"
#include "tests/mpi/require.h"

enum { MOST_RANKS = 600, MOST_BYTES = 300 };

/* As a call makes it, whose blocks are all as long. */
static struct strata_plan_key key_of(enum strata_collective collective, int ranks, size_t bytes)
{
    struct strata_plan_key key = {.collective = collective};
    bool scatters = strata_collective_scatters(collective);
    strata_plan_key_sizes(&key, (double)bytes, scatters ? bytes * (size_t)ranks : bytes);
    return key;
}

static bool has(enum strata_collective collective, int ranks, size_t bytes,
                const struct strata_plan_key *key)
{
    struct strata_plan_key other = key_of(collective, ranks, bytes);
    return strata_plan_key_same_sizes(&other, key);
}

static void check(enum strata_collective collective, int ranks, size_t bytes)
{
    struct strata_plan_key key = key_of(collective, ranks, bytes);
    size_t least, most,
        all = strata_collective_scatters(collective) ? bytes * (size_t)ranks : bytes;
    strata_plan_key_range(&key, ranks, &least, &most);
    REQUIRE(least <= bytes && bytes <= most);
    REQUIRE(has(collective, ranks, least, &key) && has(collective, ranks, most, &key));
    REQUIRE(!has(collective, ranks, most + 1, &key));
    REQUIRE(least == 0 || !has(collective, ranks, least - 1, &key));
    REQUIRE(strata_plan_key_most(&key) >= all && strata_plan_key_most(&key) < 2 * all);
}

/* 512 blocks of 1 KiB are 512 KiB, which fit where 512 of the longest of their bucket do not. */
static void powers_of_two_are_no_longer_than_they_are(void)
{
    struct strata_plan_key key = key_of(STRATA_REDUCE_SCATTER_BLOCK, 512, 1024);
    struct strata_problem problem = {.collective = STRATA_REDUCE_SCATTER_BLOCK};
    strata_plan_key_bytes(&key, &problem);
    REQUIRE(problem.block_bytes == 1024 && problem.most_bytes == (size_t)512 * 1024);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int ranks = 1; ranks <= MOST_RANKS; ranks += ranks < 40 ? 1 : 37) {
        for (size_t bytes = 1; bytes <= MOST_BYTES; bytes++) {
            check(STRATA_REDUCE_SCATTER, ranks, bytes);
            check(STRATA_REDUCE_SCATTER_BLOCK, ranks, bytes);
            check(STRATA_ALLGATHER, ranks, bytes);
        }
    }
    powers_of_two_are_no_longer_than_they_are();
    printf("keys take in what they say\n");
    return MPI_Finalize();
}
