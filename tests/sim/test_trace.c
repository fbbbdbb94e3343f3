/* A trace agrees with the engine. For every algorithm and collective, it has the messages and bytes
 * of each rank that the engine counts when it runs the plan on virtual ranks. Each message, and
 * each signal, has both its ends. The same holds for a call that is repeated with kept lengths.
 *
 * timeout: 200 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "hier/capacity.h"
#include "hier/registry.h"
#include "sim/trace/trace.h"
#include "sim/virtual/virtual_run.h"
#include "tests/algorithms.h"
#include "tests/assert_cmp.h"
#include "tests/long.h"
#include "tests/random.h"

enum {
    MOST_RANKS = 18,
    MOST_BYTES = 200,
    MANY_PASSES = 9000,
    SEEDS = LONG_SANITIZED ? 3 : 12,
    MOST_SEEDS = 10 * SEEDS,
    TAGS = 8,
    ROWS = 64
};

static int traced[ROWS][STRATA_COLLECTIVE_COUNT];

/* Calls repeated with kept lengths; of these, the calls with fewer messages. */
static struct {
    int again, pruned;
} seen;

struct trial {
    uint64_t seed;
    struct random r;
    struct strata_topology *topology, *flat;
    struct strata_torus torus;
    struct strata_problem problem;
    size_t bytes;
    int ranks;
    struct strata_plan *plan[MOST_RANKS];
    struct strata_virtual_call calls[MOST_RANKS];
    struct strata_kept_lengths kept[MOST_RANKS];
    bool again;
    unsigned char *memory;
    struct strata_operator op;
};

/* The sums over a trace. */
struct sum {
    int rank, heads, open;
    const int *node_of;
    struct strata_traffic_count count;
    int (*sent)[MOST_RANKS][TAGS], (*received)[MOST_RANKS][TAGS];
};

static int keep_operand(const struct strata_operator *op, const void *from, void *into,
                        size_t elements)
{
    (void)op;
    (void)from;
    (void)into;
    (void)elements;
    return STRATA_OK;
}

static int add_event(void *self, const struct strata_event *e)
{
    struct sum *s = self;
    bool near = e->kind == STRATA_EVENT_SEND && s->node_of[e->peer] == s->node_of[s->rank];
    if (e->kind == STRATA_EVENT_SEND) {
        *(near ? &s->count.messages_node : &s->count.messages) += 1;
        *(near ? &s->count.bytes_node : &s->count.bytes) += (uint64_t)e->bytes;
    }
    if (e->kind == STRATA_EVENT_SEND || e->kind == STRATA_EVENT_SIGNAL) {
        s->sent[s->rank][e->peer][e->tag]++;
    }
    if (e->kind == STRATA_EVENT_RECV || e->kind == STRATA_EVENT_AWAIT) {
        s->received[e->peer][s->rank][e->tag]++;
    }
    s->open += e->kind == STRATA_EVENT_RECV || e->kind == STRATA_EVENT_SEND;
    s->open -= e->kind == STRATA_EVENT_WAIT_RECV || e->kind == STRATA_EVENT_WAIT_SEND;
    s->count.copied += e->kind == STRATA_EVENT_COPY ? (uint64_t)e->bytes : 0;
    return STRATA_OK;
}

static void draw_world(struct trial *t)
{
    int node_of[MOST_RANKS];
    t->ranks = random_between(&t->r, 1, MOST_RANKS);
    int nodes = random_one_in(&t->r, 4) ? 1 : random_between(&t->r, 1, t->ranks);
    random_nodes(&t->r, t->ranks, nodes, false, node_of);
    assert_int_equal(strata_topology_from_colours(t->ranks, node_of, NULL, &t->topology), 0);
    assert_int_equal(strata_topology_flat(t->ranks, &t->flat), 0);
    t->torus = strata_torus_balanced(t->ranks, 2);
    t->bytes = (size_t)random_between(&t->r, 0, random_one_in(&t->r, 4) ? MANY_PASSES : MOST_BYTES);
}

static bool draw_problem(struct trial *t, const struct strata_algorithm *algorithm,
                         enum strata_collective collective)
{
    for (int attempt = 0; attempt < 40; attempt++) {
        t->problem = (struct strata_problem){.collective = collective,
                                             .topology = t->topology,
                                             .flat = t->flat,
                                             .torus = &t->torus,
                                             .commutative = random_one_in(&t->r, 2),
                                             .block_bytes = (double)t->bytes,
                                             .most_bytes = t->bytes};
        t->problem.most_bytes *= strata_collective_scatters(collective) ? (size_t)t->ranks : 1;
        size_t threshold = random_one_in(&t->r, 2) ? 4096 : 64;
        assert_int_equal(strata_capacity_divide(t->topology, (size_t)1 << 17, threshold,
                                                random_between(&t->r, 1, 2), false,
                                                &t->problem.capacity),
                         0);
        if (strata_collective_rooted(collective)) {
            t->problem.root = random_below(&t->r, t->ranks);
        }
        algorithm_draw_parameters(algorithm, &t->r, t->problem.parameter);
        if (!strata_algorithm_refusal(algorithm, &t->problem)) {
            return true;
        }
    }
    return false;
}

