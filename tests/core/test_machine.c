/* Machine descriptions: the text form, and the formulas of costs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/cost/formula_cost.h"
#include "core/plan/plan_sizes.h"
#include "tests/assert_cmp.h"

static const struct strata_machine simple = {.name = "simple",
                                             .alpha = 10,
                                             .beta = 1,
                                             .alpha_node = 4,
                                             .beta_node = 0.5,
                                             .overhead = 0.25,
                                             .copy = 0.125,
                                             .copy_block = 2,
                                             .signal = 3,
                                             .ports = 2};

static void assert_near(double value, double expected)
{
    if (value < expected - 1e-9 || value > expected + 1e-9) {
        fail_msg("%g instead of %g", value, expected);
    }
}

static void test_known(void **state)
{
    (void)state;
    const struct strata_machine *m;
    int count = 0;
    for (; (m = strata_machine_at(count)); count++) {
        struct strata_machine same;
        assert_int_equal(strata_machine_parse(m->name, &same, NULL), STRATA_OK);
        assert_memory_equal(&same, m, sizeof same);
        ASSERT_CMP(m->alpha, >, 0);
        ASSERT_CMP(m->beta, >, 0);
        ASSERT_CMP(m->alpha_node, >, 0);
        ASSERT_CMP(m->beta_node, >, 0);
        ASSERT_CMP(m->overhead, >, 0);
        ASSERT_CMP(m->copy, >, 0);
        ASSERT_CMP(m->copy_block, >, 0);
        ASSERT_CMP(m->signal, >, 0);
        assert_true(m->ports >= 1 || m == strata_machine_host() ||
                    m == strata_machine_containers());
    }
    ASSERT_CMP(count, >=, 4);
    assert_null(strata_machine_at(-1));
    assert_null(strata_machine_at(count + 1));
}

static void test_parameters(void **state)
{
    (void)state;
    struct strata_machine m;
    struct strata_diagnostic message = {""};
    assert_int_equal(strata_machine_parse("gigabit:alpha=1e-6,ports=4,signal=0", &m, &message),
                     STRATA_OK);
    assert_string_equal(m.name, "gigabit");
    assert_near(1e6 * m.alpha, 1);
    assert_near(m.ports, 4);
    assert_near(m.signal, 0);
    assert_near(1e9 * m.beta, 8); /* as the table states it */
}

static void test_complaints(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said;
    } bad[] = {
        {"", "known are: auto, cluster, gigabit, workstation, containers, host"},
        {"cray", "\"cray\" is not known"},
        {"clusters", "\"clusters\" is not known"},
        {"cluster:", "parameters are: alpha, beta, alpha_node"},
        {"cluster:gamma=1", "\"gamma=1\" is not PARAMETER=VALUE"},
        {"cluster:alpha", "\"alpha\" is not PARAMETER=VALUE"},
        {"cluster:alpha=", "a number of 0 or more"},
        {"cluster:alpha=1x", "\"alpha=1x\": allowed"},
        {"cluster:alpha=-1", "a number of 0 or more"},
        {"cluster:alpha=nan", "a number of 0 or more"},
        {"cluster:alpha=inf", "a number of 0 or more"},
        {"cluster:ports=0.5", "a number of 1 or more"},
        {"cluster:alpha=1,", "\"\" is not PARAMETER=VALUE"},
        {"cluster:alpha=1,,beta=1", "\"\" is not PARAMETER=VALUE"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct strata_machine m = simple;
        struct strata_diagnostic message = {""};
        assert_int_equal(strata_machine_parse(bad[i].text, &m, &message), STRATA_ERR_SYNTAX);
        assert_memory_equal(&m, &simple, sizeof m);
        if (!strstr(message.text, bad[i].said)) {
            fail_msg("\"%s\": said %s", bad[i].text, message.text);
        }
    }
}

/* Measured figures apply to `host`, and to auto where all ranks lie on one host, except for the
 * values that the text gives. They apply to no other machine. A printed description can be read
 * back. */
