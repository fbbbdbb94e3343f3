/* The checker finds mistakes and names them, in plans made by hand with one flaw each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "core/check/check.h"
#include "core/plan/builder.h"
#include "tests/assert_cmp.h"

enum { MOST = 8 };

/* The plans of one call. */
struct call {
    struct strata_topology *topology;
    struct strata_plan *plans[MOST];
};

/* Appends the rank's steps, with the flaw. */
typedef void write_plan(struct strata_builder *b, int flaw);

static void make(struct call *call, const char *topology, int ranks, write_plan *write, int flaw)
{
    struct strata_diagnostic message;
    assert_int_equal(strata_topology_parse(topology, ranks, &call->topology, &message), STRATA_OK);
    for (int r = 0; r < ranks; r++) {
        struct strata_builder b;
        strata_builder_init(&b, STRATA_ALLTOALLV, "by_hand", r, call->topology);
        write(&b, flaw);
        assert_int_equal(strata_builder_finish(&b, &call->plans[r]), STRATA_OK);
    }
}

static void drop(struct call *call)
{
    for (int r = 0; r < call->topology->ranks; r++) {
        strata_plan_destroy(call->plans[r]);
    }
    strata_topology_destroy(call->topology);
}

static const struct strata_plan *const *plans_of(const struct call *call)
{
    return (const struct strata_plan *const *)call->plans;
}

static int run_calls(const struct call *const *list, int ncalls, const struct strata_check *options,
                     struct strata_diagnostic *message)
{
    const struct strata_plan *const *calls[MOST];
    for (int c = 0; c < ncalls; c++) {
        calls[c] = plans_of(list[c]);
    }
    *message = (struct strata_diagnostic){""};
    return strata_check_calls(calls, ncalls, list[0]->topology->ranks, options, message);
}

enum modes { EAGER = 1, RENDEZVOUS = 2, BOTH = 3 };

/* Requires that in these modes, and in every schedule, the calls are wrong in the way that
 * `expected` names, and right in the other mode. `expected` may have alternatives between bars.
 * With "" the calls are right in both modes. */
static void require(const struct call *const *list, int ncalls, enum modes wrong_in,
                    const char *expected)
{
    for (unsigned i = 0; i < 6; i++) {
        struct strata_check options = {.rendezvous = i & 1, .schedule = (int)i / 2, .seed = 77 + i};
        bool wrong = *expected && (wrong_in & (options.rendezvous ? RENDEZVOUS : EAGER));
        struct strata_diagnostic message;
        int status = run_calls(list, ncalls, &options, &message);
        char alternatives[256];
        bool found = false;
        snprintf(alternatives, sizeof alternatives, "%s", expected);
        for (char *part = strtok(alternatives, "|"); part; part = strtok(NULL, "|")) {
            found = found || strstr(message.text, part);
        }
        if (status != (wrong ? STRATA_ERR_PLAN : STRATA_OK) || found != wrong) {
            fail_msg("rendezvous %d, schedule %d: status %d, \"%s\", expected \"%s\"",
                     options.rendezvous, options.schedule, status, message.text, expected);
        }
    }
}

struct flawed {
    int flaw;
    enum modes modes;
    const char *expected;
};

static void require_all(const char *topology, int ranks, write_plan *write,
                        const struct flawed *flawed, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct call call;
        make(&call, topology, ranks, write, flawed[i].flaw);
        require((const struct call *[]){&call}, 1, flawed[i].modes, flawed[i].expected);
        drop(&call);
    }
}

/* --- two ranks, no node memory ---------------------------------------------------------------- */

enum flat_flaw {
    FLAT_RIGHT,
    FLAT_NO_INDEX,
    FLAT_NO_WAIT,
    FLAT_NO_COPY_OUT,
    FLAT_TWO_COPY_OUTS,
    FLAT_PART_COPY_OUT,
    FLAT_OTHER_ITEMS,
    FLAT_NO_SEND,
    FLAT_EXTRA_SEND,
    FLAT_SEND_FIRST,
    FLAT_RECV_FIRST,
    FLAT_TWO_RECVS,
    FLAT_LOOSE_WAIT,
    FLAT_LOOSE_WAIT_THEN_SEND,
    FLAT_INDEX_OPEN,
    FLAT_NO_DIRECT,
    FLAT_TWO_DIRECTS,
    FLAT_NO_DIRECT_WAIT,
    FLAT_NO_ROOM,
    FLAT_ONE_PASS,
    FLAT_SOME_NATIVE,
    FLAT_NATIVE_TOO
};

