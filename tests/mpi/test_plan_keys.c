/* The key of a call tells its sizes. The plan that the key selects is long enough for all calls of
 * the key, and no longer than the next power of two. A count in the range of a key has this key,
 * and the counts beside the range have not. An entry may serve the calls of another one's key.
 *
 * run: 1
 */
#include "api/attach/plan_table.h"
#include "core/base/memory.h"
#include "tests/mpi/require.h"

enum { MOST_RANKS = 600, MOST_BYTES = 300 };

/* The key of a call whose blocks have equal lengths. */
static struct strata_plan_key key_of(enum strata_collective collective, int ranks, size_t bytes)
{
    struct strata_plan_key key = {.collective = collective};
    size_t blocks = strata_collective_scatters(collective)      ? (size_t)ranks
                    : strata_collective_info[collective].ranked ? 1
                                                                : 0;
    strata_plan_key_sizes(&key, (double)bytes, bytes * blocks);
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
    REQUIRE_CMP(least, <=, bytes);
    REQUIRE_CMP(bytes, <=, most);
    REQUIRE(has(collective, ranks, least, &key));
    REQUIRE(has(collective, ranks, most, &key));
    REQUIRE(!has(collective, ranks, most + 1, &key));
    REQUIRE(least == 0 || !has(collective, ranks, least - 1, &key));
    REQUIRE_CMP(strata_plan_key_most(&key), >=, all);
    REQUIRE(all == 0 || strata_plan_key_most(&key) < 2 * all);
}

/* A power of two is estimated, and planned for, as itself. */
static void check_power(enum strata_collective collective, size_t bytes)
{
    struct strata_plan_key key = key_of(collective, 512, bytes);
    struct strata_problem problem = {.collective = collective};
    size_t blocks = strata_collective_scatters(collective) ? 512 : 1;
    strata_plan_key_bytes(&key, &problem);
    REQUIRE_CMP(problem.block_bytes, ==, (double)bytes);
    REQUIRE_CMP(problem.most_bytes, ==, bytes * blocks);
}

/* Mean blocks are fractions and are rounded down. */
static void check_mean(double mean, double estimated)
{
    struct strata_plan_key key = {.collective = STRATA_ALLTOALLV};
    struct strata_problem problem = {.collective = STRATA_ALLTOALLV};
    strata_plan_key_sizes(&key, mean, 16);
    strata_plan_key_bytes(&key, &problem);
    REQUIRE_CMP(problem.block_bytes, ==, estimated);
    REQUIRE_CMP(problem.most_bytes, ==, 16);
}

static struct strata_selection_entry *keep(struct strata_plan_table *table,
                                           const struct strata_plan_key *key)
{
    struct strata_selection_entry *entry = strata_allocate(1, sizeof *entry);
    REQUIRE(entry);
    entry->key = *key;
    strata_plan_table_keep(table, entry, 1);
    return entry;
}

/* An entry in place of another one has its key, and new memory drops it as that. */
static void check_replaced(bool depends)
{
    struct strata_plan_table table = {.entries = 0};
    const struct strata_plan_key key = key_of(STRATA_ALLREDUCE, 4, 100);
    struct strata_plan_key tried = key;
    tried.forced.weight = STRATA_TRIED;
    struct strata_selection_entry *old = keep(&table, &key), *by = keep(&table, &tried);
    old->depends_on_mapping = old->mapped = depends;
    strata_plan_table_replace(&table, old, by);
    REQUIRE(strata_plan_table_find(&table, &key) == by);
    REQUIRE(!strata_plan_table_find(&table, &tried));
    REQUIRE_CMP(by->mapped, ==, depends);
    strata_plan_table_ask_again(&table);
    REQUIRE_CMP(strata_plan_table_find(&table, &key) == NULL, ==, depends);
    REQUIRE_CMP(table.entries, ==, depends ? 0 : 1);
    strata_plan_table_destroy(&table);
}

/* A full table drops what a trial tries before choices, and has no room for that without it. */
static void check_full(void)
{
    struct strata_plan_table table = {.entries = 0};
    const int most = strata_plan_table_most(1);
    struct strata_plan_key key = key_of(STRATA_ALLREDUCE, 4, 100), tried = key;
    tried.forced.weight = STRATA_TRIED;
    for (key.root = 1; key.root < most; key.root++) {
        (void)keep(&table, &key);
    }
    REQUIRE(strata_plan_table_tries(&table, &tried, 1));
    keep(&table, &tried)->trial.stage = STRATA_TRIAL_OTHERS;
    REQUIRE_CMP(table.entries, ==, most);
    REQUIRE(strata_plan_table_tries(&table, &tried, 1));
    (void)keep(&table, &key);
    REQUIRE(!strata_plan_table_find(&table, &tried));
    REQUIRE(!strata_plan_table_tries(&table, &tried, 1));
    for (key.root = most; key.root > 0; key.root--) {
        REQUIRE(strata_plan_table_find(&table, &key));
    }
    strata_plan_table_destroy(&table);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    static const enum strata_collective known[] = {STRATA_REDUCE_SCATTER,
                                                   STRATA_REDUCE_SCATTER_BLOCK, STRATA_ALLGATHER,
                                                   STRATA_BCAST, STRATA_ALLREDUCE};
    for (size_t c = 0; c < sizeof known / sizeof *known; c++) {
        for (int ranks = 1; ranks <= MOST_RANKS; ranks += ranks < 40 ? 1 : 37) {
            for (size_t bytes = 0; bytes <= MOST_BYTES; bytes++) {
                check(known[c], ranks, bytes);
            }
        }
        for (size_t bytes = 1; bytes <= (size_t)1 << 40; bytes *= 2) {
            check_power(known[c], bytes);
        }
    }
    check_mean(0, 0);
    check_mean(0.75, 0);
    check_mean(4, 4);
    check_mean(7.75, 4);
    check_replaced(false);
    check_replaced(true);
    check_full();
    printf("keys take in what they say\n");
    return MPI_Finalize();
}
