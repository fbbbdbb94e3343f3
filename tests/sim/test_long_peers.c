/* A long block of a gatherv or scatterv between the root and its local peer, beside short ones. The
 * receiver reads it from the owner's memory. The owner stays in the call until then, and answers
 * where it is asked. A rank with a short block waits for neither. A long block of an alltoallv is
 * taken before all have come, and its owner leaves when it is taken. No block is taken twice. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "core/engine/engine_sizes.h"
#include "hier/registry.h"
#include "sim/virtual/virtual_transport.h"
#include "sim/virtual/virtual_world.h"
#include "tests/assert_cmp.h"
#include "tests/sim/reading.h"

enum { RANKS = 3, ROOT = 0, OWNER = 1, OTHER = 2, SLOT = 16384, LONG = 40000, SHORT = 10 };

struct trial {
    enum strata_collective collective;
    struct strata_topology *topology, *flat;
    struct strata_virtual *world;
    struct strata_plan *plan[RANKS];
    struct strata_execution x[RANKS];
    struct reading reading[RANKS];
    struct strata_layout direct[RANKS][2];
    unsigned char *scratch[RANKS];
    unsigned char all[RANKS * LONG], own[RANKS][LONG], to[RANKS][RANKS * LONG];
};

static const size_t planned[RANKS] = {SHORT, 0, SHORT}, exposed[RANKS] = {0, LONG, 0};
static const size_t to_root[RANKS] = {LONG, 0, 0};
static const size_t exchanged[RANKS][RANKS] = {
    {SHORT, SHORT, SHORT}, {LONG, SHORT, SHORT}, {SHORT, SHORT, SHORT}};
static const size_t gotten[RANKS][RANKS] = {
    {SHORT, LONG, SHORT}, {SHORT, SHORT, SHORT}, {SHORT, SHORT, SHORT}};
static const ptrdiff_t apart[RANKS] = {0, LONG, 2 * LONG}, front[RANKS] = {0, 0, 0};

static struct strata_layout layout(unsigned char *base, const size_t *lengths,
                                   const ptrdiff_t *displacements)
{
    return (struct strata_layout){.base = base,
                                  .type = &strata_byte_type,
                                  .lengths = lengths,
                                  .displacements = displacements};
}

static void make_plans(struct trial *t, const char *row, bool middle)
{
    static const int node_of[RANKS] = {0};
    struct strata_diagnostic message = {""};
    struct strata_problem problem = {
        .collective = t->collective, .root = ROOT, .parameter = {1, 2, 1, 1}};
    assert_int_equal(strata_topology_from_colours(RANKS, node_of, NULL, &t->topology), STRATA_OK);
    assert_int_equal(strata_topology_flat(RANKS, &t->flat), STRATA_OK);
    problem.topology = t->topology;
    problem.flat = t->flat;
    problem.capacity = (struct strata_capacity){.slot = SLOT,
                                                .middle = middle ? STRATA_MIDDLE_SLOT : 0,
                                                .landing = SLOT,
                                                .scratch = 1 << 20,
                                                .threshold = 64,
                                                .passes = 1,
                                                .single_copy = true};
    for (problem.rank = 0; problem.rank < RANKS; problem.rank++) {
        struct strata_plan **plan = &t->plan[problem.rank];
        assert_int_equal(strata_algorithm_plan(strata_registry_find(row), &problem, plan, &message),
                         STRATA_OK);
        assert_true((*plan)->exchange.exposes);
        assert_int_equal((*plan)->blocks.ring, middle ? STRATA_MIDDLE_RING : STRATA_LARGE_RING);
    }
}

/* The part of a call that its rank alone knows. */
static struct strata_execution execution_of(struct trial *t, int rank)
{
    t->world->node_memory[rank].peers = &t->reading[rank].peers;
    return (struct strata_execution){.plan = t->plan[rank],
                                     .nodes = t->topology,
                                     .memory = &t->world->node_memory[rank],
                                     .transport = &strata_transport_virtual,
                                     .transport_self = &t->world->mail->boxes[rank],
                                     .fixed_scratch =
                                         strata_engine_fixed_scratch(t->plan[rank], false)};
}

static void start(struct trial *t, int rank, size_t scratch)
{
    t->scratch[rank] = calloc(1, scratch + 1);
    assert_non_null(t->scratch[rank]);
    t->x[rank].scratch = t->scratch[rank];
    assert_int_equal(strata_engine_start(&t->x[rank]), STRATA_OK);
}

static void begin(struct trial *t, int rank)
{
    const bool gathers = t->collective == STRATA_GATHERV;
    struct strata_execution *x = &t->x[rank];
    struct strata_layout one = layout(t->own[rank], &planned[rank], front), *direct, expose;
    struct strata_layout all = layout(t->all, planned, apart);
    struct strata_layout none = {.type = &strata_byte_type};
    expose = rank == ROOT ? layout(t->all, exposed, apart) : layout(t->own[rank], to_root, front);
    direct = t->direct[rank];
    direct[0] = (rank == ROOT) == gathers ? none : expose;
    direct[1] = (rank == ROOT) == gathers ? expose : none;
    *x = execution_of(t, rank);
    x->input = gathers ? one : all;
    x->output = gathers ? all : one;
    x->work = layout(NULL, planned, NULL);
    x->long_blocks = rank == OTHER ? NULL : direct;
    start(t, rank, strata_engine_scratch(x));
}