static void exchange_two(struct strata_builder *b, int peer, int flaw)
{
    int far = strata_build_set(b, strata_box_item(2, 1));
    int near = strata_build_set(b, strata_box_item(2, 0));
    int expected = flaw == FLAT_OTHER_ITEMS && peer == 0 ? near : far;
    bool send_first = flaw == FLAT_SEND_FIRST || flaw == FLAT_LOOSE_WAIT_THEN_SEND;
    if (send_first) {
        strata_build_send(b, peer, 0, far, STRATA_WHOLE);
        strata_build_wait(b, flaw == FLAT_SEND_FIRST ? 0 : 2);
    }
    strata_build_recv(b, peer, 0, expected, STRATA_WHOLE);
    if (flaw == FLAT_RECV_FIRST) {
        strata_build_wait(b, 0);
    }
    if (flaw == FLAT_LOOSE_WAIT_THEN_SEND) {
        strata_build_recv(b, peer, 0, near, STRATA_WHOLE);
        strata_build_wait(b, 4);
        strata_build_send(b, peer, 0, near, STRATA_WHOLE);
    }
    if (flaw == FLAT_TWO_RECVS) {
        strata_build_recv(b, peer, 0, expected, STRATA_WHOLE);
    }
    if (!send_first && !(flaw == FLAT_NO_SEND && peer == 0)) {
        strata_build_send(b, peer, 0, far, STRATA_WHOLE);
    }
    if (flaw == FLAT_EXTRA_SEND && peer == 0) {
        strata_build_send(b, peer, 0, near, STRATA_WHOLE);
    }
}

static void flat_pass(struct strata_builder *b, int all, int flaw)
{
    int peer = 1 - b->plan->rank;
    if (flaw != FLAT_NO_INDEX) {
        strata_build_index(b, 0);
    }
    exchange_two(b, peer, flaw);
    if (flaw == FLAT_INDEX_OPEN) {
        strata_build_index(b, 0);
    }
    if (flaw != FLAT_NO_WAIT) {
        strata_build_wait(b, flaw == FLAT_LOOSE_WAIT ? 1 : 0);
    }
    if (flaw != FLAT_NO_COPY_OUT) {
        strata_build_copy_out(
            b, 0, 0,
            flaw == FLAT_PART_COPY_OUT ? strata_build_set(b, strata_box_item(2, peer)) : all);
    }
    if (flaw == FLAT_TWO_COPY_OUTS) {
        strata_build_copy_out(b, 0, 0, all);
    }
}

static void write_flat(struct strata_builder *b, int flaw)
{
    int items = flaw == FLAT_NO_ROOM ? 0 : flaw == FLAT_LOOSE_WAIT_THEN_SEND ? 2 : 1;
    strata_build_exchange(b, (struct strata_exchange){1, false, false, items, items});
    strata_build_limits(b, (struct strata_limits){16, 8, 2});
    int all = strata_build_set(b, strata_box_all(2));
    if (flaw != FLAT_NO_DIRECT) {
        strata_build_direct(b, all, 0);
    }
    if (flaw == FLAT_TWO_DIRECTS) {
        strata_build_direct(b, all, 0);
    }
    if (flaw == FLAT_NATIVE_TOO || (flaw == FLAT_SOME_NATIVE && b->plan->rank == 0)) {
        strata_build_native(b);
        return;
    }
    if (flaw != FLAT_ONE_PASS) {
        strata_build_passes(b);
    }
    flat_pass(b, all, flaw);
    if (flaw != FLAT_ONE_PASS) {
        strata_build_end(b);
    }
    if (flaw != FLAT_NO_DIRECT_WAIT) {
        strata_build_wait_direct(b, 0);
    }
}

