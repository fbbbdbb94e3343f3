/* A member of the small ring fails, in each epoch between two in which it states that it has left
 * the earlier ones. A local peer is ahead of it and needs to know that earlier epochs are left. The
 * local peer must never wait for ever. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/engine/engine_epochs.h"

enum { FAILING = 1, FIRST = 64, AHEAD = 200 };

struct pair {
    struct strata_plan plan;
    struct strata_node_memory memory[2];
    struct strata_execution x[2];
    void *base;
};

static void pair_init(struct pair *p)
{
    const struct strata_node_memory_sizes sizes = {.slot = {256, STRATA_SMALL_SLOT},
                                                   .landing = 128};
    size_t bytes = strata_node_memory_bytes(2, &sizes);
    memset(p, 0, sizeof *p);
    bytes = (bytes + STRATA_LINE - 1) / STRATA_LINE * STRATA_LINE;
    p->base = aligned_alloc(STRATA_LINE, bytes);
    assert_non_null(p->base);
    memset(p->base, 0, bytes);
    p->plan.blocks.ring = STRATA_SMALL_RING;
    p->plan.exchange.staged = true;
    for (int member = 0; member < 2; member++) {
        strata_node_memory_init(&p->memory[member], p->base, 2, member, &sizes);
        p->x[member].plan = &p->plan;
        p->x[member].memory = &p->memory[member];
        p->x[member].ring = &p->memory[member].ring[STRATA_SMALL_RING];
    }
}

static void fail_in(struct pair *p, uint64_t failing_epoch)
{
    for (uint64_t epoch = FIRST; epoch < failing_epoch; epoch++) {
        strata_leave_epoch(&p->x[FAILING], p->x[FAILING].ring, epoch);
        p->x[FAILING].ring->epoch = epoch + 1;
    }
    strata_node_memory_break(&p->memory[FAILING]);
}

static void nobody_waits_for_a_member_that_failed(void **state)
{
    (void)state;
    for (uint64_t failing_epoch = FIRST; failing_epoch < FIRST + 32; failing_epoch++) {
        struct pair p;
        pair_init(&p);
        fail_in(&p, failing_epoch);
        for (uint64_t epoch = FIRST; epoch < failing_epoch + AHEAD; epoch++) {
            p.x[0].progress.epoch = epoch;
            assert_int_equal(strata_slot_open(&p.x[0]), STRATA_OK);
        }
        free(p.base);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_waits_for_a_member_that_failed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
