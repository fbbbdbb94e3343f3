/* Topologies: the grammar and its complaints, numbering, sub-communicators, failing allocations.
 *
 * timeout: 30 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "core/topology/topology.h"
#include "tests/assert_cmp.h"

static struct strata_topology *parsed(const char *text, int ranks)
{
    struct strata_topology *t = NULL;
    struct strata_diagnostic message = {""};
    if (strata_topology_parse(text, ranks, &t, &message) != STRATA_OK) {
        fail_msg("\"%s\": %s", text, message.text);
    }
    return t;
}

/* Checks what every topology must satisfy. */
static void assert_consistent(const struct strata_topology *t)
{
    int largest = 0, smallest = t->ranks;
    assert_int_equal(t->first[0], 0);
    assert_int_equal(t->first[t->nodes], t->ranks);
    for (int node = 0; node < t->nodes; node++) {
        int size = strata_topology_node_size(t, node);
        ASSERT_CMP(size, >, 0);
        largest = size > largest ? size : largest;
        smallest = size < smallest ? size : smallest;
        for (int i = 0; i < size; i++) {
            int rank = strata_topology_rank(t, node, i);
            assert_int_equal(t->node_of[rank], node);
            assert_int_equal(t->local_of[rank], i);
            assert_int_equal(strata_topology_position(t, rank), t->first[node] + i);
            assert_true(i == 0 || rank > strata_topology_rank(t, node, i - 1));
            assert_int_equal(t->in_turn[t->first[node] + t->turn_of[rank]], rank);
        }
        assert_true(node == 0 ||
                    strata_topology_rank(t, node, 0) > strata_topology_rank(t, node - 1, 0));
    }
    assert_int_equal(t->largest, largest);
    assert_int_equal(t->smallest, smallest);
}

static void assert_list(const int *list, int count, const char *expected)
{
    char text[256] = "";
    for (int i = 0; i < count; i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, i ? " %d" : "%d", list[i]);
    }
    assert_string_equal(text, expected);
}

static void assert_described(const struct strata_topology *t, const char *expected)
{
    char text[128];
    assert_int_equal(strata_topology_describe(t, text, sizeof text), strlen(expected));
    assert_string_equal(text, expected);
}

/* text, ranks given, node of each rank, domain of each rank, description */
static const struct {
    const char *text;
    int ranks;
    const char *nodes, *domains, *described;
} good[] = {
    {"node:4", 8, "0 0 1 1 2 2 3 3", "0 0 0 0 0 0 0 0", "8 ranks on 4 nodes (2 each), block order"},
    {"node:3", 8, "0 0 0 1 1 1 2 2", "0 0 0 0 0 0 0 0",
     "8 ranks on 3 nodes (2 to 3 each), block order"},
    {"node:3,3,2", 0, "0 0 0 1 1 1 2 2", "0 0 0 0 0 0 0 0",
     "8 ranks on 3 nodes (2 to 3 each), block order"},
    {"node:1,4", 5, "0 1 1 1 1", "0 0 0 0 0", "5 ranks on 2 nodes (1 to 4 each), block order"},
    {"node:3:cyclic", 8, "0 1 2 0 1 2 0 1", "0 0 0 0 0 0 0 0",
     "8 ranks on 3 nodes (2 to 3 each), cyclic order"},
    {"node:1,4,2:cyclic", 7, "0 1 2 1 2 1 1", "0 0 0 0 0 0 0",
     "7 ranks on 3 nodes (1 to 4 each), cyclic order"},
    {"node:2 numa:2", 8, "0 0 0 0 1 1 1 1", "0 0 1 1 0 0 1 1",
     "8 ranks on 2 nodes (4 each), block order, 2 NUMA domains a node"},
    {" node:2  numa:2,1:cyclic rank:6\n", 0, "0 0 0 1 1 1", "0 1 0 0 1 0",
     "6 ranks on 2 nodes (3 each), block order, 2 NUMA domains a node"},
    {"numa:2 node:2:cyclic", 6, "0 1 0 1 0 1", "0 0 0 0 1 1",
     "6 ranks on 2 nodes (3 each), cyclic order, 2 NUMA domains a node"},
    {"rank:1 node:1", 0, "0", "0", "1 rank on 1 node (1 each), block order"},
};