/* Another plan's data lie behind the blocks of the slot. */
static void begin_exchange(struct trial *t, int rank)
{
    struct strata_execution *x = &t->x[rank];
    const struct strata_ring *ring = &t->world->node_memory[rank].ring[STRATA_LARGE_RING];
    memset(strata_ring_slot(ring, rank, ring->epoch) + strata_loans_begin(t->plan[rank]), 0x5a,
           strata_exposed_table_bytes(RANKS));
    *x = execution_of(t, rank);
    x->input = layout(t->all, exchanged[rank], apart);
    x->output = layout(t->to[rank], gotten[rank], apart);
    start(t, rank, strata_engine_scratch(x));
}

static void set_up(struct trial *t, enum strata_collective collective, bool asks, bool middle)
{
    static const struct strata_virtual_options options = {.seed = 1};
    memset(t, 0, sizeof *t);
    t->collective = collective;
    make_plans(t,
               collective == STRATA_GATHERV    ? "node_gather"
               : collective == STRATA_SCATTERV ? "node_scatter"
                                               : "leaders",
               middle);
    assert_int_equal(strata_virtual_create(t->topology, SLOT, SLOT, &options, &t->world),
                     STRATA_OK);
    memset(t->all, collective == STRATA_GATHERV ? 0 : 0x70, sizeof t->all);
    for (int rank = 0; rank < RANKS; rank++) {
        t->reading[rank] = reading_of(asks, INT_MAX);
        memset(t->own[rank], collective == STRATA_GATHERV ? 0x10 + rank : 0, LONG);
        collective == STRATA_ALLTOALLV ? begin_exchange(t, rank) : begin(t, rank);
    }
}

static void tear_down(struct trial *t)
{
    for (int rank = 0; rank < RANKS; rank++) {
        free(t->scratch[rank]);
        strata_plan_destroy(t->plan[rank]);
    }
    strata_virtual_destroy(t->world);
    strata_topology_destroy(t->topology);
    strata_topology_destroy(t->flat);
}

/* Advances the rank as far as it comes alone. */
static int go(struct trial *t, int rank)
{
    int status = STRATA_PENDING;
    for (int i = 0; i < 10 && status == STRATA_PENDING; i++) {
        status = strata_engine_advance(&t->x[rank]);
    }
    return status;
}

static void is_all(const unsigned char *at, unsigned char value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        assert_int_equal(at[i], value);
    }
}

static void owner_stays(bool middle)
{
    static struct trial t;
    set_up(&t, STRATA_GATHERV, false, middle);
    assert_int_equal(go(&t, OTHER), STRATA_OK);
    assert_int_equal(go(&t, OWNER), STRATA_PENDING);
    assert_int_equal(t.reading[ROOT].times, 0);
    assert_int_equal(go(&t, ROOT), STRATA_OK);
    assert_int_equal(t.reading[ROOT].member, OWNER);
    assert_int_equal(t.reading[OWNER].times + t.reading[OTHER].times, 0);
    assert_int_equal(go(&t, OWNER), STRATA_OK);
    is_all(t.all, 0x10, SHORT);
    is_all(t.all + LONG, 0x11, LONG);
    is_all(t.all + 2 * LONG, 0x12, SHORT);
    assert_int_equal(t.all[SHORT], 0);
    tear_down(&t);
}

static void root_stays(bool middle)
{
    static struct trial t;
    set_up(&t, STRATA_SCATTERV, false, middle);
    assert_int_equal(go(&t, OWNER), STRATA_PENDING);
    assert_int_equal(go(&t, ROOT), STRATA_PENDING);
    assert_int_equal(go(&t, OWNER), STRATA_OK); /* before the other one */
    assert_int_equal(t.reading[OWNER].member, ROOT);
    assert_int_equal(go(&t, OTHER), STRATA_OK);
    assert_int_equal(go(&t, ROOT), STRATA_OK);
    assert_int_equal(t.reading[ROOT].times + t.reading[OTHER].times, 0);
    for (int rank = 0; rank < RANKS; rank++) {
        is_all(t.own[rank], 0x70, rank == OWNER ? LONG : SHORT);
    }
    assert_int_equal(t.own[OTHER][SHORT], 0);
    tear_down(&t);
}

/* In each ring, also where short blocks alone let a member say late that it has left. */
static void the_owner_stays_until_the_root_has_it(void **state)
{
    (void)state;
    owner_stays(false);
    owner_stays(true);
}

static void the_root_stays_until_all_have_left(void **state)
{
    (void)state;
    root_stays(false);
    root_stays(true);
}

