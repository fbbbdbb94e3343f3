/* The checker's verdicts on lane messages in two parts, made by hand for three ranks with one flaw
 * each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/check/check.h"
#include "core/plan/builder.h"

enum { RANKS = 3 };

enum flaw {
    RIGHT,
    ALL_LENGTHS_FIRST,
    NO_LENGTHS,
    NO_WAIT,
    LOOSE_WAIT,
    WHOLE_MEETS_LENGTHS,
    OTHER_SET,
    CHANGED,
    LENGTHS_ONLY,
    DATA_TWICE,
    NO_ROOM
};

struct exchange {
    struct strata_builder *b;
    int rank;
};

static int item(const struct exchange *e, int k)
{
    return strata_build_set(e->b, strata_box_item(RANKS, k));
}

static void recv_from(const struct exchange *e, int hop, int k, enum strata_how part)
{
    strata_build_recv(e->b, (e->rank + RANKS - hop) % RANKS, 0, item(e, k), part);
}

static void send_to(const struct exchange *e, int hop, int k, enum strata_how part)
{
    strata_build_send(e->b, (e->rank + hop) % RANKS, 0, item(e, k), part);
}

/* Moves item k by `hop` ranks. */
static void move(const struct exchange *e, int hop, int k, enum strata_how part)
{
    recv_from(e, hop, k, part);
    send_to(e, hop, k, part);
    strata_build_wait(e->b, 0);
}

/* Moves item 1, with the flaw. */
static void first_hop(const struct exchange *e, enum flaw flaw)
{
    switch (flaw) {
    case NO_LENGTHS:
        break;
    case NO_WAIT:
        recv_from(e, 1, 1, STRATA_LENGTHS);
        send_to(e, 1, 1, STRATA_LENGTHS);
        break;
    case LOOSE_WAIT:
        recv_from(e, 1, 1, STRATA_LENGTHS);
        send_to(e, 1, 1, STRATA_LENGTHS);
        strata_build_wait(e->b, 1);
        break;
    case WHOLE_MEETS_LENGTHS:
        recv_from(e, 1, 1, STRATA_WHOLE);
        send_to(e, 1, 1, STRATA_LENGTHS);
        strata_build_wait(e->b, 0);
        break;
    case OTHER_SET:
        move(e, 1, 0, STRATA_LENGTHS);
        break;
    default:
        move(e, 1, 1, STRATA_LENGTHS);
    }
    if (flaw == CHANGED) {
        move(e, 2, 1, STRATA_WHOLE);
    }
    move(e, 1, 1, STRATA_DATA);
    if (flaw == DATA_TWICE) {
        move(e, 1, 1, STRATA_DATA);
    }
    if (flaw == LENGTHS_ONLY) {
        move(e, 1, 1, STRATA_LENGTHS);
    }
}

static void both_hops(const struct exchange *e, enum flaw flaw)
{
    if (flaw == ALL_LENGTHS_FIRST) {
        move(e, 1, 1, STRATA_LENGTHS);
        move(e, 2, 2, STRATA_LENGTHS);
        move(e, 2, 2, STRATA_DATA);
        move(e, 1, 1, STRATA_DATA);
        return;
    }
    first_hop(e, flaw);
    move(e, 2, 2, STRATA_LENGTHS);
    move(e, 2, 2, STRATA_DATA);
}

static struct strata_plan *plan_of(const struct strata_topology *topology, int rank, enum flaw flaw)
{
    struct strata_plan *plan = NULL;
    struct strata_builder b;
    strata_builder_init(&b, STRATA_ALLTOALLV, "by_hand", rank, topology);
    int room = flaw == RIGHT || flaw == ALL_LENGTHS_FIRST ? 2 : flaw == NO_ROOM ? 1 : 4;
    strata_build_exchange(&b, (struct strata_exchange){1, false, false, room, room});
    int passes = flaw == LENGTHS_ONLY ? 1 : 2;
    strata_build_limits(&b, (struct strata_limits){(size_t)passes * 8, 8, passes});
    int all = strata_build_set(&b, strata_box_all(RANKS));
    strata_build_direct(&b, all, 0);
    strata_build_passes(&b);
    strata_build_index(&b, 0);
    both_hops(&(struct exchange){&b, rank}, flaw);
    strata_build_copy_out(&b, 0, 0, all);
    strata_build_end(&b);
    strata_build_wait_direct(&b, 0);
    assert_int_equal(strata_builder_finish(&b, &plan), STRATA_OK);
    return plan;
}

/* Requires that two calls of the flawed plans are refused in these words, in both modes and all
 * schedules. */
static void require(enum flaw flaw, const char *expected)
{
    struct strata_topology *topology = NULL;
    struct strata_plan *plans[RANKS];
    assert_int_equal(strata_topology_flat(RANKS, &topology), STRATA_OK);
    for (int rank = 0; rank < RANKS; rank++) {
        plans[rank] = plan_of(topology, rank, flaw);
    }
    const struct strata_plan *const *call = (const struct strata_plan *const *)plans;
    for (int i = 0; i < 6; i++) {
        struct strata_check options = {
            .rendezvous = i & 1, .seed = 9 + (unsigned)i, .schedule = i / 2};
        struct strata_diagnostic message = {""};
        int status = strata_check_calls((const struct strata_plan *const *[]){call, call}, 2, RANKS,
                                        &options, &message);
        if (status != (*expected ? STRATA_ERR_PLAN : STRATA_OK) ||
            !strstr(message.text, expected)) {
            fail_msg("flaw %d: status %d, \"%s\", expected \"%s\"", flaw, status, message.text,
                     expected);
        }
    }
    for (int rank = 0; rank < RANKS; rank++) {
        strata_plan_destroy(plans[rank]);
    }
    strata_topology_destroy(topology);
}

static void test_right(void **state)
{
    (void)state;
    require(RIGHT, "");
    require(ALL_LENGTHS_FIRST, "");
}

static void test_flaws(void **state)
{
    (void)state;
    require(NO_LENGTHS, "were not waited for");
    require(NO_WAIT, "receives data whose lengths from rank");
    require(LOOSE_WAIT, "receives data whose lengths from rank");
    require(WHOLE_MEETS_LENGTHS, "sends lengths of items {1}, lane 0");
    require(OTHER_SET, "receives data of items {1} in pass 0; the lengths that came");
    require(CHANGED, "are not those whose lengths came");
    require(LENGTHS_ONLY, "lengths of items came, but the items were not received");
    require(DATA_TWICE, "receives data whose lengths from rank");
    require(NO_ROOM, "the exchange has room for 1 in 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right),
        cmocka_unit_test(test_flaws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