static void test_grammar(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct strata_topology *t = parsed(good[i].text, good[i].ranks);
        assert_consistent(t);
        assert_list(t->node_of, t->ranks, good[i].nodes);
        assert_list(t->inner_of[STRATA_DOMAIN], t->ranks, good[i].domains);
        assert_described(t, good[i].described);
        strata_topology_destroy(t);
    }
}

/* text, ranks given, a part of the complaint */
static const struct {
    const char *text;
    int ranks;
    const char *complaint;
} bad[] = {
    {"", 8, "names no node level"},
    {"rank:8", 8, "names no node level"},
    {"node", 8, "\"node\" lacks \":\""},
    {"node:", 8, "\"node:\" lacks a number"},
    {"node:0", 8, "\"node:0\" lacks a number of 1 or more"},
    {"node:-2", 8, "\"node:-2\" lacks a number"},
    {"node:3,", 8, "\"node:3,\" lacks a number"},
    {"node:99999999999999999999", 8, "lacks a number"},
    {"node:4x", 8, "\"node:4x\" goes on"},
    {"node:4:cyclical", 8, "goes on"},
    {"node:4:cyc", 8, "goes on"},
    {"nodes:4", 8, "\"nodes:4\" is no level"},
    {"node:2 core:2", 8, "\"core:2\" is no level"},
    {"node:2 node:4", 8, "\"node:4\" names a level for the second time"},
    {"node:9", 8, "\"node:9\" is more nodes than there are ranks (8)"},
    {"node:3,3", 8, "\"node:3,3\" adds up to 6 ranks, but there are 8"},
    {"node:2147483647,2147483647", 8, "adds up to"},
    {"node:4 rank:7", 8, "\"rank:7\" is not the number of ranks, which is 8"},
    {"node:4 rank:4,4", 8, "\"rank:4,4\" must be one number"},
    {"node:4 rank:8:cyclic", 8, "must be one number"},
    {"node:4", 0, "leaves the number of ranks open"},
    {"node:3,3,2 numa:2,1", 8, "\"numa:2,1\" adds up to 3 ranks, but node 2 has 2"},
    {"node:2 numa:2 adapter:3", 8, "\"adapter:3\" is the number of no domain or package of a node"},
    {"node:2 cache:2 adapter:1", 8, "is the number of no domain or package of a node"},
    {"node:2 numa:2 adapter:1,2", 8, "\"adapter:1,2\" must be one number"},
    {"node:4 numa:3", 8, "more domains than the largest node has ranks (2)"},
    {"node:2 numa:2 domain:2", 8, "\"domain:2\" names a level for the second time"},
    {"node:1 package:2 cache:5", 8, "more caches than the largest package has ranks (4)"},
    {"node:1 package:6,2 numa:3,3", 8, "\"numa:3,3\" adds up to 6 ranks, but package 1 has 2"},
};

static void test_complaints(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct strata_diagnostic message = {""};
        struct strata_topology *t = NULL;
        assert_int_equal(strata_topology_parse(bad[i].text, bad[i].ranks, &t, &message),
                         STRATA_ERR_SYNTAX);
        assert_null(t);
        if (!strstr(message.text, bad[i].complaint)) {
            fail_msg("\"%s\": said %s", bad[i].text, message.text);
        }
        assert_non_null(strstr(message.text, "allowed: node:COUNT"));
        assert_int_equal(strata_topology_parse(bad[i].text, bad[i].ranks, &t, NULL),
                         STRATA_ERR_SYNTAX);
    }
}

static void test_colours(void **state)
{
    (void)state;
    const int node[] = {7, -3, 7, 100, -3, 7}, numa[] = {5, 5, 2, 0, 5, 5};
    const struct strata_inner_colours inner = {{[STRATA_DOMAIN] = numa}, NULL};
    struct strata_topology *t = NULL;
    assert_int_equal(strata_topology_from_colours(6, node, &inner, &t), STRATA_OK);
    assert_consistent(t);
    assert_list(t->node_of, 6, "0 1 0 2 1 0");
    assert_list(t->inner_of[STRATA_DOMAIN], 6, "0 0 1 0 0 0");
    assert_list(t->rank_at, 6, "0 2 5 1 4 3");
    assert_described(t, "6 ranks on 3 nodes (1 to 3 each), mixed order, 2 NUMA domains a node");
    strata_topology_destroy(t);
    assert_int_equal(strata_topology_from_colours(0, node, &inner, &t), STRATA_ERR_ARGUMENT);
}

