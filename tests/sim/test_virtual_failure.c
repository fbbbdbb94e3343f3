/* A member fails before it has filled its slot, and is out of step for good. Its local peers must
 * notice in this call and in each later one, in every ring. They must neither wait for ever nor
 * take the slot's contents for its blocks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/engine/engine.h"
#include "core/engine/engine_sizes.h"
#include "hier/capacity.h"
#include "hier/registry.h"

enum { RANKS = 3, BYTES = 16 };

/* One node's members in one process; no message leaves the node. */
struct node {
    struct strata_topology *topology, *flat;
    struct strata_plan *plan[RANKS], *bcast[RANKS]; /* in the large ring; in the small one */
    bool small;                                     /* the call is the broadcast */
    struct strata_node_memory node_memory[RANKS];
    struct strata_execution x[RANKS];
    struct strata_type byte;
    void *memory;
    unsigned char *scratch[RANKS], send[RANKS][RANKS * BYTES], recv[RANKS][RANKS * BYTES];
};

static int reserve(void *self, int lane_requests, int direct_requests)
{
    (void)lane_requests;
    (void)direct_requests;
    return *(const int *)self;
}

static int test(void *self, enum strata_traffic kind, int *open)
{
    (void)self;
    (void)kind;
    *open = 0;
    return STRATA_OK;
}

static void abandon(void *self)
{
    (void)self;
}

static const struct strata_transport silent = {
    .reserve = reserve, .test = test, .abandon = abandon};

static void make_bcast(struct node *n, struct strata_problem problem)
{
    struct strata_diagnostic message = {""};
    problem.collective = STRATA_BCAST;
    problem.most_bytes = BYTES;
    problem.parameter[0] = 1;
    for (problem.rank = 0; problem.rank < RANKS; problem.rank++) {
        struct strata_plan **plan = &n->bcast[problem.rank];
        assert_int_equal(
            strata_algorithm_plan(strata_registry_find("node_bcast"), &problem, plan, &message),
            STRATA_OK);
        assert_int_equal((*plan)->blocks.ring, STRATA_SMALL_RING);
    }
}

static void make_plans(struct node *n, int root, struct strata_capacity *capacity)
{
    const struct strata_algorithm *leaders = strata_registry_find("leaders");
    struct strata_problem problem = {.collective = STRATA_ALLTOALLV, .parameter = {1, 2, 1, 1}};
    struct strata_diagnostic message = {""};
    assert_int_equal(strata_topology_parse("node:1", RANKS, &n->topology, &message), STRATA_OK);
    assert_int_equal(strata_topology_flat(RANKS, &n->flat), STRATA_OK);
    assert_int_equal(strata_capacity_divide(n->topology, 1 << 20, 64, 1, false, capacity),
                     STRATA_OK);
    problem.topology = n->topology;
    problem.flat = n->flat;
    problem.capacity = *capacity;
    problem.root = root;
    make_bcast(n, problem);
    problem.root = 0;
    for (problem.rank = 0; problem.rank < RANKS; problem.rank++) {
        assert_int_equal(strata_algorithm_plan(leaders, &problem, &n->plan[problem.rank], &message),
                         STRATA_OK);
    }
}

static void node_init(struct node *n, int root)
{
    const struct strata_piece piece = {0, 1};
    struct strata_capacity capacity;
    memset(n, 0, sizeof *n);
    make_plans(n, root, &capacity);
    assert_int_equal(strata_type_init(&n->byte, &piece, 1, 1), STRATA_OK);
    const struct strata_node_memory_sizes sizes = {.slot = {capacity.slot, capacity.small},
                                                   .landing = capacity.landing};
    size_t bytes = strata_node_memory_bytes(RANKS, &sizes);
    n->memory = aligned_alloc(STRATA_LINE, (bytes + STRATA_LINE - 1) / STRATA_LINE * STRATA_LINE);
    assert_non_null(n->memory);
    memset(n->memory, 0, bytes);
    for (int rank = 0; rank < RANKS; rank++) {
        strata_node_memory_init(&n->node_memory[rank], n->memory, RANKS, rank, &sizes);
        n->scratch[rank] = calloc(1, strata_engine_fixed_scratch(n->plan[rank], false) + 1);
        assert_non_null(n->scratch[rank]);
    }
}

