/* Some members of a node must ask their local peers to copy exposed data, because they may not read
 * them. One member reads, and fails at each of its reads in turn. No member waits for ever for the
 * answer of the failed one, and a member that reports success has every byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/virtual/virtual_transport.h"
#include "tests/assert_cmp.h"
#include "tests/sim/reading.h"
#include "tests/sim/seated.h"

enum { RANKS = 4, SLOT = 8192 };

/* Each rank has its own reading. */
struct trial {
    struct seated seated;
    struct reading reading[RANKS];
};

static void start(struct trial *t, int rank)
{
    struct strata_execution *x = seated_sit(&t->seated, rank, &strata_transport_virtual,
                                            &t->seated.world->mail->boxes[rank]);
    x->memory->peers = &t->reading[rank].peers;
    seated_start(&t->seated, rank);
}

static void check(const struct seated *t, bool failed, int failing)
{
    assert_int_equal(t->status[failing] == STRATA_OK, !failed);
    for (int rank = 0; rank < RANKS; rank++) {
        ASSERT_CMP(t->status[rank], !=, STRATA_PENDING);
        assert_true(failed || t->status[rank] == STRATA_OK);
        seated_check(t, rank);
    }
}

/* Whether the rank's read number k was reached, and failed. */
static bool run_trial(uint64_t seed, int failing, int k)
{
    static struct trial t;
    static const int node_of[RANKS] = {0};
    struct strata_virtual_options options = {.seed = (unsigned)seed};
    struct strata_problem problem = {.capacity = {.slot = SLOT, .single_copy = true}};
    seated_init(&t.seated, SEATED_BYTES, seed + 1);
    seated_plan(&t.seated, RANKS, node_of, "single_copy", problem);
    assert_int_equal(
        strata_virtual_create(t.seated.topology, SLOT, SLOT, &options, &t.seated.world), STRATA_OK);
    for (int rank = 0; rank < RANKS; rank++) {
        t.reading[rank] = reading_of(rank != failing, k);
        start(&t, rank);
    }
    seated_run(&t.seated, 200 * RANKS, 200);
    bool failed = t.reading[failing].left < 0;
    check(&t.seated, failed, failing);
    seated_fini(&t.seated);
    return failed;
}

static void a_failing_owner_keeps_nobody(void **state)
{
    (void)state;
    int failures = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        for (int failing = 0; failing < RANKS; failing++) {
            for (int k = 0; run_trial(seed, failing, k); k++) {
                failures++;
                ASSERT_CMP(k, <, 100);
            }
        }
    }
    ASSERT_CMP(failures, >=, 40 * RANKS * (RANKS - 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_failing_owner_keeps_nobody)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