/* Levels nest: each divides the objects of the next larger one that is given. */
static void test_inside(void **state)
{
    (void)state;
    struct strata_topology *t = parsed("cache:2 node:2 package:2 numa:2", 32);
    assert_consistent(t);
    assert_list(t->inner_of[STRATA_PACKAGE], 16, "0 0 0 0 0 0 0 0 1 1 1 1 1 1 1 1");
    assert_list(t->inner_of[STRATA_DOMAIN], 16, "0 0 0 0 1 1 1 1 2 2 2 2 3 3 3 3");
    assert_list(t->inner_of[STRATA_CACHE], 16, "0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7");
    assert_described(t, "32 ranks on 2 nodes (16 each), block order, 2 packages, 4 NUMA domains, "
                        "8 caches a node");
    strata_topology_destroy(t);
    t = parsed("node:1 package:4,2 cache:2:cyclic", 6);
    assert_list(t->inner_of[STRATA_PACKAGE], 6, "0 0 0 0 1 1");
    assert_list(t->inner_of[STRATA_DOMAIN], 6, "0 0 0 0 1 1");
    assert_list(t->inner_of[STRATA_CACHE], 6, "0 1 0 1 2 3");
    assert_true(!t->known[STRATA_DOMAIN] && t->known[STRATA_CACHE]);
    strata_topology_destroy(t);
}

/* Of each rank: the number of its object, by the definition: the first rank of an object has the
 * next number of its node. */
static void assert_numbered(const struct strata_topology *t, const int *larger, const int *colour,
                            const int *number)
{
    for (int node = 0; node < t->nodes; node++) {
        int objects = 0;
        for (int i = 0; i < strata_topology_node_size(t, node); i++) {
            int rank = strata_topology_rank(t, node, i), expected = objects;
            for (int j = 0; j < i && expected == objects; j++) {
                int other = strata_topology_rank(t, node, j);
                expected = colour[other] == colour[rank] && larger[other] == larger[rank]
                               ? number[other]
                               : expected;
            }
            assert_int_equal(number[rank], expected);
            objects += expected == objects;
        }
    }
}

/* Random colours, some of them at the ends of their range. */
static void test_random_colours(void **state)
{
    (void)state;
    enum { MOST = 60 };
    srand(11);
    for (int round = 0; round < 500; round++) {
        const int ranks = 1 + rand() % MOST, kinds = 1 + rand() % ranks;
        int node[MOST], package[MOST], cache[MOST], zeros[MOST] = {0};
        for (int rank = 0; rank < ranks; rank++) {
            node[rank] = rand() % 3;
            package[rank] = rand() % 2 ? INT32_MAX : INT32_MIN;
            cache[rank] = rand() % kinds - kinds / 2;
        }
        const struct strata_inner_colours inner = {{package, NULL, cache}, NULL};
        struct strata_topology *t = NULL;
        assert_int_equal(strata_topology_from_colours(ranks, node, &inner, &t), STRATA_OK);
        assert_numbered(t, zeros, package, t->inner_of[STRATA_PACKAGE]);
        assert_numbered(t, t->inner_of[STRATA_PACKAGE], cache, t->inner_of[STRATA_CACHE]);
        strata_topology_destroy(t);
    }
}

/* A million members with a cache each, in no order. Numbering them takes a moment;
 * where each member were compared with all before it, this test would take longer than it may. */