static void node_fini(struct node *n)
{
    for (int rank = 0; rank < RANKS; rank++) {
        strata_plan_destroy(n->plan[rank]);
        strata_plan_destroy(n->bcast[rank]);
        free(n->scratch[rank]);
    }
    free(n->memory);
    strata_type_fini(&n->byte);
    strata_topology_destroy(n->topology);
    strata_topology_destroy(n->flat);
}

/* Begins a call on one rank. Its transport answers requests for room by `outcome`, or the rank
 * declines before that. */
static int start(struct node *n, int rank, int *outcome, int call, bool declines)
{
    struct strata_layout side = {.type = &n->byte, .count = BYTES};
    memset(n->send[rank], 16 * call + rank, sizeof n->send[rank]);
    memset(n->recv[rank], 0xEE, sizeof n->recv[rank]);
    n->x[rank] = (struct strata_execution){.plan = n->plan[rank],
                                           .nodes = n->topology,
                                           .input = side,
                                           .output = side,
                                           .memory = &n->node_memory[rank],
                                           .transport = &silent,
                                           .transport_self = outcome,
                                           .scratch = n->scratch[rank]};
    n->x[rank].fixed_scratch = strata_engine_fixed_scratch(n->plan[rank], false);
    n->x[rank].input.base = n->send[rank];
    n->x[rank].output.base = n->recv[rank];
    if (n->small) {
        n->x[rank].plan = n->bcast[rank];
        n->x[rank].output.segments = n->x[rank].output.unit = 1;
        n->x[rank].input = n->x[rank].work = n->x[rank].output;
        n->x[rank].in_place = true;
    }
    return declines ? strata_engine_decline(&n->x[rank], *outcome)
                    : strata_engine_start(&n->x[rank]);
}

/* Makes a whole call in which the ranks of `failing` (bits) find no room. Returns the status of
 * each rank. */
static void call(struct node *n, int number, unsigned failing, bool declining, int *status)
{
    static int fine = STRATA_OK, no_room = STRATA_ERR_MEMORY;
    for (int rank = 0; rank < RANKS; rank++) {
        bool fails = failing >> rank & 1;
        status[rank] = start(n, rank, fails ? &no_room : &fine, number, fails && declining);
        status[rank] = status[rank] == STRATA_OK ? STRATA_PENDING : status[rank];
    }
    for (int round = 0; round < 4 * RANKS; round++) {
        for (int rank = 0; rank < RANKS; rank++) {
            if (status[rank] == STRATA_PENDING) {
                status[rank] = strata_engine_advance(&n->x[rank]);
            }
        }
    }
}

static void check_data(const struct node *n, int number)
{
    for (int rank = 0; rank < RANKS; rank++) {
        for (int i = 0; i < RANKS * BYTES; i++) {
            assert_int_equal(n->recv[rank][i], 16 * number + i / BYTES);
        }
    }
}

static void run_calls(unsigned failing, bool declining)
{
    struct node n;
    int status[RANKS];
    node_init(&n, 0);
    for (int number = 0; number < 6; number++) {
        bool fails = number >= 2; /* and from then on declines for good */
        call(&n, number, fails ? failing : 0, declining || number > 2, status);
        for (int rank = 0; rank < RANKS; rank++) {
            int expected = !fails                ? STRATA_OK
                           : failing >> rank & 1 ? STRATA_ERR_MEMORY
                                                 : STRATA_ERR_TRANSPORT;
            assert_int_equal(status[rank], expected);
        }
        if (!fails) {
            check_data(&n, number);
        }
    }
    node_fini(&n);
}

static void test_failing_member(void **state)
{
    (void)state;
    for (unsigned failing = 1; failing < 1u << RANKS; failing++) {
        run_calls(failing, false);
        run_calls(failing, true);
    }
}

/* A member that failed in one ring is also missed in the other. */
static void test_other_ring(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * RANKS; i++) {
        struct node n;
        int status[RANKS], failing = i / 2;
        node_init(&n, failing);
        for (int number = 0; number < 6; number++) {
            bool fails = number >= 2;
            n.small = (number + i) % 2;
            call(&n, number, fails ? 1u << failing : 0, true, status);
            for (int rank = 0; rank < RANKS; rank++) {
                int expected = rank == failing ? STRATA_ERR_MEMORY : STRATA_ERR_TRANSPORT;
                assert_int_equal(status[rank], fails ? expected : STRATA_OK);
            }
        }
        node_fini(&n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_failing_member),
                                       cmocka_unit_test(test_other_ring)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
