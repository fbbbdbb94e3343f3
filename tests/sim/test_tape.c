/* Repeated calls, which the engine runs by their tapes. Every byte is checked, and buffers move
 * from call to call. In the middle call one rank has another length than its local peer. Some tapes
 * are made before a call, and act as tapes of calls. */
#include "sim/virtual/virtual_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "core/engine/tape.h"
#include "hier/capacity.h"
#include "hier/registry.h"
#include "tests/assert_cmp.h"
#include "tests/long.h"
#include "tests/random.h"

enum {
    MOST_RANKS = 9,
    CALLS = 12,
    FORESEEN = 6,
    WRONG_CALL = 8,
    MOST_BYTES = 40,
    GAP = 3,
    THRESHOLD = 48, /* of gatherv and scatterv */
    WORLDS = 600,
    THREAD_WORLDS = 1000
};
enum { ROOM = MOST_RANKS * (MOST_BYTES + 1 + GAP), PLAIN = 0xEE };

struct trial {
    uint64_t seed;
    struct random r;
    int ranks, nodes, root, wrong; /* wrong: the rank with another length; -1: none */
    int foreseen; /* the call whose tape is made without an earlier call; -1: none */
    enum strata_collective collective;
    struct strata_topology *topology, *flat;
    struct strata_capacity capacity;
    struct strata_plan *plan[MOST_RANKS];
    int bytes[MOST_RANKS][MOST_RANKS]; /* [source][destination]; of others than alltoallv the
                                          blocks are [rank][0] */
    /* for each rank and call */
    int works[CALLS][MOST_RANKS][MOST_RANKS];
    int counts[2][CALLS][MOST_RANKS][MOST_RANKS], displs[2][CALLS][MOST_RANKS][MOST_RANKS];
    unsigned char sizes[2][CALLS][MOST_RANKS][ROOM];
    struct strata_virtual_call call[CALLS * MOST_RANKS];
};

static int seen_taped, seen_left;

static bool pairs(const struct trial *t)
{
    return t->collective == STRATA_ALLTOALLV;
}

/* Whether a rank has only its own block on that side, and all receivers get the same. */
static bool one_block(const struct trial *t, bool out)
{
    return !pairs(t) && out == (t->collective == STRATA_SCATTERV);
}

static int bytes_of(const struct trial *t, int source, int destination)
{
    switch (t->collective) {
    case STRATA_GATHERV:
        return destination == t->root ? t->bytes[source][0] : 0;
    case STRATA_SCATTERV:
        return source == t->root ? t->bytes[destination][0] : 0;
    default:
        return t->bytes[source][pairs(t) ? destination : 0];
    }
}

static unsigned char byte_of(int call, int source, int destination, int i)
{
    return (unsigned char)(17 * call + 31 * source + 7 * destination + i);
}

static const struct {
    enum strata_collective collective;
    const char *row;
} kinds[] = {{STRATA_ALLTOALLV, "leaders"},
             {STRATA_ALLGATHERV, "node_allgather"},
             {STRATA_GATHERV, "node_gather"},
             {STRATA_SCATTERV, "node_scatter"}};

static void draw_world(struct trial *t)
{
    const int kind = random_below(&t->r, 4);
    int node[MOST_RANKS];
    t->ranks = random_between(&t->r, 2, MOST_RANKS);
    t->nodes = random_one_in(&t->r, 4) ? random_between(&t->r, 1, t->ranks - 1) : 1;
    for (int rank = 0; rank < t->ranks; rank++) {
        node[rank] = rank % t->nodes;
    }
    assert_int_equal(strata_topology_from_colours(t->ranks, node, NULL, &t->topology), 0);
    assert_int_equal(strata_topology_flat(t->ranks, &t->flat), 0);
    assert_int_equal(strata_capacity_divide(t->topology, kind < 2 ? 1 << 16 : 1 << 20,
                                            MOST_BYTES + 1, 1, false, &t->capacity),
                     0);
    t->capacity.single_copy = false;
    t->collective = kinds[kind].collective;
    t->root = strata_collective_rooted(t->collective) ? random_below(&t->r, t->ranks) : 0;
    t->capacity.threshold = kind < 2 ? t->capacity.threshold : THRESHOLD;
    struct strata_problem problem = {.collective = t->collective,
                                     .topology = t->topology,
                                     .flat = t->flat,
                                     .capacity = t->capacity,
                                     .root = t->root,
                                     .most_bytes = kind == 1 ? MOST_BYTES + 1 : 0,
                                     .block_bytes = MOST_BYTES};
    const struct strata_algorithm *algorithm = strata_registry_find(kinds[kind].row);
    for (int i = 0; i < STRATA_PARAMETERS && algorithm->parameters[i].name; i++) {
        const struct strata_parameter *p = &algorithm->parameters[i];
        problem.parameter[i] = p->automatic ? p->automatic : p->least;
    }
    problem.parameter[0] = pairs(t) ? t->topology->largest : 1;
    for (problem.rank = 0; problem.rank < t->ranks; problem.rank++) {
        struct strata_diagnostic message = {""};
        assert_int_equal(
            strata_algorithm_plan(algorithm, &problem, &t->plan[problem.rank], &message), 0);
    }
}

