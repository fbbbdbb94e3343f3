/* A plan followed by itself: members begin the next call while local peers still leave the previous
 * one. The proof accepts the plan as it is, and rejects it without any one of the engine's rules on
 * who may write where others read (docs/node-memory.md). So the proof of overlapping calls would
 * find a mistake, also of calls that are open in two rooms at once, each of which is a ring. The
 * test is linked so that it can leave the checker's own rules out.
 *
 * sanitized: long */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/check/check_blocks.h"
#include "hier/registry.h"
#include "tests/algorithms.h"
#include "tests/assert_cmp.h"
#include "tests/hier/plans.h"

enum { CALLS = 9, ROOM = 1 << 16, MOST_RANKS = 10, LAYOUTS = 12 };

/* The missing rule. The last four rules are about who exposes and who takes. */
static enum rule { ALL_HOLD, SLOT_CREDIT, LEFT, ALL_LEFT, TOLD, TAKEN_FIRST, LEFT_FIRST } missing;

int __real_strata_check_slot_open(struct checker *k, struct check_rank *me);
int __real_strata_check_leave(struct checker *k, struct check_rank *me, uint64_t epoch);
int __real_strata_check_call_departed(struct checker *k, struct check_rank *me);
int __real_strata_check_told(struct checker *k, struct check_rank *me);
int __real_strata_check_read_exposed(struct checker *k, struct check_rank *me,
                                     struct check_rank *owner);
int __wrap_strata_check_slot_open(struct checker *k, struct check_rank *me);
int __wrap_strata_check_leave(struct checker *k, struct check_rank *me, uint64_t epoch);
int __wrap_strata_check_call_departed(struct checker *k, struct check_rank *me);
int __wrap_strata_check_told(struct checker *k, struct check_rank *me);
int __wrap_strata_check_read_exposed(struct checker *k, struct check_rank *me,
                                     struct check_rank *owner);

int __wrap_strata_check_slot_open(struct checker *k, struct check_rank *me)
{
    return missing == SLOT_CREDIT ? STRATA_OK : __real_strata_check_slot_open(k, me);
}

/* The member says at the beginning of its call that it has left it. */
static int leave_first(struct checker *k, struct check_rank *me, uint64_t epoch)
{
    int32_t *clock = &me->clock[me->position], now = *clock;
    while (*clock > 1 && me->stamps[*clock - 1].call == me->call) {
        --*clock;
    }
    int status = __real_strata_check_leave(k, me, epoch);
    *clock = now;
    return status ? status : strata_check_tick(k, me);
}

/* Or it says so of the next epoch. */
int __wrap_strata_check_leave(struct checker *k, struct check_rank *me, uint64_t epoch)
{
    return missing == LEFT_FIRST
               ? leave_first(k, me, epoch)
               : __real_strata_check_leave(k, me, missing == LEFT ? epoch + 1 : epoch);
}

int __wrap_strata_check_call_departed(struct checker *k, struct check_rank *me)
{
    return missing == ALL_LEFT ? STRATA_OK : __real_strata_check_call_departed(k, me);
}

/* An owner leaves before its blocks are taken. */
int __wrap_strata_check_told(struct checker *k, struct check_rank *me)
{
    return missing == TOLD ? STRATA_OK : __real_strata_check_told(k, me);
}

/* A member confirms a direct block before it has taken it. */
int __wrap_strata_check_read_exposed(struct checker *k, struct check_rank *me,
                                     struct check_rank *owner)
{
    int status = missing == TAKEN_FIRST ? strata_check_say_taken(k, me, owner) : STRATA_OK;
    return status ? status : __real_strata_check_read_exposed(k, me, owner);
}

/* An algorithm's plans on a random layout, for a collective that it serves. */
struct proof {
    struct random r;
    struct world world;
    struct plans plans;
};

/* Sets two passes, with exposing or without. */
static void two_passes(struct strata_problem *problem)
{
    problem->capacity.threshold = 4096;
    problem->capacity.passes = 2;
    problem->capacity.slot = 3000 * (size_t)problem->topology->ranks;
    problem->capacity.landing = 1 << 26;
}

static void draw_problem(struct proof *p, enum strata_collective collective,
                         struct strata_problem *problem)
{
    const struct strata_topology *t = p->world.topology;
    bool exposes = missing > LEFT || (missing == ALL_HOLD && random_one_in(&p->r, 2));
    *problem = (struct strata_problem){.collective = collective,
                                       .topology = t,
                                       .flat = p->world.flat,
                                       .commutative = true,
                                       .block_bytes = 8,
                                       .most_bytes = 64,
                                       .capacity = {.slot = ROOM,
                                                    .small = random_one_in(&p->r, 2) ? 4096 : 0,
                                                    .landing = ROOM,
                                                    .scratch = 1 << 24,
                                                    .threshold = 64,
                                                    .passes = 1,
                                                    .single_copy = exposes}};
    if (exposes && strata_collective_transposes(collective) && random_one_in(&p->r, 2)) {
        two_passes(problem);
    }
    if (strata_collective_rooted(collective)) {
        problem->root = random_below(&p->r, t->ranks);
    }
}