static const struct flawed flat_flaws[] = {
    {FLAT_RIGHT, BOTH, ""},
    {FLAT_NO_INDEX, BOTH, "the table of lane 0 is not indexed in pass 0"},
    {FLAT_NO_WAIT, BOTH, "(copy_out): reads item 1 before the message that brings it"},
    {FLAT_NO_COPY_OUT, BOTH, "0 of 2 slices of the block from rank 0 were copied out"},
    {FLAT_TWO_COPY_OUTS, BOTH, "copies out slice 0 of the block from rank 0, but the next is 1"},
    {FLAT_PART_COPY_OUT, BOTH, "0 of 2 slices of the block from rank"},
    {FLAT_OTHER_ITEMS, BOTH, "expects items {0}, lane 0, call 0, pass 0 from rank 0"},
    {FLAT_NO_SEND, BOTH, "deadlock in|call 0, pass 0 from rank 1, whose step"},
    {FLAT_EXTRA_SEND, BOTH,
     "expects items {1}, lane 0, call 0, pass 1 from rank 1|deadlock|"
     "opens 3 messages; the exchange has room for 2"},
    {FLAT_SEND_FIRST, RENDEZVOUS, "deadlock in rendezvous mode, 2 ranks are stuck"},
    {FLAT_RECV_FIRST, BOTH, "mode, 2 ranks are stuck"},
    {FLAT_TWO_RECVS, BOTH, "receives item 1 again before the last message"},
    {FLAT_LOOSE_WAIT, BOTH, "reads item 1 before the message that brings it was waited for"},
    {FLAT_LOOSE_WAIT_THEN_SEND, BOTH, "sends item 0 before the message that brings it"},
    {FLAT_INDEX_OPEN, BOTH, "(index): indexes a table while messages are open"},
    {FLAT_NO_DIRECT, BOTH, "direct blocks at distance 0 were not moved"},
    {FLAT_TWO_DIRECTS, BOTH, "moves direct blocks at distance 0 for the second time"},
    {FLAT_NO_DIRECT_WAIT, BOTH, "direct messages are still open"},
    {FLAT_NO_ROOM, BOTH, "receives 1 items in 1 messages in a pass; the exchange has room for 0"},
    {FLAT_ONE_PASS, BOTH, "1 of 2 slices of the block from rank 0 were copied out"},
    {FLAT_SOME_NATIVE, BOTH, "moves direct blocks at distance 0 for the second time|deadlock"},
    {FLAT_NATIVE_TOO, BOTH, "moves direct blocks at distance 0 for the second time"},
};

static void test_flat(void **state)
{
    (void)state;
    require_all("node:2", 2, write_flat, flat_flaws, sizeof flat_flaws / sizeof *flat_flaws);
}

/* A message to a rank that expects none. Only the end of the calls can show it. */
static void write_unheard(struct strata_builder *b, int flaw)
{
    (void)flaw;
    strata_build_exchange(b, (struct strata_exchange){1, false, false, 1, 1});
    strata_build_limits(b, (struct strata_limits){0, 1, 1});
    int all = strata_build_set(b, strata_box_all(2));
    strata_build_direct(b, all, 0);
    strata_build_wait_direct(b, 0);
    if (b->plan->rank == 1) {
        strata_build_index(b, 0);
        strata_build_send(b, 0, 0, all, STRATA_WHOLE);
        strata_build_wait(b, 0);
    }
}

static void test_message_that_nobody_receives(void **state)
{
    (void)state;
    struct call call;
    make(&call, "node:2", 2, write_unheard, 0);
    require((const struct call *[]){&call}, 1, BOTH,
            "rank 0 never receives this message|deadlock in rendezvous mode, 1 ranks are stuck; "
            "call 0, rank 1, step 4 (wait) (1 lane messages open)");
    drop(&call);
}

/* --- three ranks: the right messages with the wrong contents ---------------------------------- */

