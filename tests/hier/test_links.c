/* The links of a torus that messages share, in costs and choices. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/cost/algorithm_cost.h"
#include "core/cost/links.h"
#include "hier/registry.h"
#include "hier/select.h"
#include "tests/assert_cmp.h"
#include "tests/hier/instances.h"

enum { AXES = 3, MOST = 512 };

static struct strata_machine torus_of(int x, int y, int z)
{
    return (struct strata_machine){
        .ports = 6, .torus_x = x, .torus_y = y, .torus_z = z, .contenders = 1};
}

/* Messages over each link of the torus: by its node, axis and way. */
static int crossed[MOST][AXES][2];

/* One message, along one axis after another, the shorter way. Returns the links that it takes. */
static void send(const int *size, int from, int to)
{
    int at = from, line = 1;
    for (int axis = 0; axis < AXES; axis++) {
        int here = at / line % size[axis], there = to / line % size[axis];
        int on = (there - here + size[axis]) % size[axis];
        bool back = on > size[axis] - on;
        for (int hops = back ? size[axis] - on : on; hops > 0; hops--) {
            crossed[at][axis][back]++;
            int next = (here + (back ? size[axis] - 1 : 1)) % size[axis];
            at += (next - here) * line;
            here = next;
        }
        line *= size[axis];
    }
    assert_int_equal(at, to);
}

static int most_crossed(void)
{
    int most = 0;
    for (int i = 0; i < MOST * AXES * 2; i++) {
        int here = crossed[i / 6][i / 2 % 3][i % 2];
        most = here > most ? here : most;
    }
    return most;
}

/* Rounds among all nodes of a torus cross its busiest link as often as their messages, followed one
 * by one, do. */
static void test_rounds(void **state)
{
    (void)state;
    static const int tori[][AXES] = {{8, 1, 1}, {8, 8, 1}, {4, 4, 4}, {8, 4, 4}, {5, 4, 3}};
    for (size_t i = 0; i < sizeof tori / sizeof *tori; i++) {
        const int *size = tori[i], nodes = size[0] * size[1] * size[2];
        for (int distance = 1; distance < nodes; distance++) {
            struct strata_machine machine = torus_of(size[0], size[1], size[2]);
            struct strata_flat_round round = strata_onward(distance, 0, 1, 1);
            memset(crossed, 0, sizeof crossed);
            for (int node = 0; node < nodes; node++) {
                send(size, node, (node + distance) % nodes);
            }
            strata_machine_route_nodes(&machine, nodes, &round);
            assert_int_equal((int)machine.crossing, most_crossed());
        }
    }
}

/* Whatever the text of a machine says, nothing is divided by zero. */
static void test_huge(void **state)
{
    (void)state;
    struct strata_machine machine = torus_of(8, 1, 1);
    struct strata_flat_round round = strata_onward(3, 0, 1, 1);
    machine.torus_x = machine.torus_y = 4294967296.0;
    machine.torus_z = 1e300;
    strata_machine_route_nodes(&machine, 8, &round);
    ASSERT_CMP(machine.crossing, >, 0);
}

/* The same where several ranks share a node: those that go to one node share all its links, and of
 * a row of ranks some go a node further on. Where these go another way, the two are not told apart
 * exactly. */
static void test_ranks_of_nodes(void **state)
{
    (void)state;
    struct instance x = instance_of("node:64", 256);
    int exact = 0;
    for (int distance = 4; distance < 256; distance++) {
        struct strata_machine machine = torus_of(8, 8, 1);
        struct strata_flat_round round = strata_onward(distance, 0, 1, 1);
        const int size[AXES] = {8, 8, 1};
        memset(crossed, 0, sizeof crossed);
        for (int rank = 0; rank < 256; rank++) {
            send(size, rank / 4, (rank + distance) % 256 / 4);
        }
        strata_machine_route(&machine, x.topology, &round, 4);
        double counted = 4 * machine.crossing;
        exact += counted == most_crossed();
        ASSERT_CMP(counted, <=, 2 * most_crossed());
        ASSERT_CMP(2 * counted, >=, most_crossed());
    }
    ASSERT_CMP(exact, >, 200);
    instance_fini(&x);
}

/* Neighbours along the axes have links of their own; those of a shape that is not the torus's do
 * not. */
