/* Mistakes on virtual ranks are found: lengths that disagree, wrong plans, memory that runs out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "core/plan/builder.h"
#include "tests/assert_cmp.h"
#include "tests/sim/trial.h"

/* Removes an element from one side of a block. Returns false where that is not possible. */
static bool disagree(struct trial *t, int source, int destination)
{
    struct exchange *e = t->exchange[0];
    int *sent = &e->send[source].counts[destination];
    int *expected = &e->recv[destination].counts[source];
    if (e->uniform || e->in_place[source] || e->in_place[destination] || *sent == 0) {
        return false;
    }
    *(random_one_in(&t->r, 2) ? sent : expected) -= 1;
    return true;
}

static bool on_one_side(const struct trial *t, int source, int destination)
{
    size_t threshold = t->plan[0][0]->limits.threshold;
    const struct exchange *e = t->exchange[0];
    size_t sent = strata_layout_bytes(&e->send[source].layout, destination);
    size_t expected = strata_layout_bytes(&e->recv[destination].layout, source);
    return (sent > threshold) == (expected > threshold);
}

/* Whether the text has "rank SOURCE sends ... rank DESTINATION". */
static bool names_pair(const char *text, int source, int destination)
{
    int first = -1, second = -1;
    const char *at = strstr(text, "rank ");
    const char *next = at ? strstr(at + 1, "rank ") : NULL;
    return next && sscanf(at, "rank %d sen", &first) == 1 &&
           sscanf(next, "rank %d", &second) == 1 && first == source && second == destination;
}

/* Where both sides are staged, or both are direct between two ranks, the run returns the error and,
 * where it can be known, the pair. Otherwise at least one rank waits for a message that never
 * comes, and the run reports that. */
static void disagree_and_run(struct trial *t, int source, int destination, int *found)
{
    struct strata_diagnostic message = {""};
    bool one_side = on_one_side(t, source, destination);
    bool direct = (size_t)exchange_bytes(t->exchange[0], source, destination) >
                  t->plan[0][0]->limits.threshold;
    int status = strata_virtual_run(t->world, t->call, 1, &message);
    if (status == STRATA_OK || (one_side && status != STRATA_ERR_TRUNCATE)) {
        fail_msg("%s: block %d to %d: %s: %s", trial_name(t, 0), source, destination,
                 strata_error_text(status), message.text);
    }
    if (one_side && (t->capacity.check || direct)) {
        if (!names_pair(message.text, source, destination)) {
            fail_msg("%s: block %d to %d is not named: %s", trial_name(t, 0), source, destination,
                     message.text);
        }
        found[direct]++;
    }
}

static void lengths_that_disagree_are_found(void **state)
{
    (void)state;
    static struct trial t;
    int found[2] = {0, 0};
    for (uint64_t seed = 0; seed < 600; seed++) {
        trial_init(&t, seed, 1);
        for (int attempt = 0; attempt < 20; attempt++) {
            int source = random_below(&t.r, t.ranks), destination = random_below(&t.r, t.ranks);
            if (disagree(&t, source, destination)) {
                disagree_and_run(&t, source, destination, found);
                break;
            }
        }
        trial_fini(&t);
    }
    ASSERT_CMP(found[0], >, 5);
    ASSERT_CMP(found[1], >, 5); /* the more rows there are, the fewer of a kind */
}

/* Two ranks with given plans: a direct block each way. */
struct pair {
    struct strata_topology *topology;
    struct strata_type type;
    unsigned char memory[2][2][2];
    int counts[2][2][2]; /* [rank][input, output][peer] */
    struct strata_plan *plan[2];
    struct strata_virtual_call call[2];
};

static struct strata_layout layout_of(struct pair *p, int rank, int side)
{
    static const int displs[] = {0, 1};
    return (struct strata_layout){.base = p->memory[rank][side],
                                  .type = &p->type,
                                  .counts = p->counts[rank][side],
                                  .displs = displs};
}