static void write_three(struct strata_builder *b, int flaw)
{
    int rank = b->plan->rank;
    strata_build_exchange(b, (struct strata_exchange){1, false, false, 2, 2});
    strata_build_limits(b, (struct strata_limits){8, 8, 1});
    int all = strata_build_set(b, strata_box_all(3));
    strata_build_direct(b, all, 0);
    strata_build_index(b, 0);
    strata_build_phase(b, "two hops");
    for (int hop = 1; hop <= 2; hop++) {
        int set = strata_build_set(b, strata_box_item(3, flaw ? 3 - hop : hop));
        strata_build_recv(b, (rank + 3 - hop) % 3, 0, set, STRATA_WHOLE);
        strata_build_send(b, (rank + hop) % 3, 0, set, STRATA_WHOLE);
        strata_build_wait(b, 0);
    }
    strata_build_copy_out(b, 0, 0, all);
    strata_build_wait_direct(b, 0);
}

/* Each rank copies a block out as soon as it arrives. In place it may so overwrite a block that it
 * has still to send. */
static void write_three_early(struct strata_builder *b, int flaw)
{
    int rank = b->plan->rank;
    strata_build_exchange(b, (struct strata_exchange){1, false, false, 2, 2});
    strata_build_limits(b, (struct strata_limits){8, 8, 1});
    strata_build_direct(b, strata_build_set(b, strata_box_all(3)), 0);
    strata_build_index(b, 0);
    for (int hop = 1; hop <= 2; hop++) {
        int set = strata_build_set(b, strata_box_item(3, hop));
        strata_build_recv(b, (rank + 3 - hop) % 3, 0, set, STRATA_WHOLE);
        strata_build_send(b, (rank + hop) % 3, 0, set, STRATA_WHOLE);
        strata_build_wait(b, 0);
        if (flaw) {
            set = strata_build_set(b, strata_box_item(3, (rank + 3 - hop) % 3));
            strata_build_copy_out(b, 0, 0, set);
        }
    }
    strata_build_copy_out(b, 0, 0, strata_build_set(b, strata_box_range(3, rank, flaw ? 1 : 3)));
    strata_build_wait_direct(b, 0);
}

static void test_in_place(void **state)
{
    (void)state;
    const struct flawed flaws[] = {
        {0, BOTH, ""},
        {1, BOTH, "before the one for it was sent: in place it would be lost"},
    };
    require_all("node:3", 3, write_three_early, flaws, 2);
}

static void test_contents(void **state)
{
    (void)state;
    const struct flawed flaws[] = {
        {0, BOTH, ""},
        {1, BOTH, "in \"two hops\": expects in entry "},
    };
    require_all("node:3", 3, write_three, flaws, 2);
}

/* Flat, by direct messages alone. */
static void write_distances(struct strata_builder *b, int flaw)
{
    strata_build_limits(b, (struct strata_limits){0, 1, 1});
    for (int i = 0; i < 3; i++) {
        int distance = i > 0 && flaw ? 3 - i : i;
        strata_build_direct(b, strata_build_set(b, strata_box_item(3, distance)), 0);
    }
    strata_build_wait_direct(b, 0);
}

static void test_distances(void **state)
{
    (void)state;
    const struct flawed flaws[] = {
        {0, BOTH, ""},
        {1, BOTH, "moves direct blocks at distance 1 after those at 2"},
    };
    require_all("node:3", 3, write_distances, flaws, 2);
}

enum exposing_flaw { EXPOSING_RIGHT, EXPOSING_COPY_IN_FIRST, EXPOSING_AWAIT_FIRST };

/* One node, whose members expose blocks above the threshold. */
static void write_exposing(struct strata_builder *b, int flaw)
{
    int all = strata_build_set(b, strata_box_all(2)), rank = b->plan->rank;
    strata_build_exchange(b, (struct strata_exchange){2, true, true, 0, 0});
    strata_build_limits(b, (struct strata_limits){8, 8, 1});
    if (flaw == EXPOSING_AWAIT_FIRST && rank == 1) {
        strata_build_await(b, 0, STRATA_SIGNAL_ARRIVED);
    }
    if (flaw != EXPOSING_COPY_IN_FIRST) {
        strata_build_direct(b, all, 0);
    }
    strata_build_copy_in(b, strata_box_all(2));
    if (flaw == EXPOSING_COPY_IN_FIRST) {
        strata_build_direct(b, all, 0);
    }
    strata_build_signal(b, STRATA_SIGNAL_ARRIVED);
    strata_build_await(b, STRATA_ALL_MEMBERS, STRATA_SIGNAL_ARRIVED);
    strata_build_copy_out(b, rank, rank, all);
    strata_build_wait_direct(b, 0);
}