/* Whether it serves with some of its parameters. */
static bool draw_parameters(struct proof *p, const struct strata_algorithm *algorithm,
                            struct strata_problem *problem)
{
    for (int attempt = 0; attempt < 40; attempt++) {
        algorithm_draw_parameters(algorithm, &p->r, problem->parameter);
        if (!strata_algorithm_refusal(algorithm, problem)) {
            return true;
        }
    }
    return false;
}

/* Returns false where no plans exist, or where they do not use the node memory. */
static bool make(struct proof *p, const struct strata_algorithm *algorithm,
                 enum strata_collective collective, unsigned seed)
{
    struct strata_problem problem;
    p->r.state = random_mix(seed + 1);
    world_random(&p->r, random_between(&p->r, 2, MOST_RANKS), &p->world);
    draw_problem(p, collective, &problem);
    p->plans = (struct plans){.ranks = p->world.topology->ranks};
    bool able = p->world.topology->largest > 1 && draw_parameters(p, algorithm, &problem);
    for (int rank = 0; able && rank < p->plans.ranks; rank++) {
        problem.rank = rank;
        able = strata_algorithm_plan(algorithm, &problem, &p->plans.of[rank], NULL) == STRATA_OK;
    }
    if (!able || !p->plans.of[0]->exchange.staged) {
        plans_destroy(&p->plans);
        world_destroy(&p->world);
        return false;
    }
    return true;
}

/* Whether so many calls in a row are found wrong in some order of events. */
static bool wrong(const struct proof *p, int count, struct strata_diagnostic *message)
{
    const struct strata_plan *const *calls[CALLS];
    bool found = false;

    for (int c = 0; c < count; c++) {
        calls[c] = plans_of(&p->plans);
    }
    for (int i = 0; i < 6 && !found; i++) {
        struct strata_check options = {
            .rendezvous = i & 1, .schedule = i / 2 % 3, .seed = (unsigned)i};
        found = strata_check_calls(calls, count, p->plans.ranks, &options, message) != STRATA_OK;
    }
    return found;
}

/* The drawn plans of an algorithm: how many are wrong in one call, or in several; and how many
 * expose something, over items or over blocks. */
struct tally {
    int made, alone, several, other_ring, items_exposed, blocks_exposed;
};

/* For direct blocks of plans over blocks: only those from the root, or for it. */
static bool exposes_blocks(const struct strata_plan *plan)
{
    const struct strata_topology *t = plan->topology;
    bool peers = strata_topology_node_size(t, t->node_of[plan->root]) > 1;
    return plan->blocks.exposes ||
           (strata_plan_over_blocks(plan) && plan->exchange.exposes && peers);
}

/* One member takes the next place of another ring than its local peers, as it would of another
 * room. */
static bool other_ring_is_found(struct proof *p)
{
    const struct strata_topology *t = p->world.topology;
    int rank = 0;
    struct strata_diagnostic message;
    while (strata_topology_node_size(t, t->node_of[rank]) < 2) {
        rank++;
    }
    struct strata_plan *plan = p->plans.of[rank];
    plan->blocks.ring = !plan->blocks.ring;
    bool found = wrong(p, 1, &message);
    plan->blocks.ring = !plan->blocks.ring;
    return found;
}

static struct tally try_algorithm(const struct strata_algorithm *algorithm,
                                  enum strata_collective collective)
{
    struct tally tally = {0};
    struct proof p;
    for (unsigned seed = 0; seed < LAYOUTS; seed++) {
        struct strata_diagnostic message = {""};
        if (make(&p, algorithm, collective, seed)) {
            const struct strata_plan *plan = p.plans.of[0];
            tally.made++;
            tally.blocks_exposed += exposes_blocks(plan);
            tally.items_exposed += plan->exchange.exposes && !strata_plan_over_blocks(plan);
            tally.alone += wrong(&p, 1, &message);
            tally.several += wrong(&p, CALLS, &message);
            tally.other_ring += missing == ALL_HOLD && other_ring_is_found(&p);
            if (missing == ALL_HOLD && tally.several > 0) {
                fail_msg("%s of %d ranks: %s", algorithm->name, p.plans.ranks, message.text);
            }
            plans_destroy(&p.plans);
            world_destroy(&p.world);
        }
    }
    return tally;
}

