/* Random alltoall(v) calls by every algorithm over virtual ranks. Each byte of each buffer is
 * checked, gaps and send buffers included. Each world runs several calls by different plans in
 * sequence, with ranks a whole call ahead of others. STRATA_TEST_SEEDS=first,count runs other
 * seeds.
 *
 * Then one length is wrong in one of the calls: it ends on all ranks, at least one finds the
 * mistake, and the other calls are right. Ranks also run as threads, for a thread sanitizer. */
#include "sim/virtual/virtual_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/algorithms.h"
#include "tests/assert_cmp.h"
#include "tests/long.h"
#include "tests/sim/trial.h"

enum {
    ROWS = 256,
    WORLDS = LONG_SANITIZED ? 600 : 2000,
    WRONG_WORLDS = LONG_SANITIZED ? 600 : 3000,
    BLOCK_ROOM = 4096
};
enum { THREAD_WORLDS = 1000 };

/* The features of the calls so far, so that none is left out by bad luck. */
static struct {
    int algorithm[ROWS], calls, passes, staged, direct, in_place, check, rendezvous, agreed, wrong;
} seen;

/* The bytes of the node of a rank, as those of each member of the largest node. */
static uint64_t node_load(const struct trial *t, int c, int rank)
{
    const struct strata_topology *nodes = t->topology;
    uint64_t sum = 0;
    for (int other = 0; other < t->ranks; other++) {
        for (int to = 0; nodes->node_of[other] == nodes->node_of[rank] && to < t->ranks; to++) {
            sum += (uint64_t)exchange_bytes(t->exchange[c], other, to);
        }
    }
    return sum / (uint64_t)nodes->largest;
}

/* Plans with lanes leave all ranks with the true maxima: of ranks, or of nodes. */
static void check_agreed(const struct trial *t, int c)
{
    const struct exchange *e = t->exchange[c];
    const bool of_nodes = t->plan[c][0]->exchange.staged && t->topology->nodes > 1;
    uint64_t largest = 0, load = 0;
    for (int rank = 0; rank < t->ranks; rank++) {
        uint64_t sum = 0, out = 0, in = 0;
        for (int other = 0; other < t->ranks; other++) {
            uint64_t bytes = (uint64_t)exchange_bytes(e, rank, other);
            largest = bytes > largest ? bytes : largest;
            sum += bytes;
            out += other != rank && bytes > 0;
            in += other != rank && exchange_bytes(e, other, rank) > 0;
        }
        sum = of_nodes ? node_load(t, c, rank) : sum;
        load = strata_load_most(load, strata_load(sum, out > in ? out : in));
    }
    for (int rank = 0; rank < t->ranks; rank++) {
        const struct strata_agreed *agreed = &t->call[c * t->ranks + rank].agreed;
        if (agreed->known != (t->plan[c][rank]->exchange.lanes > 0)) {
            fail_msg("%s: rank %d %s", trial_name(t, c), rank,
                     agreed->known ? "agrees" : "does not agree");
        }
        if (agreed->known && (agreed->largest != largest || agreed->load != load)) {
            fail_msg("%s: rank %d agrees on %llu and %llx, not %llu and %llx", trial_name(t, c),
                     rank, (unsigned long long)agreed->largest, (unsigned long long)agreed->load,
                     (unsigned long long)largest, (unsigned long long)load);
        }
        seen.agreed += agreed->known;
    }
}

static void count_call(const struct trial *t, int c)
{
    const struct exchange *e = t->exchange[c];
    const struct strata_plan *plan = t->plan[c][0];
    seen.calls++;
    for (int i = 0; strata_registry_at(i); i++) {
        seen.algorithm[i] += t->algorithm[c] == strata_registry_at(i);
    }
    seen.passes += plan->limits.passes > 1;
    seen.check += t->capacity.check;
    seen.rendezvous += t->options.rendezvous;
    seen.in_place += e->in_place[0];
    for (int i = 0; i < t->ranks * t->ranks; i++) {
        bool direct = (size_t)e->bytes[i] > plan->limits.threshold;
        seen.direct += direct;
        seen.staged += !direct && e->bytes[i] > 0;
    }
}

typedef int run_world(struct strata_virtual *world, struct strata_virtual_call *calls, int ncalls,
                      struct strata_diagnostic *message);

static void run_trial(uint64_t seed, run_world *run)
{
    static struct trial t;
    struct strata_diagnostic message = {""};
    trial_init(&t, seed, TRIAL_CALLS);
    int status = run(t.world, t.call, t.ncalls, &message);
    if (status != STRATA_OK) {
        fail_msg("%s: %s: %s", trial_name(&t, 0), strata_error_text(status), message.text);
    }
    for (int c = 0; c < t.ncalls; c++) {
        int wrong = exchange_wrong(t.exchange[c]);
        if (wrong >= 0) {
            fail_msg("%s: rank %d has a wrong byte", trial_name(&t, c), wrong);
        }
        check_agreed(&t, c);
        count_call(&t, c);
    }
    trial_fini(&t);
}

/* A rank's side of the wrong call: bytes, in places of equal distance. */
struct wrong_side {
    int counts[TRIAL_RANKS];
    unsigned char sizes[TRIAL_RANKS * BLOCK_ROOM];
};