static void build_pair(struct pair *p, int rank, bool waits)
{
    struct strata_builder b;
    strata_builder_init(&b, STRATA_ALLTOALLV, "by-hand", rank, p->topology);
    strata_build_limits(&b, (struct strata_limits){0, 1, 1});
    strata_build_direct(&b, strata_build_set(&b, strata_box_item(2, 1)), 0);
    if (waits) {
        strata_build_wait_direct(&b, 0);
    }
    assert_int_equal(strata_builder_finish(&b, &p->plan[rank]), STRATA_OK);
}

/* Rank r sends sends[r] elements to the other and expects expects[r] from it. */
static int run_pair(const int *sends, const int *expects, bool waits, bool rendezvous, char *text)
{
    static struct pair p;
    const struct strata_piece byte = {0, 1};
    struct strata_virtual_options options = {.rendezvous = rendezvous, .schedule = 1};
    struct strata_virtual *world;
    struct strata_diagnostic message = {""};
    memset(&p, 0, sizeof p);
    assert_int_equal(strata_topology_flat(2, &p.topology), STRATA_OK);
    assert_int_equal(strata_type_init(&p.type, &byte, 1, 1), STRATA_OK);
    assert_int_equal(strata_virtual_create(p.topology, 0, 0, &options, &world), STRATA_OK);
    for (int rank = 0; rank < 2; rank++) {
        build_pair(&p, rank, waits);
        p.counts[rank][0][1 - rank] = sends[rank];
        p.counts[rank][1][1 - rank] = expects[rank];
        p.call[rank] = (struct strata_virtual_call){.plan = p.plan[rank],
                                                    .input = layout_of(&p, rank, 0),
                                                    .output = layout_of(&p, rank, 1)};
    }
    int status = strata_virtual_run(world, p.call, 1, &message);
    memcpy(text, message.text, STRATA_DIAGNOSTIC_SIZE);
    strata_virtual_destroy(world);
    strata_plan_destroy(p.plan[0]);
    strata_plan_destroy(p.plan[1]);
    strata_type_fini(&p.type);
    strata_topology_destroy(p.topology);
    return status;
}

/* The harness finds the mistakes of plans that it must find. */
static void mistakes_of_plans_are_found(void **state)
{
    (void)state;
    const int one[] = {1, 1}, none[] = {0, 0}, first[] = {1, 0};
    char text[STRATA_DIAGNOSTIC_SIZE];
    assert_int_equal(run_pair(one, one, true, true, text), STRATA_OK);
    assert_int_equal(run_pair(one, one, true, false, text), STRATA_OK);
    assert_int_equal(run_pair(none, first, true, true, text), STRATA_ERR_PLAN);
    assert_non_null(strstr(text, "nobody can move: rank 0 in call 0 at step 1 (wait"));
    assert_int_equal(run_pair(one, first, true, false, text), STRATA_ERR_PLAN);
    assert_non_null(strstr(text, "rank 0 sent rank 1 a message that is never received"));
    assert_int_equal(run_pair(one, one, false, false, text), STRATA_ERR_PLAN);
    assert_non_null(strstr(text, "rank 0 ends with 2 requests open"));
}

/* Where any allocation fails, the error is returned and nothing leaks. */
static void failed_allocations_are_errors(void **state)
{
    (void)state;
    struct strata_topology *topology;
    struct strata_virtual_options options = {.rendezvous = false};
    struct strata_virtual *world;
    int status = STRATA_ERR_MEMORY;
    assert_int_equal(strata_topology_parse("node:2", 4, &topology, NULL), STRATA_OK);
    for (long k = 1; status != STRATA_OK; k++) {
        strata_memory_fail_after(k);
        status = strata_virtual_create(topology, 64, 64, &options, &world);
        strata_memory_fail_after(-1);
        assert_true(status == STRATA_OK || status == STRATA_ERR_MEMORY);
        ASSERT_CMP(k, <, 50);
    }
    strata_virtual_destroy(world);
    strata_topology_destroy(topology);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_of_plans_are_found),
        cmocka_unit_test(lengths_that_disagree_are_found),
        cmocka_unit_test(failed_allocations_are_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