/* Blocks of equal length side by side, whose contents are not checked here. */
static void make_calls(struct trial *t)
{
    size_t room = (size_t)t->ranks * t->bytes + 64;
    bool ranked = strata_collective_info[t->problem.collective].ranked;
    bool empty = t->problem.collective == STRATA_BARRIER;
    t->memory = calloc(2 * (size_t)t->ranks, room);
    assert_non_null(t->memory);
    t->op = (struct strata_operator){.combine = keep_operand};
    for (int r = 0; r < t->ranks; r++) {
        struct strata_layout layout = {.type = &strata_byte_type, .count = empty ? 0 : t->bytes};
        layout.segments = ranked ? 0 : (size_t)t->plan[r]->blocks.count;
        layout.unit = 1;
        struct strata_virtual_call *call = &t->calls[r];
        *call = (struct strata_virtual_call){.plan = t->plan[r], .work = layout, .op = &t->op};
        call->input = call->output = layout;
        call->input.base = t->memory + 2 * (size_t)r * room;
        call->output.base = call->input.base + room;
    }
}

/* Keeps as many lengths as the first call may bring; NULL where the plan keeps none. */
static void keep_lengths(struct trial *t)
{
    for (int r = 0; r < t->ranks; r++) {
        if (strata_keeps_lengths(t->plan[r], false)) {
            t->kept[r].word = calloc(strata_kept_words(t->plan[r]) + 1, sizeof *t->kept[r].word);
            assert_non_null(t->kept[r].word);
            t->calls[r].kept = &t->kept[r];
        }
    }
}

static void run_calls(struct trial *t)
{
    struct strata_virtual_options options = {.seed = 1, .spans = true};
    struct strata_virtual *world = NULL;
    struct strata_diagnostic message = {""};
    const struct strata_capacity *capacity = &t->problem.capacity;
    assert_int_equal(
        strata_virtual_create(t->topology, capacity->slot, capacity->landing, &options, &world), 0);
    if (strata_virtual_run(world, t->calls, 1, &message) != STRATA_OK) {
        fail_msg("%s: %s", t->plan[0]->name, message.text);
    }
    strata_virtual_destroy(world);
}

/* The row of `member` in the table of awaited signals on its node. */
static void find_readers(const struct trial *t, int rank, unsigned char *readers)
{
    const struct strata_topology *nodes = t->plan[rank]->topology;
    int node = nodes->node_of[rank], size = strata_topology_node_size(nodes, node);
    for (int m = 0; m < size; m++) {
        unsigned char awaited[MOST_RANKS];
        strata_plan_awaits(t->plan[strata_topology_rank(nodes, node, m)], awaited);
        readers[m] = awaited[nodes->local_of[rank]];
    }
}

static void compare(const struct trial *t, const struct sum *s, int rank)
{
    const struct strata_traffic_count *engine = &t->calls[rank].count, *trace = &s->count;
    if (engine->messages != trace->messages || engine->messages_node != trace->messages_node ||
        engine->bytes != trace->bytes || engine->bytes_node != trace->bytes_node) {
        fail_msg("seed %llu, %s%s, rank %d of %d, %zu bytes: the engine sends %llu + %llu "
                 "messages, %llu + %llu bytes, the trace %llu + %llu, %llu + %llu",
                 (unsigned long long)t->seed, t->plan[0]->name, t->again ? " again" : "", rank,
                 t->ranks, t->bytes, (unsigned long long)engine->messages,
                 (unsigned long long)engine->messages_node, (unsigned long long)engine->bytes,
                 (unsigned long long)engine->bytes_node, (unsigned long long)trace->messages,
                 (unsigned long long)trace->messages_node, (unsigned long long)trace->bytes,
                 (unsigned long long)trace->bytes_node);
    }
    /* Headers of messages, and a rank's own block, are copies that the engine does not count. What
     * local peers that cannot read it ask a rank to copy no trace knows of. */
    uint64_t slack = 16 * (trace->messages + trace->messages_node) + t->bytes;
    bool asked = t->plan[0]->blocks.exposes != 0 || t->plan[0]->exchange.exposes;
    if ((trace->copied < engine->copied && !asked) || trace->copied > engine->copied + slack) {
        fail_msg("seed %llu, %s, rank %d of %d, %zu bytes: the engine copies %llu bytes, the trace "
                 "%llu",
                 (unsigned long long)t->seed, t->plan[0]->name, rank, t->ranks, t->bytes,
                 (unsigned long long)engine->copied, (unsigned long long)trace->copied);
    }
    assert_int_equal(s->open, 0);
}