static int other_length(struct trial *t, int c, int bytes)
{
    int threshold = (int)t->plan[c][0]->limits.threshold;
    const int lengths[] = {0, 1, bytes + 1, bytes - 1, threshold, threshold + 1, 3 * threshold + 5};
    int other = bytes, empty = t->plan[c][0]->exchange.lanes == 0; /* nobody tells whether it is */
    while (other == bytes || other < 0 || (empty && (other == 0 || bytes == 0))) {
        other = lengths[random_below(&t->r, 7)];
        if (empty && bytes == 0) {
            return bytes;
        }
    }
    return other;
}

/* Changes one block's length on one side of a rank, or all lengths where they are equal. Returns
 * whether the call is wrong. */
static bool spoil(struct trial *t, int c, struct wrong_side *side)
{
    const struct exchange *e = t->exchange[c];
    int rank = random_below(&t->r, t->ranks), peer = random_below(&t->r, t->ranks);
    bool sends = random_one_in(&t->r, 2);
    struct strata_virtual_call *call = &t->call[c * t->ranks + rank];
    for (int i = 0; i < t->ranks; i++) {
        side->counts[i] = sends ? exchange_bytes(e, rank, i) : exchange_bytes(e, i, rank);
    }
    int right = side->counts[peer], other = other_length(t, c, right);
    for (int i = 0; i < t->ranks; i++) {
        side->counts[i] = e->uniform || i == peer ? other : side->counts[i];
    }
    struct strata_layout *l = sends ? &call->input : &call->output;
    if (e->in_place[rank] || other == right) {
        return false;
    }
    *l = (struct strata_layout){.base = side->sizes,
                                .type = &strata_byte_type,
                                .count = BLOCK_ROOM,
                                .counts = side->counts};
    return true;
}

static void run_wrong_trial(uint64_t seed)
{
    static struct trial t;
    static struct wrong_side side;
    struct strata_diagnostic message = {""};
    trial_init(&t, seed, TRIAL_CALLS);
    int spoilt = random_below(&t.r, t.ncalls), finders = 0;
    bool wrong = spoil(&t, spoilt, &side);
    int status = strata_virtual_run(t.world, t.call, t.ncalls, &message);
    if (status != STRATA_OK && status != STRATA_ERR_TRUNCATE) {
        fail_msg("%s: %s", trial_name(&t, spoilt), message.text);
    }
    for (int i = 0; i < t.ncalls * t.ranks; i++) {
        finders += t.call[i].status == STRATA_ERR_TRUNCATE;
        bool may = t.call[i].status == STRATA_ERR_TRUNCATE && i / t.ranks == spoilt;
        if (t.call[i].status != STRATA_OK && !may) {
            fail_msg("%s: rank %d: %s", trial_name(&t, i / t.ranks), i % t.ranks,
                     t.call[i].message.text);
        }
    }
    if (wrong != (finders > 0)) {
        fail_msg("%s: %d ranks find something", trial_name(&t, spoilt), finders);
    }
    for (int c = 0; c < t.ncalls; c++) {
        if (c != spoilt && exchange_wrong(t.exchange[c]) >= 0) {
            fail_msg("%s: a wrong byte", trial_name(&t, c));
        }
    }
    seen.wrong += wrong;
    trial_fini(&t);
}

static void a_wrong_length_leaves_the_ranks_in_step(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < WRONG_WORLDS; seed++) {
        run_wrong_trial(1000000 + seed);
    }
    ASSERT_CMP(seen.wrong, >, WRONG_WORLDS / 3);
}

static void random_calls_give_the_expected_bytes(void **state)
{
    (void)state;
    unsigned long long first = 0, count = WORLDS;
    const char *other = getenv("STRATA_TEST_SEEDS");
    if (other) {
        assert_int_equal(sscanf(other, "%llu,%llu", &first, &count), 2);
    }
    for (uint64_t seed = first; seed < first + count; seed++) {
        run_trial(seed, strata_virtual_run);
    }
    if (other) {
        return;
    }
    for (int i = 0; strata_registry_at(i); i++) {
        const struct strata_algorithm *algorithm = strata_registry_at(i);
        bool runs = algorithm->level != STRATA_MPI && algorithm_over_items(algorithm);
        assert_true(runs ? seen.algorithm[i] > WORLDS / 20 : seen.algorithm[i] == 0);
    }
    int least = WORLDS / 10;
    ASSERT_IN_RANGE(seen.calls, WORLDS, WORLDS * TRIAL_CALLS);
    ASSERT_CMP(seen.passes, >, least);
    ASSERT_CMP(seen.staged, >, least);
    ASSERT_CMP(seen.direct, >, least);
    ASSERT_CMP(seen.in_place, >, least);
    ASSERT_CMP(seen.check, >, least);
    ASSERT_CMP(seen.rendezvous, >, least);
    ASSERT_CMP(seen.agreed, >, least);
}

static void ranks_may_be_threads(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < (long_form() ? THREAD_WORLDS : THREAD_WORLDS / 10); seed++) {
        run_trial(2000000 + seed, strata_virtual_run_threads);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_calls_give_the_expected_bytes),
        cmocka_unit_test(a_wrong_length_leaves_the_ranks_in_step),
        cmocka_unit_test(ranks_may_be_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