static void test_exposing(void **state)
{
    (void)state;
    const struct flawed flaws[] = {
        {EXPOSING_RIGHT, BOTH, ""},
        {EXPOSING_COPY_IN_FIRST, BOTH, "lends direct blocks before a direct step has saved them"},
        {EXPOSING_AWAIT_FIRST, BOTH,
         "may take direct blocks over its own before a direct step has saved them"},
    };
    require_all("node:1", 2, write_exposing, flaws, 3);
}

/* --- two nodes of two, one lane --------------------------------------------------------------- */

enum staged_flaw {
    STAGED_RIGHT,
    STAGED_NO_ARRIVAL_AWAITED,
    STAGED_NO_DONE_AWAITED,
    STAGED_NO_ARRIVAL,
    STAGED_NO_DONE,
    STAGED_EARLY_ARRIVAL,
    STAGED_EARLY_DONE,
    STAGED_TWO_ARRIVALS,
    STAGED_NO_COPY_IN,
    STAGED_PART_COPY_IN,
    STAGED_TWO_COPY_INS,
    STAGED_MEMBER_INDEXES,
    STAGED_WRONG_LEADER,
    STAGED_WRONG_PEER
};

static void leader_part(struct strata_builder *b, int flaw)
{
    int set = strata_build_set(b, strata_box_item(2, 1)), other = 2 - b->plan->rank;
    if (flaw != STAGED_NO_ARRIVAL_AWAITED) {
        strata_build_await(b, STRATA_ALL_MEMBERS, STRATA_SIGNAL_ARRIVED);
    }
    strata_build_index(b, 0);
    strata_build_recv(b, other, 0, set, STRATA_WHOLE);
    strata_build_send(b, flaw == STAGED_WRONG_PEER ? other + 1 : other, 0, set, STRATA_WHOLE);
    if (flaw == STAGED_EARLY_DONE) {
        strata_build_signal(b, STRATA_SIGNAL_DONE);
    }
    strata_build_wait(b, 0);
    if (flaw != STAGED_EARLY_DONE && flaw != STAGED_NO_DONE) {
        strata_build_signal(b, STRATA_SIGNAL_DONE);
    }
}

static void arrive(struct strata_builder *b, int flaw)
{
    struct strata_box all = strata_box_all(4), part = strata_box_range(4, 1, 3);
    if (flaw == STAGED_EARLY_ARRIVAL) {
        strata_build_signal(b, STRATA_SIGNAL_ARRIVED);
    }
    if (flaw != STAGED_NO_COPY_IN) {
        strata_build_copy_in(b, flaw == STAGED_PART_COPY_IN ? part : all);
    }
    if (flaw == STAGED_TWO_COPY_INS) {
        strata_build_copy_in(b, all);
    }
    if (flaw != STAGED_EARLY_ARRIVAL && flaw != STAGED_NO_ARRIVAL) {
        strata_build_signal(b, STRATA_SIGNAL_ARRIVED);
    }
    if (flaw == STAGED_TWO_ARRIVALS) {
        strata_build_signal(b, STRATA_SIGNAL_ARRIVED);
    }
}

static void write_staged(struct strata_builder *b, int flaw)
{
    bool leads = b->plan->topology->local_of[b->plan->rank] == 0;
    strata_build_exchange(b, (struct strata_exchange){1, true, false, 1, 1});
    strata_build_limits(b, (struct strata_limits){16, 8, 2});
    int all = strata_build_set(b, strata_box_all(4));
    strata_build_direct(b, all, 0);
    strata_build_passes(b);
    arrive(b, flaw);
    if (leads) {
        leader_part(b, flaw);
    } else if (flaw != STAGED_NO_DONE_AWAITED) {
        strata_build_await(b, 0, STRATA_SIGNAL_DONE);
    }
    if (!leads && flaw == STAGED_MEMBER_INDEXES) {
        strata_build_index(b, 0);
    }
    strata_build_copy_out(b, !leads && flaw == STAGED_WRONG_LEADER ? 1 : 0, 0, all);
    strata_build_end(b);
    strata_build_wait_direct(b, 0);
}

