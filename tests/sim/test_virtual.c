/* Random alltoall(v) calls by every algorithm over virtual ranks: each byte of each buffer is
 * checked, also the gaps and the send buffers. Each world runs several calls by different plans in
 * sequence, with ranks a whole call ahead of others. STRATA_TEST_SEEDS=first,count runs others. */
#include "sim/virtual.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/memory.h"
#include "hier/limits.h"
#include "hier/registry.h"
#include "tests/sim/exchange.h"

enum { CALLS = 5, RANKS = 32, ROWS = 32, WORLDS = 2000 };

/* A world and the calls made on it. */
struct trial {
    uint64_t seed;
    struct random r;
    struct strata_topology *topology, *flat;
    struct strata_capacity capacity;
    struct strata_virtual_options options;
    struct strata_virtual *world;
    int ranks, ncalls;
    struct exchange *exchange[CALLS];
    const struct strata_algorithm *row[CALLS];
    struct strata_plan *plan[CALLS][RANKS];
    struct strata_virtual_call call[CALLS * RANKS];
};

/* What the calls made so far have in them, so that nothing is left out by bad luck. */
static struct {
    int row[ROWS], calls, passes, staged, direct, in_place, check, rendezvous, agreed;
} seen;

static void draw_topology(struct trial *t)
{
    int node[RANKS], numa[RANKS];
    int most = random_one_in(&t->r, 8) ? RANKS : random_one_in(&t->r, 3) ? 14 : 7;
    t->ranks = random_between(&t->r, 1, most);
    int nodes = random_between(&t->r, 1, t->ranks), order = random_below(&t->r, 3);
    for (int rank = 0; rank < t->ranks; rank++) {
        node[rank] = order == 0   ? rank * nodes / t->ranks
                     : order == 1 ? rank % nodes
                                  : random_below(&t->r, nodes);
        numa[rank] = random_below(&t->r, 3);
    }
    bool known = random_one_in(&t->r, 2);
    assert_int_equal(
        strata_topology_from_colours(t->ranks, node, known ? numa : NULL, &t->topology), STRATA_OK);
    assert_int_equal(strata_topology_flat(t->ranks, &t->flat), STRATA_OK);
}

/* From a budget that hardly holds anything, for many passes, up to a generous one. */
static void draw_capacity(struct trial *t)
{
    static const size_t thresholds[] = {0, 1, 8, 13, 64, 64, 100, 100, 256, 300};
    size_t threshold = thresholds[random_below(&t->r, 10)];
    size_t budget = random_one_in(&t->r, 3) ? (size_t)1024 << random_below(&t->r, 9) : 512;
    int passes = random_between(&t->r, 1, 40);
    bool check = random_one_in(&t->r, 3);
    passes = random_one_in(&t->r, 3) ? 1 : passes;
    while (strata_capacity_divide(t->topology, budget, threshold, passes, check, &t->capacity)) {
        budget += budget / (size_t)random_between(&t->r, 1, 8);
        assert_true(budget < 64u << 20);
    }
}

static void draw_world(struct trial *t)
{
    draw_topology(t);
    draw_capacity(t);
    t->options.rendezvous = random_one_in(&t->r, 2);
    t->options.seed = (unsigned)random_next(&t->r);
    t->options.schedule = random_below(&t->r, 4) % 3;
    assert_int_equal(strata_virtual_create(t->topology, t->capacity.slot, t->capacity.landing,
                                           &t->options, &t->world),
                     STRATA_OK);
}

static int draw_parameter(struct random *r, const struct strata_parameter *parameter)
{
    int choices = 0;
    while (choices < 8 && parameter->choices[choices] != 0) {
        choices++;
    }
    if (choices > 0 && !random_one_in(r, 3)) {
        return parameter->choices[random_below(r, choices)];
    }
    int most = parameter->most < 40 ? parameter->most : 40;
    return random_between(r, parameter->least, most);
}

/* Parameters with which the row is applicable; on a tight budget few are. */
static bool draw_parameters(struct random *r, const struct strata_algorithm *row,
                            struct strata_problem *problem)
{
    for (int attempt = 0; attempt < 50; attempt++) {
        for (int i = 0; i < STRATA_PARAMETERS && row->parameters[i].name; i++) {
            problem->parameter[i] = draw_parameter(r, &row->parameters[i]);
        }
        if (!row->applicable(problem)) {
            return true;
        }
    }
    return false;
}

