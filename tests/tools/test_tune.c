/* The file of a made-up network, by which the cost model gives back what was measured. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/cost/machine_cost.h"
#include "core/cost/machine_file.h"
#include "tools/tune/tune.h"

#define ALL(seconds)                                                                               \
    {                                                                                              \
        seconds, seconds, seconds                                                                  \
    }

/* An adapter that two ranks of a node fill, and that starts a message in 0.1 us. */
static const struct tool_network adapter = {
    .message = ALL(2e-6),
    .overhead = ALL(0.25e-6),
    .eager = 8192,
    .ahead = ALL(2e-6 + 8192 * 0.2e-9),
    .waiting = ALL(2e-6 + 16384 * 0.1e-9 + 1.5e-6),
    .senders = {{1, ALL(1.5e-6 + 16 * 0.5e-6), ALL(0.1e-9)},
                {2, ALL(1.5e-6 + 16 * 0.5e-6), ALL(0.1e-9)},
                {4, ALL(1.5e-6 + 16 * 0.5e-6), ALL(0.2e-9)},
                {16, ALL(1.5e-6 + 255 * 0.1e-6), ALL(0.8e-9)}},
    .node_message = ALL(0.9e-6),
    .node_byte = ALL(0.3e-9),
};

static struct strata_machine written(const struct tool_network *network,
                                     const struct strata_machine *base)
{
    char text[8192];
    struct strata_machine machine;
    struct strata_diagnostic message = {""};
    const struct tool_tuned tuned = {.hosts = "a b", .mpi = "c", .command = "d", .base = base};
    FILE *file = fmemopen(text, sizeof text, "w");
    assert_non_null(file);
    tool_machine_write(network, &tuned, file);
    assert_int_equal(fclose(file), 0);
    if (strata_machine_file_parse(text, strlen(text), &machine, &message) != STRATA_OK) {
        fail_msg("%s: %s", message.text, text);
    }
    return machine;
}

/* So many ranks of a node send so many messages each, with so many bytes together. */
static void must_take(const struct strata_machine *machine, double ranks, double messages,
                      double bytes, double seconds)
{
    struct strata_cost cost = {0};
    struct strata_machine contended = strata_machine_contended(machine, ranks);
    strata_cost_stage(&cost, messages, bytes, &contended);
    double found = strata_cost_time(&cost);
    if (found < 0.97 * seconds || found > 1.03 * seconds) {
        fail_msg("%g ranks, %g messages, %g bytes: %g s, not %g", ranks, messages, bytes, found,
                 seconds);
    }
}

static void test_adapter(void **state)
{
    (void)state;
    const struct strata_machine m = written(&adapter, strata_machine_at(0));
    const double mega = 1 << 20;
    must_take(&m, 1, 1, 8, adapter.message.median);
    must_take(&m, 1, 1, 8192, adapter.ahead.median);
    must_take(&m, 1, 1, 16384, adapter.waiting.median);
    must_take(&m, 1, 16, 128, adapter.senders[0].at_once.median);
    must_take(&m, 16, 16, 128, adapter.senders[3].at_once.median);
    must_take(&m, 1, 1, mega, 3.5e-6 + mega * 0.1e-9);
    must_take(&m, 2, 1, mega, 3.5e-6 + mega * 0.1e-9);
    must_take(&m, 4, 1, mega, 3.5e-6 + mega * 0.2e-9);
    must_take(&m, 16, 1, mega, 3.5e-6 + mega * 0.8e-9);
    assert_true(m.ports == 2 && m.copy == strata_machine_at(0)->copy);
    assert_true(m.beta_node == 0.3e-9 && m.alpha_node == 0.4e-6);
}

/* Ranks of containers move their bytes themselves. */
static void test_containers(void **state)
{
    (void)state;
    const struct strata_machine m = written(&adapter, strata_machine_containers());
    must_take(&m, 1, 1, 8, adapter.message.median);
    must_take(&m, 1, 1, 16384, adapter.waiting.median);
    assert_true(m.ports == 0 && m.gap == 0);
}

/* What other work has disturbed, so that more bytes seem to take less time, is left to the base. */
static void test_disturbed(void **state)
{
    (void)state;
    struct tool_network network = adapter;
    network.senders[0].byte.median = network.node_byte.median = -1e-9;
    network.overhead.median = 2e-6;
    const struct strata_machine *base = strata_machine_at(0), m = written(&network, base);
    assert_true(m.beta == base->beta && m.beta_node == base->beta_node);
    assert_true(m.rendezvous == base->rendezvous && m.ports == base->ports);
    must_take(&m, 1, 1, 8, network.message.median); /* none of it is the base's */
}

static void test_spread(void **state)
{
    (void)state;
    double samples[] = {5, 1, 4, 2, 3};
    struct tool_spread s = tool_spread_of(samples, 5);
    assert_true(s.low == 2 && s.median == 3 && s.high == 4);
    s = tool_spread_of(samples, 1);
    assert_true(s.low == 1 && s.median == 1 && s.high == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_adapter), cmocka_unit_test(test_containers),
        cmocka_unit_test(test_disturbed), cmocka_unit_test(test_spread)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