static void test_host(void **state)
{
    (void)state;
    struct strata_machine measured = *strata_machine_host(), m, again;
    measured.copy = 7e-11;
    measured.alpha = 3e-7;
    static const struct {
        const char *text;
        bool host;
        double copy, alpha;
    } cases[] = {{"auto", true, 7e-11, 3e-7},
                 {"host", true, 7e-11, 3e-7},
                 {"host:copy=2e-10", true, 2e-10, 3e-7},
                 {"auto:alpha=1e-6,copy=3e-10", true, 3e-10, 1e-6},
                 {"workstation", false, 1 / 8e9, 0.4e-6},
                 {"cluster:copy=1e-10", false, 1e-10, 1.5e-6}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text = cases[i].text;
        assert_int_equal(strata_machine_names_host(text), cases[i].host);
        assert_int_equal(strata_machine_parse_on(&measured, text, &m, NULL), STRATA_OK);
        assert_near(1e9 * m.copy, 1e9 * cases[i].copy);
        assert_near(1e6 * m.alpha, 1e6 * cases[i].alpha);
        assert_int_equal(strcmp(m.name, "host") == 0, cases[i].host);
    }
    assert_int_equal(strata_machine_parse_on(&measured, "hosts", &m, NULL), STRATA_ERR_SYNTAX);
    assert_int_equal(strata_machine_parse("auto", &m, NULL), STRATA_OK);
    assert_string_equal(m.name, "cluster");
    char text[512] = "host:";
    strata_machine_print(&measured, text + 5, sizeof text - 5);
    assert_non_null(strstr(text, "alpha=3e-07"));
    assert_int_equal(strata_machine_parse(text, &again, NULL), STRATA_OK);
    assert_near(1e9 * again.copy, 1e9 * measured.copy);
    char little[12];
    strata_machine_print(&measured, little, sizeof little);
    ASSERT_CMP(strlen(little), <, sizeof little);
}

/* On one host the sender's core moves the bytes, in turn with all ranks that share it. Long
 * messages need more time to start. */
static void test_inside(void **state)
{
    (void)state;
    struct strata_machine m = simple;
    m.ports = 0;
    m.eager = 100;
    m.beta_eager = 2;
    m.rendezvous = 20;
    m.reduce = 0.5;
    struct strata_cost cost = {0};
    strata_cost_stage(&cost, 3, 300, &m);
    assert_near(cost.time_start, 3 * 10.5);
    assert_near(cost.time_wire, 600);
    strata_cost_stage(&cost, 1, 101, &m);
    assert_near(cost.time_start, 4 * 10.5 + 20);
    assert_near(cost.time_wire, 701);
    m = strata_machine_of_nodes(&m, 6, (struct strata_sharing){.ranks = 3});
    struct strata_cost crowded = {0};
    strata_cost_stage(&crowded, 1, 200, &m);
    assert_near(crowded.time_wire, 3 * 200);
    strata_cost_copy(&crowded, 80, 3, &m);
    assert_near(crowded.time_copy, 3 * 16);
    strata_cost_reduce(&crowded, 8, &m);
    assert_near(crowded.time_reduce, 3 * 4);
}

/* Bytes in another rank's own memory cost the system's copy. Ranks that read in one rank's memory
 * take turns. Memory that is mapped here too costs no system call and no turns. A byte without a
 * cost of its own costs as much as a copied one. */
static void test_fetching(void **state)
{
    (void)state;
    struct strata_machine m = simple;
    struct strata_cost plain = {0}, read = {0}, mapped = {0}, combined = {0}, turns = {0};
    m.fetch = 7;
    strata_cost_fetch(&plain, 80, 3, &m);
    assert_near(plain.time_start, 3 * 7);
    assert_near(plain.time_copy, 16); /* as in test_formulas */
    m.beta_fetch = m.copy + 0.5;
    m.beta_mapped = m.copy / 2;
    strata_cost_fetch(&read, 80, 3, &m);
    assert_near(read.time_start, 3 * 7);
    assert_near(read.time_copy, 16 + 80 * 0.5);
    strata_cost_fetch_in_turn(&turns, 80, 3, 5, &m);
    assert_near(turns.time_start, 5 * read.time_start);
    assert_near(turns.time_copy - 3 * m.copy_block, 5 * (read.time_copy - 3 * m.copy_block));
    m = strata_machine_mapped(&m);
    strata_cost_fetch_in_turn(&mapped, 80, 3, 5, &m);
    assert_near(mapped.time_start, 0);
    assert_near(mapped.time_copy, 16 - 80 * m.copy / 2);
    m.reduce = 0.5;
    m.reduce_near = 0.25;
    strata_cost_reduce_fetched(&combined, 80, 1, &m); /* the operator reads them in place */
    assert_near(combined.time_start, 0);
    assert_near(combined.copied, 0);
    assert_near(combined.time_reduce, 80 * 0.25);
}