static void test_caches_of_their_own(void **state)
{
    (void)state;
    enum { RANKS = 1 << 20 };
    int *node = calloc(RANKS, sizeof *node), *cache = calloc(RANKS, sizeof *cache);
    assert_true(node && cache);
    for (int rank = 0; rank < RANKS; rank++) {
        cache[rank] = (int)(rank * 40503LL % RANKS);
    }
    const struct strata_inner_colours inner = {{[STRATA_CACHE] = cache}, NULL};
    struct strata_topology *t = NULL;
    assert_int_equal(strata_topology_from_colours(RANKS, node, &inner, &t), STRATA_OK);
    for (int rank = 0; rank < RANKS; rank++) {
        assert_int_equal(t->inner_of[STRATA_CACHE][rank], rank);
    }
    strata_topology_destroy(t);
    free(cache);
    free(node);
}

/* Equal colours in different larger objects are different objects. */
static void test_nested_colours(void **state)
{
    (void)state;
    const int node[6] = {0}, package[] = {1, 1, 2, 2, 1, 2}, cache[] = {5, 6, 5, 6, 5, 5};
    const struct strata_inner_colours inner = {{package, NULL, cache}, NULL};
    struct strata_topology *t = NULL;
    assert_int_equal(strata_topology_from_colours(6, node, &inner, &t), STRATA_OK);
    assert_list(t->inner_of[STRATA_PACKAGE], 6, "0 0 1 1 0 1");
    assert_list(t->inner_of[STRATA_DOMAIN], 6, "0 0 1 1 0 1");
    assert_list(t->inner_of[STRATA_CACHE], 6, "0 1 2 3 0 2");
    strata_topology_destroy(t);
}

static void test_flat(void **state)
{
    (void)state;
    struct strata_topology *t = NULL;
    assert_int_equal(strata_topology_flat(5, &t), STRATA_OK);
    assert_consistent(t);
    assert_list(t->node_of, 5, "0 1 2 3 4");
    assert_false(t->known[STRATA_DOMAIN]);
    strata_topology_destroy(t);
    strata_topology_destroy(NULL);
}

static void test_restrict(void **state)
{
    (void)state;
    struct strata_topology *world = parsed("node:3 numa:2", 12), *t = NULL;
    const int member[] = {11, 2, 3, 8, 0, 4};
    assert_int_equal(strata_topology_restrict(world, 6, member, &t), STRATA_OK);
    assert_consistent(t);
    assert_list(t->node_of, 6, "0 1 1 0 1 2");
    assert_list(t->inner_of[STRATA_DOMAIN], 6, "0 0 0 1 1 0");
    assert_true(t->known[STRATA_DOMAIN] && !t->known[STRATA_PACKAGE]);
    strata_topology_destroy(t);
    const int outside[] = {0, 12};
    assert_int_equal(strata_topology_restrict(world, 2, outside, &t), STRATA_ERR_ARGUMENT);
    strata_topology_destroy(world);
}

/* Random members of random topologies: the restriction keeps the nodes of the world. */
static void test_restrict_random(void **state)
{
    (void)state;
    srand(7);
    for (int round = 0; round < 500; round++) {
        char text[64];
        int ranks = 1 + rand() % 40, nodes = 1 + rand() % ranks, count = 1 + rand() % ranks;
        int member[40];
        snprintf(text, sizeof text, "node:%d%s", nodes, rand() % 2 ? ":cyclic" : "");
        struct strata_topology *world = parsed(text, ranks), *t = NULL;
        for (int i = 0; i < ranks; i++) { /* a shuffle; its first `count` are the members */
            int j = rand() % (i + 1);
            member[i] = member[j];
            member[j] = i;
        }
        assert_int_equal(strata_topology_restrict(world, count, member, &t), STRATA_OK);
        assert_consistent(world);
        assert_consistent(t);
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < count; j++) {
                assert_int_equal(t->node_of[i] == t->node_of[j],
                                 world->node_of[member[i]] == world->node_of[member[j]]);
            }
        }
        strata_topology_destroy(t);
        strata_topology_destroy(world);
    }
}

static void test_lanes(void **state)
{
    (void)state;
    struct strata_topology *t = parsed("node:5,2", 7);
    assert_int_equal(strata_lane_leader(t, 1, 3), 1);
    for (int lanes = 1; lanes <= 6; lanes++) {
        for (int node = 0; node < 2; node++) {
            int served = 0;
            for (int lane = 0; lane < lanes; lane++) {
                served += strata_lane_width(t, node, lane, lanes);
            }
            assert_int_equal(served, strata_topology_node_size(t, node));
        }
    }
    strata_topology_destroy(t);
}

