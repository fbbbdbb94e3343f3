/* The file of a made-up network, by which the cost model gives back what was measured. The table of
 * timed choices: the kinds of blocks of patterns, and what becomes of a row in a further launch. */
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
#include "tests/assert_cmp.h"
#include "tools/tune/inner.h"
#include "tools/tune/switches.h"
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
    .overlap = {{.bytes = 8,
                 .seconds = {ALL(2e-6), ALL(2.5e-6), ALL(3.5e-6), ALL(5.5e-6), ALL(9.5e-6)}},
                {.bytes = 8192, .seconds = {ALL(2e-6 + 8192 * 0.2e-9)}},
                {.bytes = 16384,
                 .seconds = {ALL(2e-6 + 16384 * 0.1e-9 + 1.5e-6),
                             ALL(2.5e-6 + 16384 * 0.1e-9 - 0.5e-6 + 1.5e-6),
                             ALL(3.5e-6 + 2 * 16384 * 0.1e-9 - 1.5e-6 + 1.5e-6),
                             ALL(5.5e-6 + 4 * 16384 * 0.1e-9 - 3.5e-6 + 2 * 1.5e-6)}}},
};

static void write_text(const struct tool_network *network, const struct strata_machine *base,
                       char *text, size_t size)
{
    const struct tool_tuned tuned = {.hosts = "a b", .mpi = "c", .command = "d", .base = base};
    FILE *file = fmemopen(text, size, "w");
    assert_non_null(file);
    tool_machine_write(network, &tuned, file);
    assert_int_equal(fclose(file), 0);
}