/* One side of a rank's call: blocks with gaps between them. */
static struct strata_layout side(struct trial *t, int c, int rank, bool out)
{
    int *counts = t->counts[out][c][rank], *displs = t->displs[out][c][rank], at = 0;
    const bool one = one_block(t, out);
    for (int peer = 0; peer < t->ranks; peer++) {
        counts[peer] = one   ? t->bytes[rank][0]
                       : out ? bytes_of(t, peer, rank)
                             : bytes_of(t, rank, peer);
        displs[peer] = one ? 0 : at;
        at += counts[peer] + GAP;
    }
    unsigned char *base = t->sizes[out][c][rank];
    memset(base, PLAIN, ROOM);
    for (int peer = 0; !out && peer < (one ? 1 : t->ranks); peer++) {
        for (int i = 0; i < counts[peer]; i++) {
            base[displs[peer] + i] = byte_of(c, rank, one ? 0 : peer, i);
        }
    }
    struct strata_layout l = {.base = base, .type = &strata_byte_type};
    if (one) {
        l.count = (size_t)counts[0];
    } else {
        l.counts = counts;
        l.displs = displs;
    }
    return l;
}

static void draw_calls(struct trial *t)
{
    for (int source = 0; source < t->ranks; source++) {
        for (int destination = 0; destination < t->ranks; destination++) {
            int bytes = random_one_in(&t->r, 4) ? 0 : random_below(&t->r, MOST_BYTES + 1);
            t->bytes[source][destination] = random_one_in(&t->r, 3) ? 8 : bytes;
        }
    }
    for (int c = 0; c < CALLS; c++) {
        for (int rank = 0; rank < t->ranks; rank++) {
            struct strata_virtual_call *call = &t->call[c * t->ranks + rank];
            *call = (struct strata_virtual_call){.plan = t->plan[rank],
                                                 .input = side(t, c, rank, false),
                                                 .output = side(t, c, rank, true)};
            for (int block = 0; block < t->ranks; block++) {
                t->works[c][rank][block] = t->bytes[block][0];
            }
            call->work = (struct strata_layout){.type = &strata_byte_type,
                                                .counts = pairs(t) ? NULL : t->works[c][rank]};
        }
    }
}

/* In one call a rank sends another one a byte more than expected. */
static void spoil(struct trial *t)
{
    const bool scatters = t->collective == STRATA_SCATTERV;
    t->wrong = scatters ? t->root : random_below(&t->r, t->ranks);
    t->wrong += t->collective == STRATA_GATHERV && t->wrong == t->root; /* not its own block */
    t->wrong %= t->ranks;
    int peer = (t->wrong + 1) % t->ranks, block = scatters ? peer : t->wrong;
    struct strata_virtual_call *call = &t->call[WRONG_CALL * t->ranks + t->wrong];
    t->works[WRONG_CALL][t->wrong][block]++;
    if (one_block(t, false)) {
        t->counts[true][WRONG_CALL][t->wrong][t->wrong]++;
        call->input.count++;
    } else {
        t->counts[false][WRONG_CALL][t->wrong][peer]++;
    }
}

static void check_bytes(const struct trial *t, int c, int rank)
{
    unsigned char expected[ROOM];
    memset(expected, PLAIN, ROOM);
    for (int source = 0; source < t->ranks; source++) {
        for (int i = 0; i < bytes_of(t, source, rank); i++) {
            expected[t->displs[true][c][rank][source] + i] =
                byte_of(c, source, one_block(t, false) ? 0 : rank, i);
        }
    }
    if (memcmp(expected, t->sizes[true][c][rank], ROOM) != 0) {
        fail_msg("seed %llu: rank %d of %d on %d nodes has a wrong byte after call %d",
                 (unsigned long long)t->seed, rank, t->ranks, t->nodes, c);
    }
}

/* A tape counts the same traffic as the call that it was made of. */
static void check_counts(const struct trial *t, int c, int rank)
{
    const struct strata_virtual_call *call = &t->call[c * t->ranks + rank];
    const struct strata_virtual_call *first = &t->call[rank];
    assert_int_equal(call->count.copied, first->count.copied);
    assert_int_equal(call->agreed.known, first->agreed.known);
    assert_int_equal(call->agreed.largest, first->agreed.largest);
    assert_int_equal(call->agreed.load, first->agreed.load);
}