/* A missing order shows as different mistakes, depending on who comes first: as a race, or as
 * missing data. */
#define RACE "race: |has not filled its slot|is not indexed in pass|the message that brings it"

static const struct flawed staged_flaws[] = {
    {STAGED_RIGHT, BOTH, ""},
    {STAGED_NO_ARRIVAL_AWAITED, BOTH, RACE},
    {STAGED_NO_DONE_AWAITED, BOTH, RACE},
    {STAGED_NO_ARRIVAL, BOTH, "(await) (signal 1 of all members)"},
    {STAGED_NO_DONE, BOTH, "(await) (signal 3 of member 0)|whose leader has not said"},
    {STAGED_EARLY_ARRIVAL, BOTH, RACE},
    {STAGED_EARLY_DONE, BOTH, RACE},
    {STAGED_TWO_ARRIVALS, BOTH, "publishes signal 1 again or after a later one"},
    {STAGED_NO_COPY_IN, BOTH, "has not filled its slot for pass 0"},
    {STAGED_PART_COPY_IN, BOTH, "does not hold the block of rank 0"},
    {STAGED_TWO_COPY_INS, BOTH, "copies in the block for rank 0 for the second time"},
    {STAGED_MEMBER_INDEXES, BOTH, "lane 0 is led by member 0 of the node, not by member 1"},
    {STAGED_WRONG_LEADER, BOTH,
     "copies out of lane 0 of member 1; its own lane is 0, which member"},
    {STAGED_WRONG_PEER, BOTH, "mode, 4 ranks are stuck"},
};

static void test_staged(void **state)
{
    (void)state;
    require_all("node:2,2", 4, write_staged, staged_flaws,
                sizeof staged_flaws / sizeof *staged_flaws);
}

/* Two nodes of one member each, which leads both lanes. Node 1 may swap the lanes, with the same
 * items. */
static void write_lanes(struct strata_builder *b, int flaw)
{
    int rank = b->plan->rank;
    strata_build_exchange(b, (struct strata_exchange){2, true, false, 1, 1});
    strata_build_limits(b, (struct strata_limits){8, 8, 1});
    int all = strata_build_set(b, strata_box_all(2)),
        far = strata_build_set(b, strata_box_item(2, 1));
    strata_build_direct(b, all, 0);
    strata_build_copy_in(b, strata_box_all(2));
    strata_build_index(b, 0);
    strata_build_index(b, 1);
    for (int i = 0; i < 2; i++) {
        strata_build_recv(b, 1 - rank, rank && flaw ? 1 - i : i, far, STRATA_WHOLE);
        strata_build_send(b, 1 - rank, i, far, STRATA_WHOLE);
    }
    strata_build_wait(b, 0);
    strata_build_signal(b, STRATA_SIGNAL_DONE);
    strata_build_copy_out(b, 0, 0, all);
    strata_build_wait_direct(b, 0);
}

static void test_lanes(void **state)
{
    (void)state;
    const struct flawed flaws[] = {
        {0, BOTH, ""},
        {1, BOTH, "expects items {1}, lane 1, call 0, pass 0 from rank 0"},
    };
    require_all("node:1,1", 2, write_lanes, flaws, 2);
}

/* Calls that use a place of the ring without ordering anything. A member that copies in after them
 * must check who has left the place's last use. */
static void write_idle(struct strata_builder *b, int flaw)
{
    (void)flaw;
    strata_build_exchange(b, (struct strata_exchange){1, true, false, 0, 0});
    strata_build_limits(b, (struct strata_limits){8, 8, 1});
    strata_build_native(b);
}

