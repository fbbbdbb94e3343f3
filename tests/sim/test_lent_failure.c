/* Members of a node that ask their mates to copy what these lend, for they may not read it
 * themselves, and one who reads, and fails at each of its reads in turn: nobody waits for ever for
 * the answer of the one that is gone, and who says that all went well has every byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/engine/engine_sizes.h"
#include "hier/registry.h"
#include "sim/virtual/virtual_transport.h"
#include "sim/virtual/virtual_world.h"
#include "tests/random.h"

enum { RANKS = 4, BYTES = 9000, SLOT = 8192 };

/* How a rank reads: so many times, or never where it has to ask. */
struct reading {
    struct strata_mates mates;
    bool asks;
    int left;
};

static const void *reach(const struct strata_mates *mates, int member, uint64_t address,
                         size_t bytes)
{
    (void)mates, (void)member, (void)address, (void)bytes;
    return NULL;
}

static int read_mate(const struct strata_mates *mates, int member, uint64_t address, void *into,
                     size_t bytes)
{
    struct reading *r = (void *)(uintptr_t)mates;
    (void)member;
    if (r->asks) {
        return STRATA_ERR_UNSUPPORTED;
    }
    if (--r->left < 0) {
        return STRATA_ERR_MEMORY;
    }
    memcpy(into, (const void *)(uintptr_t)address, bytes);
    return STRATA_OK;
}

struct trial {
    struct random r;
    struct strata_topology *topology;
    struct strata_virtual *world;
    struct strata_plan *plan[RANKS];
    struct strata_execution x[RANKS];
    struct reading reading[RANKS];
    int status[RANKS];
    unsigned char input[RANKS][BYTES], output[RANKS][RANKS * BYTES];
    unsigned char *scratch[RANKS];
};

static void make_plans(struct trial *t)
{
    const struct strata_algorithm *algorithm = strata_registry_find("single_copy");
    struct strata_diagnostic message = {""};
    static const int node_of[RANKS] = {0};
    assert_int_equal(strata_topology_from_colours(RANKS, node_of, NULL, &t->topology), STRATA_OK);
    struct strata_problem problem = {.collective = STRATA_ALLGATHER,
                                     .topology = t->topology,
                                     .flat = t->topology,
                                     .block_bytes = BYTES,
                                     .most_bytes = BYTES,
                                     .capacity = {.slot = SLOT, .single_copy = true}};
    for (int rank = 0; rank < RANKS; rank++) {
        problem.rank = rank;
        assert_int_equal(strata_algorithm_plan(algorithm, &problem, &t->plan[rank], &message),
                         STRATA_OK);
    }
}

static void start(struct trial *t, int rank)
{
    struct strata_layout l = {.type = &strata_byte_type, .count = BYTES};
    struct strata_execution *x = &t->x[rank];
    memset(t->input[rank], 0x10 + rank, BYTES);
    *x = (struct strata_execution){.plan = t->plan[rank],
                                   .nodes = t->topology,
                                   .input = l,
                                   .output = l,
                                   .work = l,
                                   .memory = &t->world->node_memory[rank],
                                   .transport = &strata_transport_virtual,
                                   .transport_self = &t->world->mail->boxes[rank]};
    x->input.base = t->input[rank];
    x->output.base = t->output[rank];
    x->memory->mates = &t->reading[rank].mates;
    x->scratch = t->scratch[rank] = calloc(1, strata_engine_block_scratch(x) + 1);
    assert_non_null(x->scratch);
    t->status[rank] = STRATA_PENDING;
    assert_int_equal(strata_engine_start(x), STRATA_OK);
}

/* Any rank that is not done goes on; in the end each as long as anything may still happen. */
static void run(struct trial *t)
{
    for (int i = 0; i < 400 * RANKS; i++) {
        int rank = i < 200 * RANKS ? random_below(&t->r, RANKS) : i % RANKS;
        if (t->status[rank] == STRATA_PENDING) {
            t->status[rank] = strata_engine_advance(&t->x[rank]);
        }
    }
}

static void check(const struct trial *t, bool failed, int failing)
{
    assert_int_equal(t->status[failing] == STRATA_OK, !failed);
    for (int rank = 0; rank < RANKS; rank++) {
        assert_true(t->status[rank] != STRATA_PENDING);
        assert_true(failed || t->status[rank] == STRATA_OK);
        for (int i = 0; t->status[rank] == STRATA_OK && i < RANKS * BYTES; i++) {
            assert_int_equal(t->output[rank][i], 0x10 + i / BYTES);
        }
    }
}

/* Whether the rank's read number k was reached, and failed. */
static bool run_trial(uint64_t seed, int failing, int k)
{
    static struct trial t;
    struct strata_virtual_options options = {.seed = (unsigned)seed};
    memset(&t, 0, sizeof t);
    t.r.state = random_mix(seed + 1);
    make_plans(&t);
    assert_int_equal(strata_virtual_create(t.topology, SLOT, SLOT, &options, &t.world), STRATA_OK);
    for (int rank = 0; rank < RANKS; rank++) {
        t.reading[rank] = (struct reading){{reach, read_mate}, rank != failing, k};
        start(&t, rank);
    }
    run(&t);
    bool failed = t.reading[failing].left < 0;
    check(&t, failed, failing);
    for (int rank = 0; rank < RANKS; rank++) {
        free(t.scratch[rank]);
        strata_plan_destroy(t.plan[rank]);
    }
    strata_virtual_destroy(t.world);
    strata_topology_destroy(t.topology);
    return failed;
}

static void a_failing_lender_keeps_nobody(void **state)
{
    (void)state;
    int failures = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        for (int failing = 0; failing < RANKS; failing++) {
            for (int k = 0; run_trial(seed, failing, k); k++) {
                failures++;
                assert_true(k < 100);
            }
        }
    }
    assert_true(failures >= 40 * RANKS * (RANKS - 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_failing_lender_keeps_nobody)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