/* One of four ranks on two cores has a core for itself, all four together take turns: each wait
 * costs a turn. */
static void test_crowded(void **state)
{
    (void)state;
    struct strata_machine machine = simple;
    machine.turn = 3;
    struct strata_machine crowded =
        strata_machine_of_nodes(&machine, 4, (struct strata_sharing){2, 5});
    assert_near(crowded.cores, 2);
    assert_near(crowded.contenders, 4);
    assert_near(strata_machine_native(&crowded).turn, 5);
    struct strata_machine told = machine, same;
    told.cores = 2;
    same = strata_machine_of_nodes(&told, 4, (struct strata_sharing){0});
    assert_near(same.cores, 2);
    assert_near(same.contenders, 4);
    assert_near(strata_machine_native(&same).turn, 3);
    told.native_turn = 4;
    assert_near(strata_machine_of_nodes(&told, 4, (struct strata_sharing){2, 5}).native_turn, 4);
    told = strata_machine_of_nodes(
        &told, 2, (struct strata_sharing){3, 5}); /* the given number counts, and is enough here */
    assert_near(told.cores, 0);
    assert_near(told.contenders, machine.contenders);
    const double contenders[] = {1, 2, 3, 4}, times[] = {1, 1, 1.5, 2};
    for (int i = 0; i < 4; i++) {
        struct strata_cost cost = {0}, node = {0};
        struct strata_machine contended = strata_machine_contended(&crowded, contenders[i]);
        strata_cost_stage(&cost, 1, 8, &contended);
        assert_near(cost.time_start, times[i] * (10 + 0.5 + 3));
        strata_cost_stage_node(&node, 2, 8, &contended);
        assert_near(node.time_start, times[i] * (2 * 4.5 + 3));
    }
    struct strata_cost roomy = {0};
    strata_cost_stage(&roomy, 1, 8, &machine);
    assert_near(roomy.time_start, 10.5);
}

static double copied(const struct strata_machine *machine, double bytes)
{
    struct strata_cost cost = {0};
    strata_cost_copy(&cost, bytes, 0, machine);
    return cost.time_copy;
}

/* Threads share copies and combining from a length on, at which a shared copy just pays. MPI's own
 * and ranks on crowded cores share nothing. */
static void test_threads(void **state)
{
    (void)state;
    struct strata_machine machine = simple, native, crowded;
    machine.reduce = 0.25;
    machine.threads = 4;
    machine.team = 1024;
    const double offering = 1024 * 0.125 * (0.85 - 0.25);
    assert_near(copied(&machine, 1023), 1023 * 0.125);
    assert_near(copied(&machine, 1024), 1024 * 0.125 * 0.85);
    assert_near(copied(&machine, 65536), 65536 * 0.125 / 4 + offering);
    struct strata_cost cost = {0};
    strata_cost_reduce(&cost, 1023, &machine);
    assert_near(cost.sharable, 0);
    strata_cost_reduce(&cost, 4096, &machine);
    assert_near(cost.time_reduce, 1023 * 0.25 + 4096 * 0.25 / 4 + offering);
    assert_near(cost.sharable, 4096);
    native = strata_machine_native(&machine);
    assert_near(copied(&native, 65536), 65536 * 0.125);
    crowded = strata_machine_of_nodes(&machine, 4, (struct strata_sharing){2, 5});
    assert_near(crowded.threads, 0);
    assert_near(strata_machine_of_nodes(&machine, 4, (struct strata_sharing){0}).threads, 4);
}

