/* Collectives and scans along chains, for many sizes and all roots. The results are those of an
 * operation that does not commute, the rounds are ceil(log2 P), and addresses differ from ranks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "internode/chain/chain_bcast.h"
#include "internode/chain/chain_gather.h"
#include "internode/chain/chain_scatter.h"
#include "internode/chain/scan.h"
#include "sim/virtual/virtual_stations.h"
#include "tests/random.h"

enum { MOST = 70 };

/* x -> a x + b; composition does not commute. */
struct map {
    uint64_t a, b;
};

static struct map map_of(int rank)
{
    return (struct map){2 * (uint64_t)rank + 3, random_mix((uint64_t)rank)};
}

static struct map compose(struct map left, struct map right)
{
    return (struct map){left.a * right.a, left.a * right.b + left.b};
}

static void combine(void *context, const void *left, void *right)
{
    struct map l, r;
    (void)context;
    memcpy(&l, left, sizeof l);
    memcpy(&r, right, sizeof r);
    r = compose(l, r);
    memcpy(right, &r, sizeof r);
}

static struct map range(int first, int last)
{
    struct map m = map_of(first);
    for (int i = first + 1; i <= last; i++) {
        m = compose(m, map_of(i));
    }
    return m;
}

struct crowd {
    int ranks, root;
    int address[MOST], rank_at[MOST];
    int wrong;
};

static struct strata_chain_links chain_of(const struct crowd *c, int address)
{
    int rank = c->rank_at[address];
    return (struct strata_chain_links){c->ranks, rank, address,
                                       rank > 0 ? c->address[rank - 1] : STRATA_NOBODY,
                                       rank + 1 < c->ranks ? c->address[rank + 1] : STRATA_NOBODY};
}

#define WANT(condition) (c->wrong = c->wrong ? c->wrong : (condition) ? 0 : __LINE__)

static bool same(const void *a, struct map b)
{
    return memcmp(a, &b, sizeof b) == 0;
}

static int scans(struct strata_station *station, void *context)
{
    struct crowd *c = context;
    const struct strata_chain_links chain = chain_of(c, station->address);
    const int rank = chain.rank, end = c->ranks - 1;
    _Alignas(16) unsigned char memory[STRATA_SCAN_MEMORY(sizeof(struct map))];
    struct strata_scan scan = {.bytes = sizeof(struct map), .combine = {combine, combine}};
    struct map mine = map_of(rank);
    strata_scan_set_up(&scan, memory);
    memcpy(scan.inclusive[0], &mine, sizeof mine);
    memcpy(scan.inclusive[1], &mine, sizeof mine);
    WANT(strata_scan_run(&scan, station, &chain) == 0);
    WANT(same(scan.inclusive[STRATA_LEFT], range(0, rank)));
    WANT(same(scan.inclusive[STRATA_RIGHT], range(rank, end)));
    WANT(scan.any[STRATA_LEFT] == (rank > 0) && scan.any[STRATA_RIGHT] == (rank < end));
    WANT(rank == 0 || same(scan.exclusive[STRATA_LEFT], range(0, rank - 1)));
    WANT(rank == end || same(scan.exclusive[STRATA_RIGHT], range(rank + 1, end)));
    WANT(same(strata_scan_total(&scan), range(0, end)));
    return 0;
}

static int barrier(struct strata_station *station, void *context)
{
    const struct strata_chain_links chain = chain_of(context, station->address);
    return strata_chain_barrier_run(station, &chain);
}

static int bcast(struct strata_station *station, void *context)
{
    struct crowd *c = context;
    const struct strata_chain_links chain = chain_of(c, station->address);
    void *memory = malloc(strata_chain_memory(c->ranks, sizeof(struct map)));
    struct map value = map_of(chain.rank);
    WANT(strata_chain_bcast_run(station, &chain, c->root, &value, sizeof value, memory) == 0);
    WANT(same(&value, map_of(c->root)));
    free(memory);
    return 0;
}