/* Whether the leaders of so many lanes lie in as many objects of the level, in each node. */
static bool leaders_spread(const struct strata_topology *t, int level, int lanes)
{
    bool taken[256] = {false}, spread = true;
    for (int node = 0; node < t->nodes; node++) {
        memset(taken, 0, sizeof taken);
        for (int lane = 0; lane < lanes; lane++) {
            int leader = strata_topology_rank(t, node, strata_lane_leader(t, node, lane));
            spread = spread && !taken[t->inner_of[level][leader]];
            taken[t->inner_of[level][leader]] = true;
        }
    }
    return spread;
}

/* Whether each destination shares its object of the level with the leader of its lane. */
static bool served_inside(const struct strata_topology *t, int level, int lanes)
{
    bool inside = true;
    for (int rank = 0; rank < t->ranks; rank++) {
        int node = t->node_of[rank], lane = t->turn_of[rank] % lanes;
        int leader = strata_topology_rank(t, node, strata_lane_leader(t, node, lane));
        inside = inside && t->inner_of[level][leader] == t->inner_of[level][rank];
    }
    return inside;
}

/* text, ranks; packages, domains, caches of a node */
static const struct {
    const char *text;
    int ranks, objects[STRATA_INNER_LEVELS];
} recorded[] = {
    {"node:2 package:2 domain:4 cache:2", 256, {2, 8, 16}}, /* two EPYC with 64 cores */
    {"node:3:cyclic package:2 domain:4 cache:2", 384, {2, 8, 16}},
    {"node:2 package:2:cyclic domain:4:cyclic cache:2", 256, {2, 8, 16}},
    {"node:2 package:2 domain:4", 224, {2, 8, 8}}, /* two Xeon with 56 cores, SNC4 */
    {"node:2 domain:4", 96, {1, 4, 4}},            /* A64FX */
};

static void test_turns_of_recorded_machines(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof recorded / sizeof *recorded; i++) {
        struct strata_topology *t = parsed(recorded[i].text, recorded[i].ranks);
        for (int level = 0; level < STRATA_INNER_LEVELS; level++) {
            int objects = recorded[i].objects[level];
            for (int lanes = 1; lanes <= objects; lanes++) {
                assert_true(leaders_spread(t, level, lanes));
            }
            assert_true(served_inside(t, level, objects));
            assert_true(served_inside(t, level, 3 * objects));
        }
        strata_topology_destroy(t);
    }
}

/* Two packages of uneven size, one of them in one domain; and the members of a sub-communicator. */
static void test_turns(void **state)
{
    (void)state;
    static const int node[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1};
    static const int package[] = {0, 0, 0, 0, 0, 0, 1, 1, 0, 0};
    static const int domain[] = {0, 0, 0, 1, 1, 2, 3, 3, 0, 0};
    static const int some[] = {0, 1, 3, 4, 7, 8};
    const struct strata_inner_colours inner = {{package, domain, NULL}, NULL};
    struct strata_topology *t = NULL, *part = NULL;
    assert_int_equal(strata_topology_from_colours(10, node, &inner, &t), STRATA_OK);
    assert_list(t->in_turn, 10, "0 6 3 7 5 1 4 2 8 9");
    assert_list(t->turn_of, 10, "0 5 7 2 6 4 1 3 0 1");
    assert_int_equal(strata_lane_leader(t, 0, 9), 6);
    assert_int_equal(strata_topology_restrict(t, 6, some, &part), STRATA_OK);
    assert_list(part->in_turn, 6, "0 4 2 1 3 5");
    strata_topology_destroy(part);
    strata_topology_destroy(t);
}