/* A row that runs in the engine, drawn again until it is applicable. */
static const struct strata_algorithm *draw_algorithm(struct trial *t,
                                                     struct strata_problem *problem)
{
    int rows = 0;
    while (strata_registry_at(rows)) {
        rows++;
    }
    assert_in_range(rows, 1, ROWS);
    for (int attempt = 0; attempt < 1000; attempt++) {
        int index = random_below(&t->r, rows);
        const struct strata_algorithm *row = strata_registry_at(index);
        if (row->level != STRATA_MPI && row->collectives >> problem->collective & 1u &&
            draw_parameters(&t->r, row, problem)) {
            seen.row[index]++;
            return row;
        }
    }
    fail_msg("seed %llu: no algorithm is applicable", (unsigned long long)t->seed);
    return NULL;
}

static void make_plans(struct trial *t, int c, struct strata_problem *problem)
{
    for (int rank = 0; rank < t->ranks; rank++) {
        struct strata_message message;
        problem->rank = rank;
        int status = strata_algorithm_plan(t->row[c], problem, &t->plan[c][rank], &message);
        if (status != STRATA_OK) {
            fail_msg("seed %llu: %s is not built: %s", (unsigned long long)t->seed, t->row[c]->name,
                     message.text);
        }
    }
}

static void draw_call(struct trial *t, int c)
{
    struct strata_problem problem = {.topology = t->topology, .flat = t->flat};
    problem.capacity = t->capacity;
    problem.collective = random_one_in(&t->r, 4) ? STRATA_ALLTOALL : STRATA_ALLTOALLV;
    t->row[c] = draw_algorithm(t, &problem);
    make_plans(t, c, &problem);
    const struct strata_limits *limits = &t->plan[c][0]->limits;
    size_t near = random_one_in(&t->r, 4) ? limits->chunk : limits->threshold;
    t->exchange[c] = exchange_create(
        &t->r, (struct exchange_shape){t->ranks, problem.collective == STRATA_ALLTOALL, (int)near});
    for (int rank = 0; rank < t->ranks; rank++) {
        t->call[c * t->ranks + rank] =
            (struct strata_virtual_call){.plan = t->plan[c][rank],
                                         .input = exchange_input(t->exchange[c], rank)->layout,
                                         .output = t->exchange[c]->recv[rank].layout,
                                         .in_place = t->exchange[c]->in_place[rank],
                                         .check = t->capacity.check};
    }
}

static void trial_init(struct trial *t, uint64_t seed, int calls)
{
    memset(t, 0, sizeof *t);
    t->seed = seed;
    t->r.state = random_mix(seed + 1);
    draw_world(t);
    t->ncalls = random_between(&t->r, 1, calls);
    for (int c = 0; c < t->ncalls; c++) {
        draw_call(t, c);
    }
}

static void trial_fini(struct trial *t)
{
    for (int c = 0; c < t->ncalls; c++) {
        for (int rank = 0; rank < t->ranks; rank++) {
            strata_plan_destroy(t->plan[c][rank]);
        }
        exchange_destroy(t->exchange[c]);
    }
    strata_virtual_destroy(t->world);
    strata_topology_destroy(t->topology);
    strata_topology_destroy(t->flat);
}

/* "seed 7, call 1 of 3 (leaders:..., 9 ranks on 3 nodes, eager, schedule 0)" */
static const char *name_of(const struct trial *t, int c)
{
    static char text[256];
    snprintf(
        text, sizeof text, "seed %llu, call %d of %d (%s, %d ranks on %d nodes, %s, schedule %d)",
        (unsigned long long)t->seed, c + 1, t->ncalls, t->plan[c][0]->name, t->ranks,
        t->topology->nodes, t->options.rendezvous ? "rendezvous" : "eager", t->options.schedule);
    return text;
}

/* Plans with lanes leave all ranks with the true maxima. */
static void check_agreed(const struct trial *t, int c)
{
    const struct exchange *e = t->exchange[c];
    uint64_t largest = 0, busiest = 0;
    for (int source = 0; source < t->ranks; source++) {
        uint64_t sum = 0;
        for (int destination = 0; destination < t->ranks; destination++) {
            uint64_t bytes = (uint64_t)exchange_bytes(e, source, destination);
            largest = bytes > largest ? bytes : largest;
            sum += bytes;
        }
        busiest = sum > busiest ? sum : busiest;
    }
    for (int rank = 0; rank < t->ranks; rank++) {
        const struct strata_agreed *agreed = &t->call[c * t->ranks + rank].agreed;
        if (agreed->known != (t->plan[c][rank]->exchange.lanes > 0)) {
            fail_msg("%s: rank %d %s", name_of(t, c), rank,
                     agreed->known ? "agrees" : "does not agree");
        }
        if (agreed->known && (agreed->largest != largest || agreed->busiest != busiest)) {
            fail_msg("%s: rank %d agrees on %llu and %llu, not %llu and %llu", name_of(t, c), rank,
                     (unsigned long long)agreed->largest, (unsigned long long)agreed->busiest,
                     (unsigned long long)largest, (unsigned long long)busiest);
        }
        seen.agreed += agreed->known;
    }
}