static void test_slot_reuse(void **state)
{
    (void)state;
    struct call staged, idle;
    make(&staged, "node:2,2", 4, write_staged, STAGED_RIGHT);
    make(&idle, "node:2,2", 4, write_idle, 0);
    require((const struct call *[]){&staged, &staged, &staged}, 3, BOTH, "");
    require((const struct call *[]){&idle, &staged, &idle, &idle}, 4, BOTH, "");
    require((const struct call *[]){&staged, &idle, &staged}, 3, BOTH, "");
    require((const struct call *[]){&staged, &idle, &idle, &staged}, 4, BOTH, "");
    drop(&staged);
    drop(&idle);
}

/* A flat call between staged calls changes nothing. */
static void write_direct(struct strata_builder *b, int flaw)
{
    (void)flaw;
    strata_build_limits(b, (struct strata_limits){0, 1, 1});
    strata_build_repeat(b, 4);
    strata_build_direct(b, strata_build_set(b, strata_box_item(4, 0)), 1);
    strata_build_wait_direct(b, 2);
    strata_build_end(b);
    strata_build_wait_direct(b, 0);
}

static void test_flat_between_staged(void **state)
{
    (void)state;
    struct call staged, flat;
    make(&staged, "node:2,2", 4, write_staged, STAGED_RIGHT);
    make(&flat, "node:4", 4, write_direct, 0);
    require((const struct call *[]){&flat, &staged, &flat, &staged, &flat}, 5, BOTH, "");
    drop(&staged);
    drop(&flat);
}

/* --- plans that do not belong together, fields out of bounds ---------------------------------- */

static struct strata_step *find_step(struct strata_plan *plan, enum strata_op op)
{
    int at = 0;
    while (plan->steps[at].op != op) {
        at++;
    }
    return &plan->steps[at];
}

/* Each function damages the plan of rank 2, the plan of a leader, or all plans alike. */
static void other_rank(struct call *call)
{
    call->plans[2]->rank = 3;
}

static void no_plan(struct call *call)
{
    strata_plan_destroy(call->plans[2]);
    call->plans[2] = NULL;
}

static void other_limits(struct call *call)
{
    call->plans[2]->limits.slice++;
}

static void too_few_passes(struct call *call)
{
    for (int r = 0; r < 4; r++) {
        call->plans[r]->limits.threshold = 17;
    }
}

static void no_such_set(struct call *call)
{
    find_step(call->plans[2], STRATA_STEP_SEND_BLOCKS)->set = call->plans[2]->nsets;
}

static void bad_box(struct call *call)
{
    struct strata_plan *plan = call->plans[2];
    int set = find_step(plan, STRATA_STEP_SEND_BLOCKS)->set;
    plan->boxes[plan->sets[set].first_box].origin = 2;
}

static void other_space(struct call *call)
{
    struct strata_plan *plan = call->plans[2];
    find_step(plan, STRATA_STEP_SEND_BLOCKS)->set = find_step(plan, STRATA_STEP_COPY)->set;
}

static void other_places(struct call *call)
{
    struct strata_plan *plan = call->plans[2];
    plan->boxes[plan->sets[find_step(plan, STRATA_STEP_COPY)->from].first_box].origin = 1;
}

static void no_such_peer(struct call *call)
{
    find_step(call->plans[2], STRATA_STEP_SEND_BLOCKS)->peer = 4;
}

static void no_such_member(struct call *call)
{
    find_step(call->plans[2], STRATA_STEP_AWAIT)->peer = 2;
}

static void no_such_lane(struct call *call)
{
    find_step(call->plans[2], STRATA_STEP_SEND_BLOCKS)->lane = 1;
}

static void no_such_signal(struct call *call)
{
    find_step(call->plans[2], STRATA_STEP_SIGNAL)->count = 0;
}

static void end_for_repeat(struct call *call)
{
    find_step(call->plans[2], STRATA_STEP_REPEAT)->op = STRATA_STEP_END;
}

static void no_end(struct call *call)
{
    find_step(call->plans[2], STRATA_STEP_END)->op = STRATA_STEP_PHASE;
}