/* Near an adapter lane 0 is led; the other objects follow in order. */
static void test_adapter(void **state)
{
    (void)state;
    static const int some[] = {0, 7, 8, 12};
    struct strata_topology *part = NULL;
    struct strata_topology *t = parsed("node:2 package:2 domain:2 adapter:3", 16);
    assert_list(t->in_turn, 16, "4 0 6 2 5 1 7 3 12 8 14 10 13 9 15 11");
    assert_int_equal(strata_lane_leader(t, 1, 0), 4);
    assert_int_equal(strata_topology_restrict(t, 4, some, &part), STRATA_OK);
    assert_list(part->in_turn, 4, "0 1 3 2");
    strata_topology_destroy(part);
    strata_topology_destroy(t);
    t = parsed("node:2 package:2 adapter:2", 8);
    assert_list(t->in_turn, 8, "2 0 3 1 6 4 7 5");
    strata_topology_destroy(t);
}

/* Without levels, and in a single node, turns are local indices. */
static void test_turns_alone(void **state)
{
    (void)state;
    static const char *const texts[] = {"node:3", "node:3:cyclic", "node:1 package:2 domain:2"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct strata_topology *t = parsed(texts[i], 12);
        assert_ptr_equal(t->turn_of, t->local_of);
        assert_ptr_equal(t->in_turn, t->rank_at);
        strata_topology_destroy(t);
    }
}

static void test_memory(void **state)
{
    (void)state;
    struct strata_topology *t = NULL;
    struct strata_diagnostic message;
    int status = STRATA_ERR_MEMORY;
    long after = 0;
    for (; status != STRATA_OK && after < 100; after++) {
        strata_memory_fail_after(after);
        status = strata_topology_parse("node:3,3,2 numa:2", 8, &t, &message);
        strata_memory_fail_after(-1);
        assert_true(status == STRATA_OK || status == STRATA_ERR_MEMORY);
    }
    assert_int_equal(status, STRATA_OK);
    ASSERT_CMP(after, >, 5); /* so many allocations can fail */
    strata_topology_destroy(t);
}

/* The most ranks of a node whose peer is on another one, counted. */
static int counted_leaving(const struct strata_topology *t, int distance, int kind)
{
    int most = 0;
    for (int node = 0; node < t->nodes; node++) {
        int here = 0;
        for (int i = 0; i < strata_topology_node_size(t, node); i++) {
            int rank = strata_topology_rank(t, node, i);
            int on = kind == 2 && rank % 2 ? rank - distance : rank + distance;
            int peer = kind == 1 ? rank ^ distance : (on + t->ranks) % t->ranks;
            here += t->node_of[peer] != node;
        }
        most = here > most ? here : most;
    }
    return most;
}

static void test_leaving(void **state)
{
    (void)state;
    static const char *const texts[] = {"node:1",  "node:2",        "node:4",        "node:8",
                                        "node:16", "node:4:cyclic", "node:16:cyclic"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct strata_topology *t = parsed(texts[i], 16);
        for (int distance = 0; distance < 16; distance++) {
            assert_int_equal(strata_topology_leaving(t, distance), counted_leaving(t, distance, 0));
        }
        for (int bit = 1; bit < 16; bit *= 2) {
            assert_int_equal(strata_topology_leaving_crosswise(t, bit), counted_leaving(t, bit, 1));
        }
        for (int reach = -5; reach <= 3; reach += 2) {
            ASSERT_CMP(strata_topology_leaving_swinging(t, reach), >=,
                       counted_leaving(t, reach, 2));
        }
        strata_topology_destroy(t);
    }
    struct strata_topology *uneven = parsed("node:3,3,2", 8);
    assert_int_equal(strata_topology_leaving(uneven, 1), 1);
    assert_int_equal(strata_topology_leaving(uneven, 2), 2);
    strata_topology_destroy(uneven);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grammar),
        cmocka_unit_test(test_complaints),
        cmocka_unit_test(test_colours),
        cmocka_unit_test(test_inside),
        cmocka_unit_test(test_nested_colours),
        cmocka_unit_test(test_random_colours),
        cmocka_unit_test(test_caches_of_their_own),
        cmocka_unit_test(test_flat),
        cmocka_unit_test(test_restrict),
        cmocka_unit_test(test_restrict_random),
        cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_adapter),
        cmocka_unit_test(test_turns_alone),
        cmocka_unit_test(test_turns_of_recorded_machines),
        cmocka_unit_test(test_leaving),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
