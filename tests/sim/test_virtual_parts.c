/* Copy steps move what their set names, and no more. Every plan with its copy steps cut in two,
 * even and odd positions, still gives every byte. With one half left out, that half stays
 * untouched. */
#include "sim/virtual/virtual_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/assert_cmp.h"
#include "tests/sim/trial.h"

enum { WORLDS = 300 };

static bool copies(const struct strata_step *step)
{
    return step->op == STRATA_STEP_COPY || step->op == STRATA_STEP_COPY_OUT;
}

/* Appends the step for even and for odd positions; the odd ones only if `kept`. */
static void append_halves(struct strata_builder *b, struct strata_step step, int ranks, bool kept)
{
    for (int odd = 0; odd < (kept && ranks > 1 ? 2 : 1); odd++) {
        struct strata_box half = strata_box_digit(ranks, 2, 0, odd);
        if (step.op == STRATA_STEP_COPY) {
            strata_build_copy_in(b, half);
        } else {
            step.set = strata_build_set(b, half);
            strata_build_step(b, step);
        }
    }
}

static struct strata_plan *cut(const struct strata_plan *plan, bool out_kept)
{
    struct strata_builder b;
    struct strata_plan *result;
    strata_builder_init(&b, plan->collective, plan->name, plan->rank, plan->topology);
    strata_build_exchange(&b, plan->exchange);
    strata_build_limits(&b, plan->limits);
    for (int i = 0; i < plan->nsteps; i++) {
        struct strata_step step = plan->steps[i];
        if (step.set >= 0) {
            const struct strata_plan_set *set = &plan->sets[step.set];
            step.set = strata_build_set_of(&b, &plan->boxes[set->first_box], set->nboxes);
        }
        if (step.op == STRATA_STEP_PHASE) {
            strata_build_phase(&b, "%s", &plan->labels[step.label]);
        } else if (copies(&step)) {
            bool kept = out_kept || step.op == STRATA_STEP_COPY;
            append_halves(&b, step, plan->topology->ranks, kept);
        } else {
            strata_build_step(&b, step);
        }
    }
    assert_int_equal(strata_builder_finish(&b, &result), STRATA_OK);
    return result;
}

/* Runs one call of a drawn world with cut plans. Returns whether every byte is as expected. */
static bool right(uint64_t seed, bool out_kept, bool *staged)
{
    static struct trial t;
    struct strata_diagnostic message = {""};
    trial_init(&t, seed, 1);
    for (int rank = 0; rank < t.ranks && t.ncalls > 0; rank++) {
        struct strata_plan *whole = t.plan[0][rank];
        t.plan[0][rank] = cut(whole, out_kept);
        t.call[rank].plan = t.plan[0][rank];
        strata_plan_destroy(whole);
    }
    int status = strata_virtual_run(t.world, t.call, t.ncalls, &message);
    if (status != STRATA_OK) {
        fail_msg("%s: %s", trial_name(&t, 0), message.text);
    }
    bool result = t.ncalls == 0 || exchange_wrong(t.exchange[0]) < 0;
    *staged = t.ncalls > 0 && t.plan[0][0]->exchange.lanes > 0;
    trial_fini(&t);
    return result;
}

static void test_cut_in_two(void **state)
{
    (void)state;
    bool staged;
    int seen = 0;
    for (int seed = 1; seed <= WORLDS; seed++) {
        if (!right((uint64_t)seed, true, &staged)) {
            fail_msg("seed %d: a byte is wrong", seed);
        }
        seen += staged;
    }
    ASSERT_CMP(seen, >, WORLDS / 4);
}

static void test_half_left_out(void **state)
{
    (void)state;
    bool staged;
    int noticed = 0, seen = 0;
    for (int seed = 1; seed <= WORLDS; seed++) {
        noticed += !right((uint64_t)seed, false, &staged);
        seen += staged;
    }
    ASSERT_CMP(noticed, >, seen / 4); /* others: one rank, or no staged block at an odd position */
    ASSERT_CMP(noticed, <=, seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cut_in_two),
        cmocka_unit_test(test_half_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
