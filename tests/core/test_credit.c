/* Credit of the small ring: a member that hears another need not look who has left the epoch that
 * used its slot before, and where nobody hears anybody one member looks for the others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/engine/engine_epochs.h"
#include "core/engine/engine_steps.h"
#include "tests/assert_cmp.h"
#include "tests/random.h"

enum { MEMBERS = 40, CALLS = 2000 };

struct node {
    struct strata_plan plan;
    struct strata_node_memory memory[MEMBERS];
    struct strata_execution x[MEMBERS];
    void *base;
};

static struct node *node_create(void)
{
    const struct strata_node_memory_sizes sizes = {.slot = {256, STRATA_SMALL_SLOT},
                                                   .landing = 128};
    const size_t bytes = strata_node_memory_bytes(MEMBERS, &sizes) + STRATA_LINE - 1;
    struct node *n = calloc(1, sizeof *n);
    assert_non_null(n);
    n->base = aligned_alloc(STRATA_LINE, bytes / STRATA_LINE * STRATA_LINE);
    assert_non_null(n->base);
    n->plan.blocks.ring = STRATA_SMALL_RING;
    n->plan.exchange.staged = true;
    for (int member = 0; member < MEMBERS; member++) {
        strata_node_memory_init(&n->memory[member], n->base, MEMBERS, member, &sizes);
        n->x[member].plan = &n->plan;
        n->x[member].memory = &n->memory[member];
        strata_find_epoch(&n->x[member]);
    }
    return n;
}

static void node_destroy(struct node *n)
{
    free(n->base);
    free(n);
}

static void begin(struct node *n, int member)
{
    strata_find_epoch(&n->x[member]);
}

static void leave(struct node *n, int member)
{
    struct strata_ring *ring = n->x[member].ring;
    strata_leave_epoch(&n->x[member], ring, ring->epoch++);
}

static uint64_t looked(const struct node *n)
{
    return atomic_load(&n->x[0].ring->member[0].looked);
}

/* Calls in which each member but one writes before it hears anybody. Returns how often a member
 * looked. */
static int reduce_to(struct node *n, int root, struct random *r)
{
    int looks = 0;
    for (int call = 0; call < CALLS; call++) {
        for (int i = 0, first = random_below(r, MEMBERS); i < MEMBERS; i++) {
            const int member = (first + i) % MEMBERS;
            const uint64_t before = looked(n);
            begin(n, member);
            assert_int_equal(member == root ? STRATA_OK : strata_slot_open(&n->x[member]),
                             STRATA_OK);
            looks += looked(n) != before;
        }
        for (int member = 0; member < MEMBERS; member++) {
            leave(n, member);
        }
    }
    return looks;
}

/* A slot is used again after 64 epochs, and members say in every 16th that they have left. So a
 * look serves for more than 32 calls, of all members. */
static void one_looks_for_all(void **state)
{
    (void)state;
    struct random r = {.state = 3};
    for (int root = 0; root < MEMBERS; root += MEMBERS - 1) {
        struct node *n = node_create();
        const int looks = reduce_to(n, root, &r);
        ASSERT_CMP(looks, >=, CALLS / 64 - 1);
        ASSERT_CMP(looks, <=, CALLS / 32);
        node_destroy(n);
    }
}

/* What one saw is no more than what is true: a member that stays keeps the others waiting. */
static void nobody_overtakes_one_that_stays(void **state)
{
    (void)state;
    struct node *n = node_create();
    const uint64_t first = n->x[0].ring->epoch;
    uint64_t open = 0;
    for (int call = 0; call < CALLS; call++) {
        for (int member = 1; member < MEMBERS; member++) {
            begin(n, member);
            open += strata_slot_open(&n->x[member]) == STRATA_OK;
            leave(n, member);
        }
    }
    assert_int_equal(open, first * (MEMBERS - 1));
    node_destroy(n);
}

/* A member that nobody awaits comes late, and looks: the others are ahead of it. What it leaves for
 * them to see is no more than what it has left itself. */
static void who_looks_counts_too(void **state)
{
    (void)state;
    enum { TOGETHER = 64, AHEAD = 48, LATE = 1 };
    struct node *n = node_create();
    for (int call = 0; call < TOGETHER + AHEAD; call++) {
        for (int member = 0; member < MEMBERS; member++) {
            if (member != LATE || call < TOGETHER) {
                begin(n, member);
                leave(n, member);
            }
        }
    }
    begin(n, LATE);
    assert_int_equal(strata_slot_open(&n->x[LATE]), STRATA_OK);
    ASSERT_CMP(looked(n), >, 0);
    ASSERT_CMP(looked(n), <=, n->x[LATE].ring->epoch);
    node_destroy(n);
}

/* Member 2 hears member 1, while member 0 never leaves. Returns in how many calls its slot is
 * open. */
static int hear(bool peer_failed)
{
    const struct strata_step await = {
        .op = STRATA_STEP_AWAIT, .peer = 1, .count = STRATA_SIGNAL_ARRIVED};
    struct node *n = node_create();
    int open = 0;
    for (int call = 0; call < CALLS; call++) {
        struct strata_execution *x = &n->x[2];
        begin(n, 2);
        strata_ring_publish(n->x[1].ring, strata_ring_signal(x->ring, 1, x->ring->epoch),
                            strata_stamp(x->ring->epoch, STRATA_SIGNAL_ARRIVED));
        x->progress.peer_failed = peer_failed;
        strata_run_await(x, &await);
        open += strata_slot_open(x) == STRATA_OK;
        leave(n, 2);
    }
    node_destroy(n);
    return open;
}

static void who_hears_need_not_look(void **state)
{
    (void)state;
    assert_int_equal(hear(false), CALLS);
    assert_int_equal(hear(true), strata_ring_depth(STRATA_SMALL_RING));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_looks_for_all),
        cmocka_unit_test(nobody_overtakes_one_that_stays),
        cmocka_unit_test(who_looks_counts_too),
        cmocka_unit_test(who_hears_need_not_look),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