static void test_along(void **state)
{
    (void)state;
    struct instance x = instance_of("node:64", 64);
    struct strata_machine machine = torus_of(8, 8, 1);
    struct strata_flat_round round = {.peers = STRATA_ALONG, .step = 1, .messages = 2, .blocks = 2};
    round.size[0] = round.size[1] = 8;
    round.stride[0] = 8;
    round.stride[1] = 1;
    strata_machine_route(&machine, x.topology, &round, 2);
    ASSERT_CMP(machine.crossing, ==, 1.0 / 2);
    round.size[0] = 16;
    round.size[1] = 4;
    round.stride[0] = 4;
    strata_machine_route(&machine, x.topology, &round, 2);
    ASSERT_CMP(machine.crossing, ==, 5.0 / 2); /* 4 links on, and 1 */
    const struct strata_torus square = {2, {8, 8}, false}, line = {1, {64}, false};
    ASSERT_CMP(strata_machine_along(&machine, &square, 1).ways, ==, 4);
    ASSERT_CMP(strata_machine_along(&machine, &line, 1).ways, ==, 2);
    instance_fini(&x);
}

/* Of 7 children along an axis of 8 nodes 4 get their messages by one way. Of 2
 * children both do, where an axis does not end between them. */
static void test_trees(void **state)
{
    (void)state;
    struct instance x = instance_of("node:512", 512);
    struct strata_machine machine = torus_of(8, 8, 8), none = torus_of(0, 0, 0);
    strata_machine_route_tree(&machine, x.topology, 8);
    ASSERT_CMP(machine.crossing, ==, 4.0 / 7);
    strata_machine_route_tree(&machine, x.topology, 3);
    ASSERT_CMP(machine.crossing, ==, 9.0 / 12);
    strata_machine_route_tree(&none, x.topology, 8);
    ASSERT_CMP(none.crossing, ==, 0);
    instance_fini(&x);
}

/* Blue Gene/P as sim/platforms/dawn.xml has it. */
#define NODES                                                                                      \
    "cluster:alpha=0.8e-6,beta=2.35e-9,alpha_node=1e-6,beta_node=5e-10,overhead=1.4e-6,"           \
    "copy=6.7e-10,copy_block=2.5e-8,signal=1e-6,ports=6,reduce=0,ports_node=1000,native_window=4," \
    "gap=1e-9"
#define TORUS NODES ",torus_x=8,torus_y=8,torus_z=16"

static const char *chosen(const struct instance *x, const char *text)
{
    struct strata_choice automatic;
    struct strata_machine machine;
    struct strata_selection s;
    static char name[64];
    assert_int_equal(strata_choice_parse("auto", x->problem.collective, &automatic, NULL),
                     STRATA_OK);
    assert_int_equal(strata_machine_parse(text, &machine, NULL), STRATA_OK);
    assert_int_equal(strata_select(&automatic, &x->problem, &machine, &s), STRATA_OK);
    strata_algorithm_name(s.choice.algorithm, s.choice.parameter, name, sizeof name);
    return name;
}

/* Simulated on this torus, these choices take 1.2 ms and 202 us, and those without the links 3.9 ms
 * and 356 us. What MPI libraries have
 * is left to them only where they may know as much. */
static void test_choices(void **state)
{
    (void)state;
    static const struct {
        const char *nodes, *on_torus, *elsewhere;
        int ranks, bytes;
        enum strata_collective collective;
    } of[] = {{"node:64", "node_allgather:leaders=4,between=bucket",
               "node_allgather:leaders=4,between=bruck", 256, 2048, STRATA_ALLGATHER},
              {"node:8", "node_bcast:between=pipeline", "node_bcast:between=knomial", 32, 32768,
               STRATA_BCAST},
              {"node:32", "bruck", "native", 32, 4096, STRATA_ALLGATHER},
              {"node:32", "linear", "native", 32, 4096, STRATA_ALLTOALL}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct instance x = instance_of(of[i].nodes, of[i].ranks);
        assert_int_equal(instance_divide(&x, (size_t)1 << 30, 4096, 4, false), STRATA_OK);
        x.problem.collective = of[i].collective;
        x.problem.block_bytes = of[i].bytes;
        x.problem.most_bytes = (size_t)of[i].bytes;
        const char *name = chosen(&x, TORUS);
        assert_memory_equal(name, of[i].on_torus, strlen(of[i].on_torus));
        name = chosen(&x, NODES);
        assert_memory_equal(name, of[i].elsewhere, strlen(of[i].elsewhere));
        instance_fini(&x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_huge),           cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_ranks_of_nodes), cmocka_unit_test(test_along),
        cmocka_unit_test(test_trees),          cmocka_unit_test(test_choices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