typedef void require_tally(const struct strata_algorithm *algorithm,
                           enum strata_collective collective, struct tally tally);

static void each_algorithm(enum rule left_out, require_tally *require)
{
    const struct strata_algorithm *algorithm;
    int served = 0;
    missing = left_out;
    for (int i = 0; (algorithm = strata_registry_at(i)); i++) {
        for (int c = 0; c < STRATA_COLLECTIVE_COUNT && algorithm->level == STRATA_NODE_AWARE; c++) {
            struct tally tally = {0};
            if (algorithm_serves(algorithm, (enum strata_collective)c)) {
                tally = try_algorithm(algorithm, (enum strata_collective)c);
            }
            if (tally.made > 0) {
                require(algorithm, (enum strata_collective)c, tally);
                served++;
            }
        }
    }
    missing = ALL_HOLD;
    ASSERT_CMP(served, >, 20);
}

static void require_right(const struct strata_algorithm *algorithm,
                          enum strata_collective collective, struct tally tally)
{
    if (tally.other_ring < tally.made) {
        fail_msg("%s of %s: in %d of %d a member in another ring was not found", algorithm->name,
                 strata_collective_name(collective), tally.made - tally.other_ring, tally.made);
    }
    assert_int_equal(tally.alone, 0);
    assert_int_equal(tally.several, 0);
}

/* Whether some member hears of all others in each call. It then knows that they have left the
 * previous call, without any rule. */
static bool all_hear_all(enum strata_collective c)
{
    return strata_collective_transposes(c) || c == STRATA_ALLGATHER || c == STRATA_ALLGATHERV ||
           c == STRATA_ALLREDUCE || c == STRATA_REDUCE_SCATTER ||
           c == STRATA_REDUCE_SCATTER_BLOCK || c == STRATA_BARRIER;
}

static void require_slots_found(const struct strata_algorithm *algorithm,
                                enum strata_collective collective, struct tally tally)
{
    assert_int_equal(tally.alone, 0);
    if ((tally.several == 0) != all_hear_all(collective)) {
        fail_msg("%s of %s: %d of %d plans were found wrong", algorithm->name,
                 strata_collective_name(collective), tally.several, tally.made);
    }
}

static void require_found(const struct strata_algorithm *algorithm,
                          enum strata_collective collective, int found, int must)
{
    if (found != must) {
        fail_msg("%s of %s: %d of %d plans were found wrong", algorithm->name,
                 strata_collective_name(collective), found, must);
    }
}

static void require_leaving_found(const struct strata_algorithm *algorithm,
                                  enum strata_collective collective, struct tally tally)
{
    assert_int_equal(tally.alone, 0);
    require_found(algorithm, collective, tally.several, tally.made);
}

static void require_owner_found(const struct strata_algorithm *algorithm,
                                enum strata_collective collective, struct tally tally)
{
    int must = missing == ALL_LEFT ? tally.blocks_exposed : tally.items_exposed;
    require_found(algorithm, collective, tally.several, must);
}

/* In plans over items only some mistakes are found: a member that takes a block before the last
 * pass states no more than that it has left. */
static void require_taker_found(const struct strata_algorithm *algorithm,
                                enum strata_collective collective, struct tally tally)
{
    if (tally.items_exposed > 0) {
        ASSERT_IN_RANGE(tally.alone, 1, tally.items_exposed - 1);
    } else {
        require_found(algorithm, collective, tally.alone, tally.blocks_exposed);
    }
}

static void calls_that_overlap_are_right(void **state)
{
    (void)state;
    each_algorithm(ALL_HOLD, require_right);
}

static void slots_that_are_read_are_found(void **state)
{
    (void)state;
    each_algorithm(SLOT_CREDIT, require_slots_found);
}

static void leaving_too_early_is_found(void **state)
{
    (void)state;
    each_algorithm(LEFT, require_leaving_found);
}

static void owners_that_leave_too_early_are_found(void **state)
{
    (void)state;
    each_algorithm(ALL_LEFT, require_owner_found);
    each_algorithm(TOLD, require_owner_found);
}

static void takers_that_say_so_too_early_are_found(void **state)
{
    (void)state;
    each_algorithm(TAKEN_FIRST, require_owner_found);
}

static void takers_that_leave_too_early_are_found(void **state)
{
    (void)state;
    each_algorithm(LEFT_FIRST, require_taker_found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_that_overlap_are_right),
        cmocka_unit_test(slots_that_are_read_are_found),
        cmocka_unit_test(leaving_too_early_is_found),
        cmocka_unit_test(owners_that_leave_too_early_are_found),
        cmocka_unit_test(takers_that_say_so_too_early_are_found),
        cmocka_unit_test(takers_that_leave_too_early_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
