#include "tests/hier/faults.h"
#include "intranode/signal_tree.h"
#include "tests/assert_cmp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

int draw_step(const struct victim *v, unsigned kinds, int blocks)
{
    int found = 0, at = -1;
    for (int i = 0; i < v->plan->nsteps; i++) {
        if (is_one_of(v->plan, i, kinds) &&
            (blocks == 0 || strata_set_count(set_at(v->plan, i)) >= blocks) &&
            random_below(v->random, ++found) == 0) {
            at = i;
        }
    }
    return at;
}

int my_members(const struct victim *v)
{
    const struct strata_topology *t = v->plan->topology;
    return strata_topology_node_size(t, t->node_of[v->plan->rank]);
}

bool awaits_others(const struct victim *v, int at)
{
    int peer = v->plan->steps[at].peer;
    return peer == STRATA_ALL_MEMBERS ? my_members(v) > 1
                                      : peer != v->plan->topology->local_of[v->plan->rank];
}

bool is_awaited(const struct victim *v, int signal)
{
    const struct strata_topology *t = v->plan->topology;
    int node = t->node_of[v->plan->rank], local = t->local_of[v->plan->rank];
    for (int m = 0; m < my_members(v); m++) {
        const struct strata_plan *plan = v->right[strata_topology_rank(t, node, m)];
        for (int i = 0; i < plan->nsteps && m != local; i++) {
            const struct strata_step *s = &plan->steps[i];
            if (s->op == STRATA_STEP_AWAIT && s->count == signal &&
                (s->peer == local || s->peer == STRATA_ALL_MEMBERS)) {
                return true;
            }
        }
    }
    return false;
}

bool later_signal(const struct strata_plan *plan, int at)
{
    int later = at + 1;
    while (later < plan->nsteps && plan->steps[later].op != STRATA_STEP_SIGNAL) {
        later++;
    }
    return later < plan->nsteps;
}

enum outcome remove_step(struct victim *v, unsigned kinds, int blocks)
{
    int at = draw_step(v, kinds, blocks);
    if (at >= 0) {
        edit_remove(v->plan, at);
    }
    return at < 0 ? NO_PLACE : DONE;
}

enum outcome repeat_step(struct victim *v, unsigned kinds)
{
    int at = draw_step(v, kinds, 0);
    if (at >= 0) {
        edit_insert(v->plan, at, v->plan->steps[at]);
    }
    return at < 0 ? NO_PLACE : DONE;
}

enum outcome change_peer(struct victim *v, unsigned kinds)
{
    int at = draw_step(v, kinds, 0), ranks = v->plan->topology->ranks;
    if (at >= 0) {
        int32_t *peer = &v->plan->steps[at].peer;
        *peer = (*peer + random_between(v->random, 1, ranks - 1)) % ranks;
    }
    return at < 0 ? NO_PLACE : DONE;
}

/* Harmless: nobody waits for the signal, or a later signal of the same pass replaces it. A waiting
 * member then continues later, and rightly. */
enum outcome missing_signal(struct victim *v)
{
    int at = draw_step(v, bit(STRATA_STEP_SIGNAL), 0);
    if (at < 0) {
        return NO_PLACE;
    }
    if (!is_awaited(v, v->plan->steps[at].count) || later_signal(v->plan, at)) {
        return HARMLESS;
    }
    edit_remove(v->plan, at);
    return DONE;
}

/* The number of runs that find the fault, out of six: eager and rendezvous, three schedules
 * each. */
static int runs_that_find(const struct faulty *plans, const struct fault_tally *tally)
{
    enum { MOST_CALLS = 12 };
    const struct strata_plan *const *calls[MOST_CALLS];
    int found = 0;
    for (int c = 0; c < plans->calls; c++) {
        calls[c] = (const struct strata_plan *const *)plans->of;
    }
    for (int i = 0; i < 6; i++) {
        struct strata_check options = {.rendezvous = i & 1,
                                       .in_place = tally->fault->in_place,
                                       .seed = (unsigned)tally->seed + (unsigned)i,
                                       .schedule = i / 2};
        found += strata_check_calls(calls, plans->calls, plans->ranks, &options, NULL) ==
                 STRATA_ERR_PLAN;
    }
    return found;
}

void try_fault(const struct faulty *plans, struct random *r, struct fault_tally *tally)
{
    int rank = random_below(r, plans->ranks);
    struct strata_plan *right = plans->of[rank];
    struct victim v = {r, (const struct strata_plan *const *)plans->of,
                       edit_copy(right, plans->boxes)};
    enum outcome outcome = tally->fault->put(&v);
    tally->harmless += outcome == HARMLESS;
    if (outcome == DONE) {
        assert_int_equal(runs_that_find(plans, tally), 0);
        plans->of[rank] = v.plan;
        int found = runs_that_find(plans, tally);
        plans->of[rank] = right;
        tally->found += found == 6;
        tally->missed += found < 6;
        tally->passes += right->limits.passes > 2;
        if (found < 6) {
            print_error("%s, seed %llu, rank %d of %s: found in %d of 6 runs\n", tally->fault->name,
                        (unsigned long long)tally->seed, rank, plans->text, found);
        }
    }
    strata_plan_destroy(v.plan);
}

void try_faults(const struct fault *faults, size_t count, fault_trial *trial, int wanted,
                int passes)
{
    enum { MOST = 25000 };
    int missed = 0;
    for (size_t f = 0; f < count; f++) {
        struct fault_tally tally = {.fault = &faults[f]};
        for (uint64_t i = 1; i <= MOST && tally.found + tally.missed < wanted; i++) {
            tally.seed = random_mix(1000003 * (f + 1) + i);
            trial(&tally);
        }
        print_message("             %-24s %4d found, %d not found, %d in many passes (%d harmless "
                      "places left out)\n",
                      faults[f].name, tally.found, tally.missed, tally.passes, tally.harmless);
        missed += tally.missed;
        ASSERT_CMP(tally.found + tally.missed, >=, wanted);
        ASSERT_CMP(tally.passes, >=, passes);
    }
    assert_int_equal(missed, 0);
}

bool holds_the_same(const struct strata_plan *plan, int at, int member)
{
    const struct strata_topology *t = plan->topology;
    const int node = t->node_of[plan->rank],
              root = t->node_of[plan->root] == node ? plan->root : -1;
    struct strata_problem problem = {.topology = t, .rank = plan->rank};
    if (strncmp(plan->name, "node_levels", 11) != 0 || plan->steps[at].op != STRATA_STEP_COPY) {
        return false;
    }
    for (int above = t->local_of[plan->rank]; above >= 0 && above != member;) {
        problem.rank = strata_topology_rank(t, node, above);
        struct strata_tree_place place =
            strata_tree_place(&problem, root >= 0 ? t->local_of[root] : 0);
        above = strata_tree_above(&place);
        if (above < 0) {
            return false;
        }
    }
    return true;
}