/* Start-ups overlap, except for their time on the processor, or on the adapter that a node's ranks
 * share. Earlier messages travel meanwhile. */
static void test_gaps(void **state)
{
    (void)state;
    struct strata_machine machine = simple;
    machine.ports = 1;
    machine.gap = 0.1;
    struct strata_cost alone = {0}, few = {0}, many = {0}, shared = {0};
    strata_cost_stage(&alone, 1, 8, &machine);
    assert_near(alone.time_start, 10 + 0.5);
    assert_near(alone.time_wire, 8);
    strata_cost_stage(&few, 4, 1, &machine); /* only the last message's bytes remain to wait for */
    assert_near(few.time_start, 10 + 4 * 0.5);
    assert_near(few.time_wire, 0.25);
    strata_cost_stage(&many, 4, 100, &machine); /* all other messages start meanwhile */
    assert_near(many.time_start, 10 + 4 * 0.5);
    assert_near(many.time_wire, 100 - 3 * 0.5);
    struct strata_machine contended = strata_machine_contended(&machine, 16);
    strata_cost_stage(&shared, 4, 100, &contended);
    assert_near(shared.time_start, 10 + 63 * 0.1); /* more than the processor's 2 */
    assert_near(shared.time_wire, 1600 - 6.3 * 3 / 4);
}

/* Envelopes travel as the bytes do, and count as none. */
static void test_envelope(void **state)
{
    (void)state;
    struct strata_machine machine = simple;
    machine.envelope = 16;
    struct strata_cost bare = {0}, cost = {0};
    strata_cost_stage(&bare, 5, 100 + 5 * 16, &simple);
    strata_cost_stage(&cost, 5, 100, &machine);
    assert_near(cost.time_start, bare.time_start);
    assert_near(cost.time_wire, bare.time_wire);
    assert_near(cost.bytes, 100);
}

static void test_formulas(void **state)
{
    (void)state;
    struct strata_cost cost = {0};
    strata_cost_stage(&cost, 0, 0, &simple);
    assert_near(strata_cost_time(&cost), 0);
    strata_cost_stage(&cost, 5, 100, &simple); /* three times two ports */
    assert_near(cost.time_start, 3 * 10 + 2 * 5 * 0.25);
    assert_near(cost.time_wire, 50);
    strata_cost_stage(&cost, 1, 8, &simple); /* a single message has the rate of one port */
    assert_near(cost.time_start, 32.5 + 10 + 0.5);
    assert_near(cost.time_wire, 58);
    strata_cost_stage_node(&cost, 2, 20, &simple);
    assert_near(cost.time_start, 43 + 2 * 4.5);
    assert_near(cost.time_wire, 68);
    strata_cost_copy(&cost, 80, 3, &simple);
    assert_near(cost.time_copy, 16);
    strata_cost_signal(&cost, 2, &simple);
    assert_near(cost.time_signal, 6);
    assert_near(strata_cost_time(&cost), 52 + 68 + 16 + 6);
    assert_near(cost.messages, 6);
    assert_near(cost.bytes, 108);
    assert_near(cost.messages_node, 2);
    assert_near(cost.bytes_node, 20);
    assert_near(cost.copied, 80);
    assert_near(cost.blocks, 3);
    assert_near(cost.signals, 2);

    struct strata_cost sum = cost;
    strata_cost_scale(&sum, 3);
    strata_cost_add(&sum, &cost);
    assert_near(strata_cost_time(&sum), 4 * strata_cost_time(&cost));
    assert_near(sum.messages, 24);
    assert_near(sum.signals, 8);
}

/* What is told of a distance counts there; the rest is that of any message inside a node. A part of
 * the messages takes its part of the time. Start-ups overlap except for a gap. */