static int reduce(struct strata_station *station, void *context)
{
    struct crowd *c = context;
    const struct strata_chain_links chain = chain_of(c, station->address);
    const struct strata_reduction reduction = {sizeof(struct map), combine, NULL};
    void *memory = malloc(4 * STRATA_SCAN_STRIDE(sizeof(struct map)));
    struct map value = map_of(chain.rank);
    WANT(strata_chain_reduce_run(station, &chain, c->root, &reduction, &value, memory) == 0);
    WANT(chain.rank != c->root || same(&value, range(0, c->ranks - 1)));
    free(memory);
    return 0;
}

static int blocks(struct strata_station *station, struct crowd *c, int what)
{
    const struct strata_chain_links chain = chain_of(c, station->address);
    struct map *all = calloc((size_t)c->ranks, sizeof *all), one = map_of(chain.rank);
    const size_t size = what == 0   ? strata_chain_gather_memory(&chain, c->root, sizeof one)
                        : what == 1 ? strata_chain_scatter_memory(&chain, c->root, sizeof one)
                                    : strata_chain_memory(c->ranks, sizeof one);
    void *memory = malloc(size); /* the exact size: the sanitizer sees any access behind it */
    WANT(size <= strata_chain_memory(c->ranks, sizeof one));
    const struct strata_chain_blocks b = {&one, all, sizeof one};
    const bool root = what == 2 || chain.rank == c->root;
    for (int i = 0; what == 1 && root && i < c->ranks; i++) {
        all[i] = map_of(i);
    }
    one = what == 1 ? (struct map){0, 0} : one;
    WANT((what == 0   ? strata_chain_gather_run(station, &chain, c->root, &b, memory)
          : what == 1 ? strata_chain_scatter_run(station, &chain, c->root, &b, memory)
                      : strata_chain_allgather_run(station, &chain, &b, memory)) == 0);
    for (int i = 0; root && i < c->ranks; i++) {
        WANT(same(&all[i], map_of(i)));
    }
    WANT(same(&one, map_of(chain.rank)));
    free(memory);
    free(all);
    return 0;
}

static int gather(struct strata_station *station, void *context)
{
    return blocks(station, context, 0);
}

static int scatter(struct strata_station *station, void *context)
{
    return blocks(station, context, 1);
}

static int allgather(struct strata_station *station, void *context)
{
    return blocks(station, context, 2);
}

static void run(int (*body)(struct strata_station *, void *), struct crowd *c, uint64_t seed)
{
    struct strata_usage usage[MOST];
    int status[MOST], rounds = 0;
    struct strata_diagnostic message = {""};
    const struct strata_virtual_stations links = {.ranks = c->ranks,
                                                  .rendezvous = seed % 2,
                                                  .seed = seed,
                                                  .failing_rank = -1,
                                                  .body = body,
                                                  .context = c,
                                                  .status = status,
                                                  .usage = usage};
    if (strata_virtual_stations_run(&links, &message) || c->wrong) {
        fail_msg("%d ranks, root %d: %s line %d", c->ranks, c->root, message.text, c->wrong);
    }
    while (1 << rounds < c->ranks) {
        rounds++;
    }
    for (int i = 0; i < c->ranks; i++) {
        assert_int_equal(usage[i].rounds, rounds);
    }
}

static void test_chains(void **state)
{
    static int (*const rooted[])(struct strata_station *, void *) = {bcast, reduce, gather,
                                                                     scatter};
    static int (*const others[])(struct strata_station *, void *) = {scans, barrier, allgather};
    struct random r = {5};
    (void)state;
    for (int ranks = 1; ranks <= MOST; ranks += ranks < 20 ? 1 : 7) {
        struct crowd c = {.ranks = ranks};
        for (int i = 0; i < ranks; i++) {
            c.address[i] = i;
        }
        random_shuffle(&r, c.address, ranks);
        for (int i = 0; i < ranks; i++) {
            c.rank_at[c.address[i]] = i;
        }
        for (int i = 0; i < 3; i++) {
            run(others[i], &c, (uint64_t)ranks);
        }
        for (c.root = 0; c.root < ranks; c.root += ranks < 20 ? 1 : 9) {
            for (int i = 0; i < 4; i++) {
                run(rooted[i], &c, (uint64_t)ranks + (uint64_t)c.root);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_chains)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