static struct strata_machine written(const struct tool_network *network,
                                     const struct strata_machine *base)
{
    char text[16384];
    struct strata_machine machine;
    struct strata_diagnostic message = {""};
    write_text(network, base, text, sizeof text);
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

/* Two ports, sixteen messages in turn at the processor, and four that wait for their receives
 * together. */
static void test_overlap(void **state)
{
    (void)state;
    struct tool_network network = adapter;
    const struct tool_spread *waiting = network.overlap[2].seconds;
    struct strata_machine m = written(&network, strata_machine_at(0));
    assert_true(m.overlap > 3.9 && m.overlap < 4.1);
    for (int messages = 1; messages <= 8; messages *= 2) {
        must_take(&m, 1, messages, messages * 16384., waiting++->median);
    }
    network.overlap[2].seconds[3] = (struct tool_spread)ALL(1e-3); /* one after another, or more */
    assert_true(written(&network, strata_machine_at(0)).overlap == 1);
    network.overlap[2].seconds[3] = (struct tool_spread)ALL(1e-6); /* all together */
    assert_true(written(&network, strata_machine_at(0)).overlap == 8);
    network.overlap[2].bytes = 0;
    memset(network.overlap[2].seconds, 0, sizeof network.overlap[2].seconds);
    m = written(&network, strata_machine_at(0));
    assert_true(m.overlap == 0);
    must_take(&m, 1, 2, 2 * 16384., 2.5e-6 + 16384 * 0.1e-9 - 0.5e-6 + 2 * 1.5e-6);
}

/* More messages help by more than the spread, or do not. */
static void test_most(void **state)
{
    static const struct {
        struct tool_spread seconds[TOOL_UNDER_WAY];
        int count, most;
    } cases[] = {
        {{{0}}, 0, 1},
        {{ALL(1), ALL(1.1), ALL(1.3)}, 3, 4},
        {{ALL(1), ALL(1), ALL(2), ALL(4)}, 4, 2},
        {{{1, 1, 1}, {0.9, 1, 1.1}, {1.7, 1.8, 1.9}, {3.2, 3.5, 4.}}, 4, 2},
        {{{1, 1, 1}, {0.9, 1, 1.1}, {1.7, 1.8, 1.9}, {3.2, 3.5, 3.55}}, 4, 8},
        {{{1, 1, 3}, {1, 2, 3}, {1, 4, 8}}, 3, 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tool_overlap overlap = {.bytes = 8};
        memcpy(overlap.seconds, cases[i].seconds, sizeof overlap.seconds);
        assert_int_equal(tool_overlap_count(&overlap), cases[i].count);
        assert_int_equal(tool_overlap_most(&overlap), cases[i].most);
    }
}

/* What stands in the comments of the file. */
static void test_rates(void **state)
{
    char text[16384];
    struct tool_network network = adapter;
    (void)state;
    network.overlap[0].seconds[1] = (struct tool_spread){2e-6, 2.5e-6, 4e-6};
    write_text(&network, strata_machine_at(0), text, sizeof text);
    assert_non_null(strstr(text, "# messages of 8 B of one rank under way at once; messages a "
                                 "second, with quartiles\n"
                                 "#      1  5e+05 (5e+05 to 5e+05)\n"
                                 "#      2  8e+05 (5e+05 to 1e+06)\n"));
    assert_non_null(strstr(text, "#   more than 16 were not tried\n"));
    assert_non_null(strstr(text, "# messages of 16384 B of one rank"));
    network.overlap[0].seconds[4] = (struct tool_spread)ALL(11e-6);
    memset(network.overlap[2].seconds, 0, sizeof network.overlap[2].seconds); /* too long for any */
    write_text(&network, strata_machine_at(0), text, sizeof text);
    assert_non_null(strstr(text, "#   more than 8 raise the rate by no more than its spread\n"));
    assert_null(strstr(text, "# messages of 16384 B of one rank"));
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

static void test_below(void **state)
{
    static const struct {
        const char *names, *kinds, *path;
    } cases[] = {
        {"core.leaf3.node17", "switch.switch.node", "core.leaf3/node17"},
        {"leaf3.node17.site.org", "switch.node", "leaf3/node17.site.org"},
        {"core.s[0-1].node17", "switch.switch.node", "core.s[0-1]/node17"},
        {"node17", "node", ""}, /* Slurm without switches */
        {"rack.node17", "block.node", ""},
        {"core.leaf3", "switch.switch.node", ""},
        {"core.leaf3.", "switch.switch.node", ""},
        {"", "switch.node", ""},
        {NULL, "switch.node", ""},
        {"leaf3.node17", NULL, ""},
    };
    char longer[300] = "leaf.";
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(tool_below_of(cases[i].names, cases[i].kinds).path, cases[i].path);
    }
    memset(longer + strlen(longer), 'n', 250);
    assert_int_equal(strlen(tool_below_of(longer, "switch.node").path), 255);
    memset(longer, 'n', 256);
    longer[4] = '.';
    assert_string_equal(tool_below_of(longer, "switch.node").path, "");
}

static void test_levels(void **state)
{
    static const struct {
        struct tool_below a, b;
        int levels;
    } cases[] = {
        {{"leaf/n1"}, {"leaf/n2"}, 1},
        {{"core.leaf1/n1"}, {"core.leaf1/n2"}, 1},
        {{"core.leaf1/n1"}, {"core.leaf2/n2"}, 2},
        {{"core.leaf1/n1"}, {"core.leaf11/n2"}, 2},
        {{"a.b.leaf1/n1"}, {"a.c.leaf1/n2"}, 3},
        {{"a.leaf1/n1"}, {"b.leaf1/n2"}, 3},
        {{"leaf1/n"}, {"leaf2/n"}, 2},
        {{"core/n1"}, {"core.leaf/n2"}, 2},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(tool_below_levels(&cases[i].a, &cases[i].b), cases[i].levels);
        assert_int_equal(tool_below_levels(&cases[i].b, &cases[i].a), cases[i].levels);
    }
}

static void must_pair(const struct tool_below *below, int nodes, int levels, const int *partner)
{
    int found[8], pairs = 0;
    for (int i = 0; i < nodes; i++) {
        pairs += partner[i] >= 0;
    }
    assert_int_equal(2 * tool_below_pair(below, nodes, levels, found), pairs);
    assert_memory_equal(found, partner, (size_t)nodes * sizeof *partner);
}

static void test_pairs(void **state)
{
    static const struct tool_below nodes[] = {{"c.a/n1"}, {"c.b/n2"}, {"c.b/n3"}, {"c.a/n4"},
                                              {"c.b/n5"}, {"d.e/n6"}, {"c.a/n7"}};
    struct tool_below same[] = {{"c.a/n1"}, {"c.b/n2"}, {"c.a/n1"}};
    (void)state;
    must_pair(nodes, 7, 1, (const int[]){3, 2, 1, 0, -1, -1, -1});
    must_pair(nodes, 7, 2, (const int[]){1, 0, 3, 2, 6, -1, 4});
    must_pair(nodes, 7, 3, (const int[]){5, -1, -1, -1, -1, 0, -1});
    must_pair(nodes, 7, 4, (const int[]){-1, -1, -1, -1, -1, -1, -1});
    assert_true(tool_below_known(nodes, 7) && tool_below_known(same, 2));
    assert_false(tool_below_known(same, 3)); /* the first node's variables were passed on */
    same[2].path[0] = '\0';
    assert_false(tool_below_known(same, 3));
}

/* The comments tell the levels between which there are pairs. */
static void test_switches(void **state)
{
    char text[16384];
    struct tool_network network = adapter;
    (void)state;
    write_text(&network, strata_machine_at(0), text, sizeof text);
    assert_null(strstr(text, "levels of switches"));
    network.level[2] =
        (struct tool_level){.pairs = 5, .message = {1e-6, 2e-6, 3e-6}, .byte = {1e-9, 2e-9, 4e-9}};
    write_text(&network, strata_machine_at(0), text, sizeof text);
    assert_non_null(strstr(text, "# levels of switches between two nodes, 1: below one leaf; pairs "
                                 "of nodes at once; s for 8 B; s for a byte; with quartiles\n"
                                 "#      3  5  2e-06 (1e-06 to 3e-06)  2e-09 (1e-09 to 4e-09)\n"));
}

/* Ranks on one core of a host with two packages of two domains, each of two caches with two cores
 * of two hardware threads. */
static struct tool_inner_place on_core(int node, int core)
{
    return (struct tool_inner_place){
        .node = node,
        .place = {core / 8, core / 4, core / 2, core, STRATA_SEVERAL},
        .objects = {2, 4, 8, 16, true},
        .units = 32,
        .first = 2 * core,
        .last = 2 * core + 1,
    };
}

/* The smallest object that both share counts. Where one of them may be in several nobody knows
 * which that is, except of cores, between which ranks may change. */
static void test_inner(void **state)
{
    (void)state;
    const struct tool_inner_place here = on_core(0, 0);
    static const struct {
        int core;
        enum tool_inner_distance distance;
    } cases[] = {{0, TOOL_CORE},    {1, TOOL_CACHE}, {2, TOOL_DOMAIN}, {3, TOOL_DOMAIN},
                 {4, TOOL_PACKAGE}, {8, TOOL_NODE},  {15, TOOL_NODE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct tool_inner_place there = on_core(0, cases[i].core);
        assert_int_equal(tool_inner_of(&here, &there), cases[i].distance);
        assert_int_equal(tool_inner_of(&there, &here), cases[i].distance);
    }
    struct tool_inner_place there = on_core(0, 1);
    there.place.core = STRATA_SEVERAL;
    assert_int_equal(tool_inner_of(&here, &there), TOOL_CACHE);
    there.place.cache = STRATA_SEVERAL;
    assert_int_equal(tool_inner_of(&here, &there), TOOL_INNERS);
    there = on_core(0, 4);
    there.place.cache = STRATA_SEVERAL;
    assert_int_equal(tool_inner_of(&here, &there), TOOL_PACKAGE);
    there.place.domain = STRATA_SEVERAL;
    assert_int_equal(tool_inner_of(&here, &there), TOOL_INNERS);
    there.place.package = 1;
    assert_int_equal(tool_inner_of(&here, &there), TOOL_NODE);
    there.place.package = STRATA_SEVERAL;
    assert_int_equal(tool_inner_of(&here, &there), TOOL_INNERS);
    struct tool_inner_place thread = here, other = here;
    thread.last = thread.first;
    assert_int_equal(tool_inner_of(&thread, &here), TOOL_CORE);
    other.first = other.last;
    assert_int_equal(tool_inner_of(&thread, &other), TOOL_CORE);
    assert_int_equal(tool_inner_of(&thread, &thread), TOOL_INNERS); /* they take turns */
}

static struct tool_inner pair_inside(const struct tool_inner_place *places, const char *nodes,
                                     enum tool_inner_distance distance, const int *partner)
{
    int found[8];
    struct tool_inner inner = {.pairs = -1};
    struct strata_topology *topology;
    assert_int_equal(strata_topology_parse(nodes, 0, &topology, NULL), STRATA_OK);
    tool_inner_pair(places, topology, distance, &inner, found);
    assert_memory_equal(found, partner, (size_t)topology->ranks * sizeof *partner);
    assert_int_equal(inner.lack == TOOL_LACKS_NOTHING, inner.pairs > 0);
    strata_topology_destroy(topology);
    return inner;
}

/* One pair of each node, in any order of ranks; else why there is none. */
static void test_inner_pairs(void **state)
{
    (void)state;
    const char *const turns = "node:2:cyclic rank:7", *const one = "node:1 rank:2";
    const int none[] = {-1, -1, -1, -1, -1, -1, -1};
    struct tool_inner_place places[7];
    static const int cores[] = {0, 8, 2, 0, 1, 1, 9};
    for (int r = 0; r < 7; r++) {
        places[r] = on_core(r % 2, cores[r]);
    }
    struct tool_inner inner =
        pair_inside(places, turns, TOOL_CACHE, (const int[]){4, -1, -1, 5, 0, 3, -1});
    assert_true(inner.pairs == 2 && inner.first[0] == 0 && inner.first[1] == 4);
    inner = pair_inside(places, turns, TOOL_DOMAIN, (const int[]){2, -1, 0, -1, -1, -1, -1});
    assert_true(inner.pairs == 1 && inner.first[0] == 0 && inner.first[1] == 2);
    inner = pair_inside(places, turns, TOOL_NODE, (const int[]){6, 3, -1, 1, -1, -1, 0});
    assert_true(inner.pairs == 2 && inner.first[1] == 6);
    assert_int_equal(pair_inside(places, turns, TOOL_PACKAGE, none).lack, TOOL_LACKS_RANKS);
    places[6].place.domain = STRATA_SEVERAL;
    assert_int_equal(pair_inside(places, turns, TOOL_PACKAGE, none).lack, TOOL_LACKS_PLACES);
    static const struct strata_objects few[] = {[TOOL_CORE] = {2, 4, 8, 32, true},
                                                [TOOL_CACHE] = {2, 4, 16, 16, true},
                                                [TOOL_DOMAIN] = {2, 8, 8, 16, true},
                                                [TOOL_PACKAGE] = {4, 4, 8, 16, true},
                                                [TOOL_NODE] = {1, 4, 8, 16, true}};
    for (int i = 0; i < TOOL_INNERS; i++) {
        const enum tool_inner_distance distance = (enum tool_inner_distance)i;
        struct tool_inner_place here[] = {on_core(0, 0), on_core(0, 0)};
        here[0].last = here[1].last = 0;
        assert_int_equal(pair_inside(here, one, distance, none).lack, TOOL_LACKS_RANKS);
        here[0].objects = here[1].objects = few[i];
        assert_int_equal(pair_inside(here, one, distance, none).lack, TOOL_LACKS_OBJECTS);
        here[1].units = 0; /* hwloc has failed there */
        assert_int_equal(pair_inside(here, one, distance, none).lack, TOOL_LACKS_PLACES);
    }
}

/* What two ranks of a node take over a distance. */
static void must_take_inside(const struct strata_machine *machine, int distance, double messages,
                             double bytes, double seconds)
{
    struct strata_cost cost = {0};
    struct strata_machine sends = *machine;
    double over[STRATA_DISTANCES] = {0};
    over[distance] = 1;
    strata_machine_sends(&sends, over);
    strata_cost_stage_node(&cost, messages, bytes, &sends);
    const double found = strata_cost_time(&cost);
    if (found < 0.97 * seconds || found > 1.03 * seconds) {
        fail_msg("distance %d, %g messages, %g bytes: %g s, not %g", distance, messages, bytes,
                 found, seconds);
    }
}

/* The model gives back what was measured over each distance, and elsewhere what it did before. The
 * comments name each distance. */
static void test_distances(void **state)
{
    char text[16384];
    struct tool_network network = adapter;
    const struct tool_inner far = {.lack = TOOL_LACKS_NOTHING,
                                   .pairs = 3,
                                   .first = {1, 7},
                                   .message = {0.9e-6, 1e-6, 1.2e-6},
                                   .overhead = ALL(0.2e-6),
                                   .at_once = ALL(0.6e-6 + 15 * 0.5e-6),
                                   .byte = {0.2e-9, 0.25e-9, 0.5e-9},
                                   .eager = 4096,
                                   .ahead = ALL(1e-6 + 4096 * 0.5e-9),
                                   .waiting = ALL(1e-6 + 8192 * 0.25e-9 + 2e-6)};
    struct tool_inner near = far;
    (void)state;
    near.message = (struct tool_spread)ALL(0.3e-6); /* all of it is the processor's */
    near.at_once = (struct tool_spread)ALL(16 * 0.3e-6);
    near.eager = 0;
    near.ahead = near.waiting = (struct tool_spread)ALL(0);
    network.inner[TOOL_CORE] = network.inner[TOOL_DOMAIN] = network.inner[TOOL_NODE] = far;
    network.inner[TOOL_CACHE] = near;
    network.inner[TOOL_DOMAIN].byte = (struct tool_spread){-2e-9, -1e-9, 1e-9};
    network.inner[TOOL_PACKAGE].lack = TOOL_LACKS_OBJECTS;
    const struct strata_machine m = written(&network, strata_machine_at(0));
    must_take_inside(&m, 0, 1, 8, 1e-6);
    must_take_inside(&m, 0, 16, 128, far.at_once.median);
    must_take_inside(&m, 0, 1, 4096, far.ahead.median);
    must_take_inside(&m, 0, 1, 8192, far.waiting.median);
    must_take_inside(&m, 0, 1, 1 << 20, 3e-6 + (1 << 20) * 0.25e-9);
    must_take_inside(&m, 3, 1, 8, 0.3e-6);
    must_take_inside(&m, 3, 16, 128, near.at_once.median);
    must_take_inside(&m, 3, 1, 1 << 20, 0.3e-6 + (1 << 20) * 0.25e-9);
    assert_true(m.alpha_domain == 0 && m.beta_domain == 0 && m.gap_domain == 0);
    assert_true(m.alpha_package == 0 && m.eager_package == 0);
    must_take(&m, 1, 1, 8, adapter.message.median);
    write_text(&network, strata_machine_at(0), text, sizeof text);
    assert_non_null(strstr(text, "# two ranks that share only their node\n"
                                 "alpha_apart = 6e-07 # of 1e-06, quartiles 9e-07 and 1.2e-06\n"));
    assert_non_null(strstr(
        text, "#   core     3  1 and 7  1e-06 (9e-07 to 1.2e-06)  2.5e-10 (2e-10 to 5e-10)\n"
              "#   cache    3  1 and 7  3e-07 (3e-07 to 3e-07)  2.5e-10 (2e-10 to 5e-10)\n"
              "#   domain   3  1 and 7  1e-06 (9e-07 to 1.2e-06)  -1e-09 (-2e-09 to 1e-09)  left "
              "out: more bytes seemed to take no longer\n"
              "#   package  not measured: no package has several NUMA domains\n"
              "#   apart    3  1 and 7"));
    assert_null(strstr(text, "_core"));
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

/* The most of all ranks. */
static void agree(const struct tool_lengths *lengths, int64_t most[TOOL_LENGTH_FIGURES])
{
    memset(most, 0, TOOL_LENGTH_FIGURES * sizeof *most);
    for (int rank = 0; rank < lengths->shape.ranks; rank++) {
        int64_t figure[TOOL_LENGTH_FIGURES];
        tool_lengths_of_rank(lengths, rank, figure);
        for (int i = 0; i < TOOL_LENGTH_FIGURES; i++) {
            most[i] = figure[i] > most[i] ? figure[i] : most[i];
        }
    }
}

/* What calls of a pattern are looked up by. */
static struct strata_tuned_row key_of(enum strata_collective collective,
                                      enum strata_pattern pattern, int ranks, long longest)
{
    const struct tool_lengths lengths = {collective, pattern, {longest, ranks, 1}, 1};
    struct strata_tuned_row row = {.nodes = 0};
    int64_t most[TOOL_LENGTH_FIGURES];
    agree(&lengths, most);
    tool_lengths_describe(&lengths, most, &row);
    assert_int_equal(row.collective, collective);
    return row;
}

/* On 16 ranks and more the patterns are told apart (docs/decisions/tuned-table.md). */
static void test_patterns(void **state)
{
    static const enum strata_tuned_blocks blocks[STRATA_PATTERNS] = {
        [STRATA_PATTERN_FIXED] = STRATA_EVEN,
        [STRATA_PATTERN_UNIFORM] = STRATA_EVEN,
        [STRATA_PATTERN_SPARSE] = STRATA_SPARSE,
        [STRATA_PATTERN_HOT_RECEIVER] = STRATA_UNEVEN,
        [STRATA_PATTERN_POWER_LAW] = STRATA_UNEVEN};
    static const int ranks[] = {16, 48, 64, 100, 128};
    static const long longest[] = {64, 100, 4096, 5000, 65536};
    (void)state;
    for (size_t i = 0; i < (size_t)STRATA_PATTERNS * 5 * 5; i++) {
        const enum strata_pattern pattern = (enum strata_pattern)(i / 25);
        const struct strata_tuned_row row =
            key_of(STRATA_ALLTOALLV, pattern, ranks[i / 5 % 5], longest[i % 5]);
        if (row.blocks != blocks[pattern]) {
            fail_msg("%s of %ld for %d: \"%s\"", strata_pattern_name(pattern), longest[i % 5],
                     ranks[i / 5 % 5], strata_tuned_blocks_name(row.blocks));
        }
    }
}

static void test_keys(void **state)
{
    (void)state;
    assert_true(key_of(STRATA_ALLTOALLV, STRATA_PATTERN_FIXED, 16, 100).bytes == 100);
    assert_true(key_of(STRATA_ALLREDUCE, STRATA_PATTERN_FIXED, 16, 100).bytes == 800);
    assert_true(key_of(STRATA_BARRIER, STRATA_PATTERN_FIXED, 16, 0).bytes == 0);
    /* one of 4096 and 15 of 256 B: 496 B on the mean, which calls round down */
    assert_true(key_of(STRATA_ALLTOALLV, STRATA_PATTERN_HOT_RECEIVER, 16, 4096).bytes == 256);
    assert_true(key_of(STRATA_ALLGATHERV, STRATA_PATTERN_HOT_RECEIVER, 16, 4096).bytes == 256);
    const struct strata_tuned_row sums =
        key_of(STRATA_REDUCE_SCATTER, STRATA_PATTERN_HOT_RECEIVER, 16, 4096);
    assert_true(sums.bytes == 2048 && sums.blocks == STRATA_UNEVEN);
    /* ranks agree on no degree there */
    assert_int_equal(key_of(STRATA_GATHERV, STRATA_PATTERN_SPARSE, 64, 4096).blocks, STRATA_UNEVEN);
    assert_true(key_of(STRATA_ALLTOALLV, STRATA_PATTERN_HOT_RECEIVER, 16, 8).bytes == 0);
}

/* The lengths that are nearest to such blocks. */
static bool fit(enum strata_collective collective, const struct tool_shape *shape, int ranks,
                struct tool_lengths *nearest)
{
    static int64_t figure[TOOL_FITS][TOOL_LENGTH_FIGURES];
    for (int i = 0; i < TOOL_FITS; i++) {
        const struct tool_lengths l = tool_fit_lengths(collective, ranks, i);
        agree(&l, figure[i]);
    }
    return tool_fit(collective, shape, ranks, figure, nearest);
}

/* The shape of the lengths, whose figures a record has. */
static struct tool_shape shape_of(const struct tool_lengths *l)
{
    int64_t most[TOOL_LENGTH_FIGURES];
    const double each = (double)tool_element_bytes(l->collective), ranks = l->shape.ranks;
    agree(l, most);
    const struct tool_blocks blocks = {
        (double)most[TOOL_LENGTH_SUM] * each / ranks, (double)most[TOOL_LENGTH_MOST] * each,
        (double)most[TOOL_LENGTH_RECEIVED] * each / ranks, (int)most[TOOL_LENGTH_DEGREE]};
    return tool_shape_of(l->collective, &blocks, l->shape.ranks);
}

/* Blocks of a pattern, drawn anew and in units of a program's, are timed as that pattern, and the
 * key of its line is theirs. Powers of two do not tell uniform ones of ratio 2 from equal ones. */
static void must_fit(enum strata_collective collective, enum strata_pattern pattern, int ranks,
                     long longest, int unit)
{
    const struct tool_lengths lengths = {collective, pattern, {longest, ranks, 7}, unit};
    const struct tool_shape shape = shape_of(&lengths);
    struct tool_lengths nearest = {.unit = 0};
    const bool fits = fit(collective, &shape, ranks, &nearest);
    const struct tool_shape found = fits ? shape_of(&nearest) : shape;
    const bool alike = pattern == STRATA_PATTERN_UNIFORM && shape.ratio <= 1;
    if (!fits || nearest.pattern != (alike ? STRATA_PATTERN_FIXED : pattern) ||
        found.bytes != shape.bytes || found.blocks != shape.blocks) {
        char text[200];
        fail_msg("%s of %ld times %d for %d ranks, %s: %d, %s of %ld times %d",
                 strata_pattern_name(pattern), longest, unit, ranks,
                 tool_shape_text(&shape, text, sizeof text), fits,
                 strata_pattern_name(nearest.pattern), nearest.shape.longest, nearest.unit);
    }
}

static void test_fit(void **state)
{
    static const int ranks[] = {16, 64, 100}, units[] = {1, 3, 16};
    static const long longest[] = {100, 4096, 20000};
    (void)state;
    for (size_t i = 0; i < (size_t)STRATA_PATTERNS * 27; i++) {
        must_fit(STRATA_ALLTOALLV, (enum strata_pattern)(i / 27), ranks[i / 9 % 3],
                 longest[i / 3 % 3], units[i % 3]);
    }
    must_fit(STRATA_REDUCE_SCATTER, STRATA_PATTERN_FIXED, 64, 100, 1);
    must_fit(STRATA_REDUCE_SCATTER, STRATA_PATTERN_HOT_RECEIVER, 64, 4096, 1);
    must_fit(STRATA_ALLGATHERV, STRATA_PATTERN_POWER_LAW, 100, 4096, 16);
}

/* An element is a double, so a block of one float is timed as one. */
static void test_short_fit(void **state)
{
    const struct tool_shape shape = {.bytes = 4, .blocks = STRATA_EVEN};
    struct tool_lengths nearest;
    (void)state;
    assert_true(fit(STRATA_REDUCE_SCATTER, &shape, 16, &nearest));
    assert_true(nearest.pattern == STRATA_PATTERN_FIXED && shape_of(&nearest).bytes == 8);
}

/* Where no pattern has such blocks, or has them in so little memory, there is none. */
static void test_no_fit(void **state)
{
    struct tool_shape shape = {.bytes = 64, .blocks = STRATA_SPARSE, .ratio = 1, .degree = 1};
    struct tool_lengths nearest;
    (void)state;
    assert_true(fit(STRATA_ALLTOALLV, &shape, 64, &nearest));
    assert_false(fit(STRATA_ALLTOALLV, &shape, 4, &nearest));
    shape = (struct tool_shape){.bytes = TOOL_MOST_BYTES / 64};
    assert_true(fit(STRATA_ALLTOALLV, &shape, 64, &nearest));
    shape.bytes *= 2;
    assert_false(fit(STRATA_ALLTOALLV, &shape, 64, &nearest));
}

static void test_shape(void **state)
{
    char text[200];
    const struct tool_blocks blocks = {.mean = 100, .longest = 4000, .received = 1000, .degree = 5};
    const struct tool_shape shape = tool_shape_of(STRATA_ALLTOALLV, &blocks, 64);
    (void)state;
    assert_string_equal(tool_shape_text(&shape, text, sizeof text),
                        "blocks of 64 B in the mean and 4 KiB at most, for 8 others at most, of "
                        "which a rank receives 8 times as much");
}

static struct strata_tuned_row row_of(const char *choice, double seconds, int launches)
{
    struct strata_tuned_row row = {.collective = STRATA_ALLREDUCE,
                                   .nodes = 4,
                                   .ranks = 16,
                                   .threads = 2,
                                   .bytes = 8,
                                   .seconds = seconds,
                                   .untuned = 3e-6,
                                   .native = 4e-6,
                                   .launches = launches};
    assert_int_equal(strata_choice_parse(choice, row.collective, &row.choice, NULL), STRATA_OK);
    return row;
}

static void test_launches(void **state)
{
    static const struct {
        const char *before, *verdict, *choice;
        int before_launches, launches;
    } cases[] = {
        {NULL, "ring", "ring", 0, 1},
        {"ring", "ring", "ring", 1, 2},
        {"ring", "prefer:ring", "ring", 2, 3},
        {"auto", "auto", "auto", 4, 5},
        {"ring", "auto", "auto", 3, 1},
        {"ring", "native", "auto", 1, 1},
        {"dpml:leaders=2", "dpml:leaders=4", "auto", 1, 1},
        {"auto", "ring", "auto", 2, 1}, /* it has lost, too */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *old = cases[i].before;
        const struct strata_tuned_row before =
            row_of(old ? old : "auto", 1, cases[i].before_launches);
        const struct strata_tuned_row verdict =
            row_of(cases[i].verdict, strcmp(cases[i].verdict, "auto") == 0 ? 3e-6 : 2e-6, 1);
        const struct strata_tuned_row row = tool_row_merge(old ? &before : NULL, &verdict);
        char name[96];
        assert_string_equal(tool_choice_name(&row.choice, name, sizeof name), cases[i].choice);
        assert_int_equal(row.launches, cases[i].launches);
        assert_true(row.seconds == (row.choice.algorithm ? 2e-6 : 3e-6) && row.native == 4e-6);
    }
}

/* What is written is read again. */
static void test_written(void **state)
{
    (void)state;
    char text[4096];
    struct strata_tuned_row rows[] = {row_of("dpml:leaders=2", 2e-6, 3), row_of("auto", 2e-6, 1),
                                      row_of("auto", 2e-6, 1)};
    rows[1].threads = 0;
    rows[2].collective = STRATA_ALLTOALLV;
    rows[2].blocks = STRATA_UNEVEN;
    const struct strata_tuned old = {.row = rows, .count = 2},
                              fresh = {.row = rows + 2, .count = 1};
    const struct tool_tuned tuned = {.hosts = "a b", .mpi = "c", .command = "d"};
    struct strata_tuned read;
    struct strata_diagnostic message = {""};
    FILE *file = fmemopen(text, sizeof text, "w");
    assert_non_null(file);
    tool_table_write(&old, &fresh, &tuned, file);
    assert_int_equal(fclose(file), 0);
    assert_non_null(strstr(text,
                           "\nallreduce 4x16x2 8 = dpml:leaders=2 2e-06 3e-06 4e-06 launches=3\n"
                           "allreduce 4x16 8 = auto 2e-06 3e-06 4e-06\n"
                           "alltoallv 4x16x2 8 uneven = auto 2e-06 3e-06 4e-06\nend\n"));
    assert_int_equal(strata_tuned_parse(text, strlen(text), &read, &message), STRATA_OK);
    assert_int_equal(read.count, 3);
    for (int i = 0; i < 3; i++) {
        assert_non_null(strata_tuned_like(&read, &rows[i]));
        assert_int_equal(read.row[i].launches, rows[i].launches);
    }
    strata_tuned_free(&read);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_adapter),     cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_most),        cmocka_unit_test(test_rates),
        cmocka_unit_test(test_containers),  cmocka_unit_test(test_below),
        cmocka_unit_test(test_levels),      cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_switches),    cmocka_unit_test(test_disturbed),
        cmocka_unit_test(test_spread),      cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_keys),        cmocka_unit_test(test_fit),
        cmocka_unit_test(test_short_fit),   cmocka_unit_test(test_no_fit),
        cmocka_unit_test(test_shape),       cmocka_unit_test(test_launches),
        cmocka_unit_test(test_written),     cmocka_unit_test(test_inner),
        cmocka_unit_test(test_inner_pairs), cmocka_unit_test(test_distances)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