static void count_call(const struct trial *t, int c)
{
    const struct exchange *e = t->exchange[c];
    const struct strata_plan *plan = t->plan[c][0];
    seen.calls++;
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

static void run_trial(uint64_t seed)
{
    static struct trial t;
    struct strata_message message = {""};
    trial_init(&t, seed, CALLS);
    int status = strata_virtual_run(t.world, t.call, t.ncalls, &message);
    if (status != STRATA_OK) {
        fail_msg("%s: %s: %s", name_of(&t, 0), strata_error_text(status), message.text);
    }
    for (int c = 0; c < t.ncalls; c++) {
        int wrong = exchange_wrong(t.exchange[c]);
        if (wrong >= 0) {
            fail_msg("%s: rank %d has a wrong byte", name_of(&t, c), wrong);
        }
        check_agreed(&t, c);
        count_call(&t, c);
    }
    trial_fini(&t);
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
        run_trial(seed);
    }
    if (other) {
        return;
    }
    for (int i = 0; strata_registry_at(i); i++) {
        bool native = strata_registry_at(i)->level == STRATA_MPI;
        assert_true(native ? seen.row[i] == 0 : seen.row[i] > WORLDS / 20);
    }
    int least = WORLDS / 10;
    assert_in_range(seen.calls, WORLDS, WORLDS * CALLS);
    assert_true(seen.passes > least && seen.staged > least && seen.direct > least);
    assert_true(seen.in_place > least && seen.check > least && seen.rendezvous > least);
    assert_true(seen.agreed > least);
}

/* Takes an element from what one side of a block says; false where that cannot be done. */
static bool disagree(struct trial *t, int source, int destination)
{
    struct exchange *e = t->exchange[0];
    int *sent = &e->send[source].counts[destination];
    int *expected = &e->recv[destination].counts[source];
    if (e->uniform || e->in_place[source] || e->in_place[destination] || *sent == 0) {
        return false;
    }
    *(random_one_in(&t->r, 2) ? sent : expected) -= 1;
    return true;
}

static bool on_one_side(const struct trial *t, int source, int destination)
{
    size_t threshold = t->plan[0][0]->limits.threshold;
    const struct exchange *e = t->exchange[0];
    size_t sent = strata_layout_bytes(&e->send[source].layout, destination);
    size_t expected = strata_layout_bytes(&e->recv[destination].layout, source);
    return (sent > threshold) == (expected > threshold);
}

/* The text has "rank SOURCE sends ... rank DESTINATION". */
static bool names_pair(const char *text, int source, int destination)
{
    int first = -1, second = -1;
    const char *at = strstr(text, "rank ");
    const char *next = at ? strstr(at + 1, "rank ") : NULL;
    return next && sscanf(at, "rank %d sen", &first) == 1 &&
           sscanf(next, "rank %d", &second) == 1 && first == source && second == destination;
}

/* Both staged, or both direct and not a rank's own: the error and, where it can be known, the pair.
 * Else one rank at least waits for a message that never comes, and somebody says so. */
static void disagree_and_run(struct trial *t, int source, int destination, int *found)
{
    struct strata_message message = {""};
    bool one_side = on_one_side(t, source, destination);
    bool direct = (size_t)exchange_bytes(t->exchange[0], source, destination) >
                  t->plan[0][0]->limits.threshold;
    int status = strata_virtual_run(t->world, t->call, 1, &message);
    if (status == STRATA_OK || (one_side && status != STRATA_ERR_TRUNCATE)) {
        fail_msg("%s: block %d to %d: %s: %s", name_of(t, 0), source, destination,
                 strata_error_text(status), message.text);
    }
    if (one_side && (t->capacity.check || direct)) {
        if (!names_pair(message.text, source, destination)) {
            fail_msg("%s: block %d to %d is not named: %s", name_of(t, 0), source, destination,
                     message.text);
        }
        found[direct]++;
    }
}

static void lengths_that_disagree_are_found(void **state)
{
    (void)state;
    static struct trial t;
    int found[2] = {0, 0};
    for (uint64_t seed = 0; seed < 600; seed++) {
        trial_init(&t, seed, 1);
        for (int attempt = 0; attempt < 20; attempt++) {
            int source = random_below(&t.r, t.ranks), destination = random_below(&t.r, t.ranks);
            if (disagree(&t, source, destination)) {
                disagree_and_run(&t, source, destination, found);
                break;
            }
        }
        trial_fini(&t);
    }
    assert_true(found[0] > 20 && found[1] > 20);
}