static void no_such_step(struct call *call)
{
    find_step(call->plans[2], STRATA_STEP_SEND_BLOCKS)->op = STRATA_STEP_COUNT;
}

static void no_node_memory(struct call *call)
{
    for (int r = 0; r < 4; r++) {
        call->plans[r]->exchange.staged = false;
    }
}

static const struct {
    void (*damage)(struct call *call);
    const char *expected;
} damages[] = {
    {other_rank, "no plan of this rank"},
    {no_plan, "no plan of this rank"},
    {other_limits, "other limits, exchange, blocks or nodes"},
    {too_few_passes, "do not carry blocks up to the threshold"},
    {other_places, "copies blocks in to the places of other ones"},
    {no_such_set, "names a set that the plan does not have"},
    {bad_box, "a box out of bounds"},
    {other_space, "its set is not one of blocks of the plan's stores"},
    {no_such_peer, "its peer is no rank"},
    {no_such_member, "its peer is no member of the node"},
    {no_such_lane, "its lane is none of the exchange"},
    {no_such_signal, "its signal is unknown"},
    {end_for_repeat, "repeats do not match"},
    {no_end, "a repeat is not closed"},
    {no_such_step, "a step of unknown kind"},
    {no_node_memory, "a plan that is not staged"},
};

static void test_shape(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        struct call call;
        make(&call, "node:2,2", 4, write_staged, STAGED_RIGHT);
        damages[i].damage(&call);
        require((const struct call *[]){&call}, 1, BOTH, damages[i].expected);
        drop(&call);
    }
}

static void test_other_nodes(void **state)
{
    (void)state;
    struct call block, cyclic;
    make(&block, "node:2,2", 4, write_staged, STAGED_RIGHT);
    make(&cyclic, "node:1,3", 4, write_staged, STAGED_RIGHT);
    require((const struct call *[]){&block, &cyclic}, 2, BOTH, "other nodes than in the staged");
    drop(&block);
    drop(&cyclic);
}

/* --- the two entries, and what they do without memory ----------------------------------------- */

static void test_check_plan(void **state)
{
    (void)state;
    struct strata_diagnostic message = {""};
    struct call right, send_first;
    make(&right, "node:2,2", 4, write_staged, STAGED_RIGHT);
    make(&send_first, "node:2", 2, write_flat, FLAT_SEND_FIRST);
    assert_int_equal(strata_check_plan(plans_of(&right), 4, 5, &message), STRATA_OK);
    assert_int_equal(strata_check_plan(plans_of(&send_first), 2, 5, &message), STRATA_ERR_PLAN);
    assert_non_null(strstr(message.text, "deadlock in rendezvous mode, 2 ranks are stuck; call 0, "
                                         "rank 0, step 4 (wait) (1 lane messages open); "));
    assert_int_equal(strata_check_plan(plans_of(&send_first), 2, 5, NULL), STRATA_ERR_PLAN);
    drop(&right);
    drop(&send_first);
}

static void test_no_memory(void **state)
{
    (void)state;
    struct call call;
    struct strata_diagnostic message;
    const struct strata_check options = {.rendezvous = true, .schedule = 1};
    const struct call *list[] = {&call, &call};
    int status = STRATA_ERR_MEMORY, after = 0;
    make(&call, "node:2,2", 4, write_staged, STAGED_RIGHT);
    for (; status == STRATA_ERR_MEMORY; after++) {
        strata_memory_fail_after(after);
        status = run_calls(list, 2, &options, &message);
        strata_memory_fail_after(-1);
    }
    assert_int_equal(status, STRATA_OK);
    ASSERT_CMP(after, >, 30);
    drop(&call);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flat),       cmocka_unit_test(test_message_that_nobody_receives),
        cmocka_unit_test(test_contents),   cmocka_unit_test(test_distances),
        cmocka_unit_test(test_exposing),   cmocka_unit_test(test_in_place),
        cmocka_unit_test(test_staged),     cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_slot_reuse), cmocka_unit_test(test_flat_between_staged),
        cmocka_unit_test(test_shape),      cmocka_unit_test(test_other_nodes),
        cmocka_unit_test(test_check_plan), cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