static void trace_ranks(const struct trial *t)
{
    static int sent[MOST_RANKS][MOST_RANKS][TAGS], received[MOST_RANKS][MOST_RANKS][TAGS];
    memset(sent, 0, sizeof sent);
    memset(received, 0, sizeof received);
    for (int rank = 0; rank < t->ranks; rank++) {
        unsigned char readers[MOST_RANKS];
        struct sum s = {.rank = rank, .node_of = t->topology->node_of};
        s.sent = sent;
        s.received = received;
        find_readers(t, rank, readers);
        struct strata_trace trace = {.plan = t->plan[rank],
                                     .nodes = t->topology,
                                     .bytes = t->bytes,
                                     .unit = 1,
                                     .again = t->again,
                                     .readers = readers,
                                     .take = add_event,
                                     .self = &s};
        assert_int_equal(strata_trace_run(&trace), STRATA_OK);
        compare(t, &s, rank);
    }
    if (memcmp(sent, received, sizeof sent) != 0) {
        fail_msg("seed %llu, %s: a message or a signal has one end only",
                 (unsigned long long)t->seed, t->plan[0]->name);
    }
}

static uint64_t messages_sent(const struct trial *t)
{
    uint64_t messages = 0;
    for (int r = 0; r < t->ranks; r++) {
        messages += t->calls[r].count.messages + t->calls[r].count.messages_node;
    }
    return messages;
}

static void trace_again(struct trial *t)
{
    uint64_t first = messages_sent(t);
    for (int r = 0; r < t->ranks; r++) {
        t->kept[r].known = true;
    }
    t->again = true;
    run_calls(t);
    trace_ranks(t);
    seen.again++;
    seen.pruned += messages_sent(t) < first;
}

static void run_trial(uint64_t seed, int index, enum strata_collective collective)
{
    const struct strata_algorithm *algorithm = strata_registry_at(index);
    struct trial t = {.seed = seed};
    t.r.state = random_mix(seed + 7) ^ (uint64_t)(100 * index + (int)collective);
    draw_world(&t);
    if (draw_problem(&t, algorithm, collective)) {
        for (int rank = 0; rank < t.ranks; rank++) {
            t.problem.rank = rank;
            assert_int_equal(strata_algorithm_plan(algorithm, &t.problem, &t.plan[rank], NULL), 0);
        }
        make_calls(&t);
        keep_lengths(&t);
        run_calls(&t);
        trace_ranks(&t);
        if (t.calls[0].kept) {
            trace_again(&t);
        }
        traced[index][collective]++;
        for (int rank = 0; rank < t.ranks; rank++) {
            strata_plan_destroy(t.plan[rank]);
            free(t.kept[rank].word);
        }
        free(t.memory);
    }
    strata_topology_destroy(t.topology);
    strata_topology_destroy(t.flat);
}

static void traces_say_what_the_engine_does(void **state)
{
    (void)state;
    const struct strata_algorithm *algorithm;
    for (int i = 0; (algorithm = strata_registry_at(i)); i++) {
        ASSERT_CMP(i, <, ROWS);
        for (int c = 0; c < STRATA_COLLECTIVE_COUNT && algorithm->level != STRATA_MPI; c++) {
            bool serves = algorithm->collectives >> c & 1;
            for (uint64_t seed = 0;
                 serves && (seed < SEEDS || (traced[i][c] == 0 && seed < MOST_SEEDS)); seed++) {
                run_trial(seed, i, (enum strata_collective)c);
            }
            if ((algorithm->collectives >> c & 1) && traced[i][c] == 0) {
                fail_msg("%s was never traced by %s",
                         strata_collective_name((enum strata_collective)c), algorithm->name);
            }
        }
    }
    printf("%d calls made again, %d of them with fewer messages\n", seen.again, seen.pruned);
    ASSERT_CMP(seen.again, >, 0);
    ASSERT_CMP(seen.pruned, >, 0);
    ASSERT_CMP(seen.pruned, <, seen.again);
}

static int refuse_third(void *self, const struct strata_event *e)
{
    (void)e;
    return ++*(int *)self == 3 ? STRATA_ERR_TRANSPORT : STRATA_OK;
}

/* An error of the callback ends the trace. MPI's own collective has no trace. */
static void errors_come_back(void **state)
{
    (void)state;
    struct trial t = {.seed = 0};
    t.bytes = 8;
    assert_int_equal(strata_topology_parse("node:8", 8, &t.topology, NULL), 0);
    assert_int_equal(strata_topology_flat(8, &t.flat), 0);
    t.problem = (struct strata_problem){
        .collective = STRATA_BARRIER, .topology = t.topology, .flat = t.flat, .parameter = {2}};
    int calls = 0;
    struct strata_trace trace = {
        .nodes = t.topology, .bytes = 8, .take = refuse_third, .self = &calls};
    const struct strata_algorithm *algorithms[] = {strata_registry_find("dissemination"),
                                                   strata_registry_find("native")};
    const int expected[] = {STRATA_ERR_TRANSPORT, STRATA_ERR_UNSUPPORTED};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(strata_algorithm_plan(algorithms[i], &t.problem, &t.plan[0], NULL), 0);
        trace.plan = t.plan[0];
        assert_int_equal(strata_trace_run(&trace), expected[i]);
        strata_plan_destroy(t.plan[0]);
    }
    assert_int_equal(calls, 3);
    strata_topology_destroy(t.topology);
    strata_topology_destroy(t.flat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(traces_say_what_the_engine_does),
        cmocka_unit_test(errors_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