/* Where the system refuses reading, the local peer copies, at most a slot at a time. */
static void who_may_not_read_asks(void **state)
{
    static const enum strata_collective collectives[] = {STRATA_GATHERV, STRATA_SCATTERV};
    static struct trial t;
    (void)state;
    for (int c = 0; c < 2; c++) {
        int taker = c == 0 ? ROOT : OWNER, owner = c == 0 ? OWNER : ROOT, rounds = 0, status;
        set_up(&t, collectives[c], true, false);
        int other = go(&t, OTHER);
        assert_int_equal(go(&t, owner), STRATA_PENDING);
        while ((status = go(&t, taker)) == STRATA_PENDING && rounds < 100) {
            assert_int_equal(go(&t, owner), STRATA_PENDING);
            rounds++;
        }
        assert_int_equal(status, STRATA_OK);
        ASSERT_CMP(rounds, >=, LONG / SLOT);
        assert_int_equal(t.x[taker].count.exposed[STRATA_WAY_ASKED], LONG);
        assert_int_equal(other == STRATA_PENDING ? go(&t, OTHER) : other, STRATA_OK);
        assert_int_equal(go(&t, owner), STRATA_OK);
        is_all(c == 0 ? t.all + LONG : t.own[OWNER], c == 0 ? 0x11 : 0x70, LONG);
        tear_down(&t);
    }
}

static void is_exchanged(const struct trial *t)
{
    for (int rank = 0; rank < RANKS; rank++) {
        for (int source = 0; source < RANKS; source++) {
            is_all(t->to[rank] + apart[source], 0x70, gotten[rank][source]);
        }
    }
}

static void an_owner_leaves_when_its_block_is_taken(void **state)
{
    static struct trial t;
    (void)state;
    set_up(&t, STRATA_ALLTOALLV, false, false);
    assert_int_equal(go(&t, OWNER), STRATA_PENDING);
    assert_int_equal(go(&t, ROOT), STRATA_PENDING);
    assert_int_equal(t.reading[ROOT].member, OWNER); /* while it waits for the other one */
    assert_int_equal(go(&t, OTHER), STRATA_OK);
    assert_int_equal(go(&t, OWNER), STRATA_OK); /* before the member that took it */
    assert_int_equal(go(&t, ROOT), STRATA_OK);
    assert_int_equal(t.reading[ROOT].times, 1);
    is_exchanged(&t);
    tear_down(&t);
}

static void who_only_takes_waits_for_nobody(void **state)
{
    static struct trial t;
    (void)state;
    set_up(&t, STRATA_ALLTOALLV, false, false);
    assert_int_equal(go(&t, OTHER), STRATA_PENDING);
    assert_int_equal(go(&t, OWNER), STRATA_PENDING);
    assert_int_equal(go(&t, ROOT), STRATA_OK);
    assert_int_equal(go(&t, OWNER), STRATA_OK);
    assert_int_equal(go(&t, OTHER), STRATA_OK);
    is_exchanged(&t);
    tear_down(&t);
}

/* Adds a step to the end of the rank's plan. */
static void append(struct trial *t, int rank, struct strata_step step)
{
    struct strata_plan *plan = t->plan[rank];
    plan->steps = strata_reallocate(plan->steps, (size_t)plan->nsteps + 1, sizeof step);
    assert_non_null(plan->steps);
    plan->steps[plan->nsteps++] = step;
}

static void what_is_taken_is_not_taken_again(void **state)
{
    static struct trial t;
    (void)state;
    set_up(&t, STRATA_ALLTOALLV, false, false);
    append(&t, ROOT,
           (struct strata_step){
               .op = STRATA_STEP_AWAIT, .peer = OTHER, .count = STRATA_SIGNAL_RELEASED});
    append(&t, OTHER,
           (struct strata_step){.op = STRATA_STEP_SIGNAL, .count = STRATA_SIGNAL_RELEASED});
    assert_int_equal(go(&t, OTHER), STRATA_PENDING);
    assert_int_equal(go(&t, OWNER), STRATA_PENDING);
    assert_int_equal(go(&t, ROOT), STRATA_PENDING); /* all came, but it awaits the other one */
    assert_int_equal(t.reading[ROOT].times, 1);
    assert_int_equal(go(&t, OTHER), STRATA_OK);
    assert_int_equal(go(&t, OWNER), STRATA_OK);
    assert_int_equal(go(&t, ROOT), STRATA_OK);
    assert_int_equal(t.reading[ROOT].times, 1);
    is_exchanged(&t);
    tear_down(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_owner_stays_until_the_root_has_it),
        cmocka_unit_test(the_root_stays_until_all_have_left),
        cmocka_unit_test(who_may_not_read_asks),
        cmocka_unit_test(an_owner_leaves_when_its_block_is_taken),
        cmocka_unit_test(who_only_takes_waits_for_nobody),
        cmocka_unit_test(what_is_taken_is_not_taken_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