static void test_distances(void **state)
{
    (void)state;
    struct strata_machine m = simple;
    double messages[STRATA_DISTANCES] = {1, 0, 0, 3};
    struct strata_cost any = {0}, mean = {0}, gaps = {0}, inside = {0}, taken = {0};
    m.between_packages = 3;
    assert_false(strata_machine_tells_distances(&m));
    strata_machine_sends(&m, messages);
    strata_cost_stage_node(&any, 2, 20, &m);
    assert_near(strata_cost_time(&any), 2 * 4.5 + 10);
    m.beta_apart = 2;
    m.alpha_cache = 1;
    assert_true(strata_machine_tells_distances(&m));
    const struct strata_message_costs apart = strata_machine_message(&m, 0),
                                      cache = strata_machine_message(&m, 3);
    assert_true(apart.alpha == 4 && apart.beta == 2 && apart.lines == 2 * 3);
    assert_true(cache.alpha == 1 && cache.beta == 0.5 && cache.overhead == 0.25);
    strata_machine_sends(&m, messages);
    strata_cost_stage_node(&mean, 2, 20, &m);
    assert_near(mean.time_start, (2 * (4.5 + 6) + 3 * 2 * 1.5) / 4);
    assert_near(mean.time_wire, (20 * 2 + 3 * 20 * 0.5) / 4);
    assert_near(mean.messages_node, 2);
    strata_machine_sends(&m, (const double[STRATA_DISTANCES]){0, 0, 0, 5});
    m.gap_cache = 0.75;
    strata_cost_stage_node(&gaps, 0, 0, &m);
    strata_cost_stage_node(&gaps, 3, 0, &m);
    assert_near(gaps.time_start, 1 + 2 * 0.75);
    m.gap_cache = 0.5; /* the processor takes longer */
    strata_cost_stage_node(&gaps, 3, 0, &m);
    assert_near(gaps.time_start, 2.5 + 1 + 3 * 0.5);
    m = strata_machine_inside(&m); /* there is no other kind of message */
    m.beta_cache = 3;
    strata_cost_stage(&inside, 1, 10, &m);
    assert_near(strata_cost_time(&inside), 1.5 + 30);
    strata_cost_take(&taken, 1, 10, &m);
    assert_near(taken.time_wire, 30);
}

static double wire(const struct strata_formula *formula, double bytes,
                   const struct strata_machine *machine)
{
    return strata_formula_cost(formula, bytes, machine).time_wire;
}

/* A rank that passes a part on begins when all messages sent beside it have arrived. Where the
 * sender waits between its messages, this holds for short ones only. A core that moves the bytes
 * itself sends short messages one after another. */
static void test_handed_on(void **state)
{
    (void)state;
    struct strata_formula together = {.rounds = 2, .messages = 2, .blocks = 2, .after = 3};
    struct strata_formula apart = {.rounds = 2, .messages = 2, .blocks = 2, .ahead = 3};
    struct strata_machine cores = simple;
    cores.ports = 0;
    assert_near(wire(&together, 100, &simple), 2 * 100 + 3 * (100 - 0.5));
    assert_near(wire(&together, 100000, &simple), 2 * 100000 + 3 * (100000 - 0.5));
    assert_near(wire(&apart, 100, &simple), 2 * 100 + 3 * (100 - 0.5));
    assert_near(wire(&apart, 100000, &simple), 2 * 100000);
    assert_near(wire(&apart, 0.25, &simple), 2 * 0.25); /* sent before the next is posted */
    assert_near(wire(&together, 100, &cores), 2 * 100);
    assert_near(wire(&apart, 100, &cores), 2 * 100);
    assert_near(wire(&together, 100000, &cores), 2 * 100000 + 3 * (100000 - 0.5));
}

static void test_message_bytes(void **state)
{
    (void)state;
    assert_near(strata_message_bytes(0, 8), 16);
    assert_near(strata_message_bytes(1, 8), 16 + 8 + 8); /* lengths are padded to 8 bytes */
    assert_near(strata_message_bytes(4, 10), 16 + 16 + 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),         cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_complaints),    cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_envelope),      cmocka_unit_test(test_formulas),
        cmocka_unit_test(test_host),          cmocka_unit_test(test_inside),
        cmocka_unit_test(test_fetching),      cmocka_unit_test(test_crowded),
        cmocka_unit_test(test_message_bytes), cmocka_unit_test(test_handed_on),
        cmocka_unit_test(test_threads),       cmocka_unit_test(test_distances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