/* Two ranks whose plans are given: a direct block each way if `receives` of both is set. */
struct pair {
    struct strata_topology *topology;
    struct strata_type type;
    unsigned char memory[2][2][2];
    int counts[2][2][2]; /* [rank][input, output][peer] */
    struct strata_plan *plan[2];
    struct strata_virtual_call call[2];
};

static struct strata_layout layout_of(struct pair *p, int rank, int side)
{
    static const int displs[] = {0, 1};
    return (struct strata_layout){.base = p->memory[rank][side],
                                  .type = &p->type,
                                  .counts = p->counts[rank][side],
                                  .displs = displs};
}

static void build_pair(struct pair *p, int rank, bool waits)
{
    struct strata_builder b;
    strata_builder_init(&b, STRATA_ALLTOALLV, "by-hand", rank, p->topology);
    strata_build_limits(&b, (struct strata_limits){0, 1, 1});
    strata_build_direct(&b, strata_build_set(&b, strata_box_item(2, 1)), 0);
    if (waits) {
        strata_build_wait_direct(&b, 0);
    }
    assert_int_equal(strata_builder_finish(&b, &p->plan[rank]), STRATA_OK);
}

/* Rank r sends to and expects from the other as counts say: sends[r], expects[r]. */
static int run_pair(const int *sends, const int *expects, bool waits, bool rendezvous, char *text)
{
    static struct pair p;
    const struct strata_piece byte = {0, 1};
    struct strata_virtual_options options = {.rendezvous = rendezvous, .schedule = 1};
    struct strata_virtual *world;
    struct strata_message message = {""};
    memset(&p, 0, sizeof p);
    assert_int_equal(strata_topology_flat(2, &p.topology), STRATA_OK);
    assert_int_equal(strata_type_init(&p.type, &byte, 1, 1), STRATA_OK);
    assert_int_equal(strata_virtual_create(p.topology, 0, 0, &options, &world), STRATA_OK);
    for (int rank = 0; rank < 2; rank++) {
        build_pair(&p, rank, waits);
        p.counts[rank][0][1 - rank] = sends[rank];
        p.counts[rank][1][1 - rank] = expects[rank];
        p.call[rank] = (struct strata_virtual_call){.plan = p.plan[rank],
                                                    .input = layout_of(&p, rank, 0),
                                                    .output = layout_of(&p, rank, 1)};
    }
    int status = strata_virtual_run(world, p.call, 1, &message);
    memcpy(text, message.text, STRATA_MESSAGE_SIZE);
    strata_virtual_destroy(world);
    strata_plan_destroy(p.plan[0]);
    strata_plan_destroy(p.plan[1]);
    strata_type_fini(&p.type);
    strata_topology_destroy(p.topology);
    return status;
}

/* The harness itself: what must be found is found. */
static void mistakes_of_plans_are_found(void **state)
{
    (void)state;
    const int one[] = {1, 1}, none[] = {0, 0}, first[] = {1, 0};
    char text[STRATA_MESSAGE_SIZE];
    assert_int_equal(run_pair(one, one, true, true, text), STRATA_OK);
    assert_int_equal(run_pair(one, one, true, false, text), STRATA_OK);
    assert_int_equal(run_pair(none, first, true, true, text), STRATA_ERR_PLAN);
    assert_non_null(strstr(text, "nobody can move: rank 0 in call 0 at step 1 (wait"));
    assert_int_equal(run_pair(one, first, true, false, text), STRATA_ERR_PLAN);
    assert_non_null(strstr(text, "rank 0 sent rank 1 a message that is never received"));
    assert_int_equal(run_pair(one, one, false, false, text), STRATA_ERR_PLAN);
    assert_non_null(strstr(text, "rank 0 ends with 2 requests open"));
}

/* Whatever allocation fails, the error comes back and nothing leaks. */
static void failed_allocations_are_errors(void **state)
{
    (void)state;
    struct strata_topology *topology;
    struct strata_virtual_options options = {.rendezvous = false};
    struct strata_virtual *world;
    int status = STRATA_ERR_MEMORY;
    assert_int_equal(strata_topology_parse("node:2", 4, &topology, NULL), STRATA_OK);
    for (long k = 1; status != STRATA_OK; k++) {
        strata_memory_fail_after(k);
        status = strata_virtual_create(topology, 64, 64, &options, &world);
        strata_memory_fail_after(-1);
        assert_true(status == STRATA_OK || status == STRATA_ERR_MEMORY);
        assert_true(k < 50);
    }
    strata_virtual_destroy(world);
    strata_topology_destroy(topology);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_of_plans_are_found),
        cmocka_unit_test(random_calls_give_the_expected_bytes),
        cmocka_unit_test(lengths_that_disagree_are_found),
        cmocka_unit_test(failed_allocations_are_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