static void judge(const struct trial *t)
{
    int found = 0;
    for (int c = 0; c < CALLS; c++) {
        for (int rank = 0; rank < t->ranks; rank++) {
            const struct strata_virtual_call *call = &t->call[c * t->ranks + rank];
            if (t->wrong >= 0 && c == WRONG_CALL) {
                const size_t usual = t->call[rank].count.copied;
                assert_true(rank == t->wrong || call->count.copied <= usual + 1);
                found += call->status == STRATA_ERR_TRUNCATE;
                seen_left += !call->taped && rank != t->wrong && t->nodes == 1;
                continue;
            }
            assert_int_equal(call->status, STRATA_OK);
            check_bytes(t, c, rank);
            check_counts(t, c, rank);
            int taped_from = t->foreseen == 0 ? 0 : 3;
            if (t->nodes == 1 && c >= taped_from && c != WRONG_CALL + 1 && c != WRONG_CALL + 2) {
                assert_true(call->taped);
            }
            seen_taped += call->taped;
        }
    }
    assert_true(t->wrong < 0 || found > 0);
}

static void run_trial(uint64_t seed, bool threads)
{
    static struct trial t;
    struct strata_virtual *world = NULL;
    struct strata_diagnostic message = {""};
    memset(&t, 0, sizeof t);
    t.seed = seed;
    t.wrong = -1;
    t.r.state = random_mix(seed + 1);
    draw_world(&t);
    draw_calls(&t);
    if (!threads && random_one_in(&t.r, 2)) {
        spoil(&t);
    }
    t.foreseen = (int[]){-1, 0, FORESEEN}[random_below(&t.r, 3)];
    struct strata_virtual_options options = {.alone = true,
                                             .seed = (unsigned)seed,
                                             .schedule = random_below(&t.r, 3),
                                             .foresee = t.foreseen + 1};
    assert_int_equal(
        strata_virtual_create(t.topology, t.capacity.slot, t.capacity.landing, &options, &world),
        0);
    int status = threads ? strata_virtual_run_threads(world, t.call, CALLS, &message)
                         : strata_virtual_run(world, t.call, CALLS, &message);
    if (status != STRATA_OK && (t.wrong < 0 || status != STRATA_ERR_TRUNCATE)) {
        fail_msg("seed %llu: %s", (unsigned long long)seed, message.text);
    }
    judge(&t);
    strata_virtual_destroy(world);
    for (int rank = 0; rank < t.ranks; rank++) {
        strata_plan_destroy(t.plan[rank]);
    }
    strata_topology_destroy(t.topology);
    strata_topology_destroy(t.flat);
}

static void calls_made_again_are_right(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < WORLDS; seed++) {
        run_trial(seed, false);
    }
    ASSERT_CMP(seen_taped, >, WORLDS);
    ASSERT_CMP(seen_left, >, WORLDS / 20);
}

static void ranks_may_be_threads(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < (long_form() ? THREAD_WORLDS : THREAD_WORLDS / 10); seed++) {
        run_trial(1000 + seed, true);
    }
}

/* A plan of signals only. */
static void make_barrier(struct strata_topology **topology, struct strata_plan **plan)
{
    static const int node[] = {0, 0};
    struct strata_problem problem = {.collective = STRATA_BARRIER, .parameter = {1, 1, 1, 1}};
    struct strata_diagnostic message = {""};
    assert_int_equal(strata_topology_from_colours(2, node, NULL, topology), 0);
    assert_int_equal(strata_capacity_divide(*topology, 1 << 16, 0, 1, false, &problem.capacity), 0);
    problem.topology = problem.flat = *topology;
    assert_int_equal(
        strata_algorithm_plan(strata_registry_find("node_barrier"), &problem, plan, &message), 0);
}

/* After memory failed and is there again, nothing of the earlier attempt is left (sanitizers
 * check). */
static void a_tape_is_made_after_memory_failed(void **state)
{
    (void)state;
    struct strata_topology *topology = NULL;
    struct strata_plan *plan = NULL;
    make_barrier(&topology, &plan);
    const struct strata_node_memory_sizes sizes = {.slot = {STRATA_LINE, STRATA_LINE}};
    void *base = aligned_alloc(STRATA_LINE, strata_node_memory_bytes(2, &sizes));
    assert_non_null(base);
    struct strata_node_memory memory;
    strata_node_memory_init(&memory, base, 2, 0, &sizes);
    int failed = 0;
    for (bool learnt = false; !learnt; failed += !learnt) {
        struct strata_execution x = {
            .plan = plan, .memory = &memory, .ring = &memory.ring[STRATA_LARGE_RING]};
        struct strata_tape *tape = strata_tape_create(plan, false);
        assert_non_null(tape);
        strata_memory_fail_after(failed + 1);
        learnt = strata_tape_record(tape, &x);
        strata_memory_fail_after(-1);
        assert_true(strata_tape_record(tape, &x));
        strata_tape_destroy(tape);
    }
    ASSERT_CMP(failed, >, 1);
    free(base);
    strata_plan_destroy(plan);
    strata_topology_destroy(topology);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(calls_made_again_are_right),
                                       cmocka_unit_test(a_tape_is_made_after_memory_failed),
                                       cmocka_unit_test(ranks_may_be_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
