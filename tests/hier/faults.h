/* Inserts a fault into one rank's copy of right plans, at a random place. The checker must find the
 * fault in every schedule. At some places a fault is harmless: a rule beside the fault states why,
 * and such places are counted separately. */
#ifndef STRATA_TESTS_HIER_FAULTS_H
#define STRATA_TESTS_HIER_FAULTS_H

#include "core/check/check.h"
#include "tests/hier/edit.h"
#include "tests/random.h"

/* A rank's plan that gets a fault. */
struct victim {
    struct random *random;
    const struct strata_plan *const *right; /* [ranks] */
    struct strata_plan *plan;               /* a copy with room for two more steps and sets */
};

enum outcome { NO_PLACE, HARMLESS, DONE };

struct fault {
    const char *name;
    enum outcome (*put)(struct victim *v);
    bool in_place;   /* the fault shows in calls in place */
    bool node_aware; /* only node-aware rows have a place for it */
};

/* The bit of a kind of step. */
static inline unsigned bit(int op)
{
    return 1u << op;
}

static inline struct strata_set set_at(const struct strata_plan *plan, int at)
{
    return strata_plan_set_of(plan, &plan->steps[at], 0);
}

static inline struct strata_set from_at(const struct strata_plan *plan, int at)
{
    return strata_plan_from_of(plan, &plan->steps[at], 0);
}

static inline bool is_one_of(const struct strata_plan *plan, int at, unsigned kinds)
{
    return kinds & bit(plan->steps[at].op);
}

/* Draws a step of one of these kinds with at least so many blocks; -1: the plan has none. */
int draw_step(const struct victim *v, unsigned kinds, int blocks);
int my_members(const struct victim *v);
/* awaits_others: whether the await waits for another member. is_awaited: whether another member of
 * my node awaits exactly this signal of mine. later_signal: whether another signal comes behind
 * this one. */
bool awaits_others(const struct victim *v, int at);
bool is_awaited(const struct victim *v, int signal);
bool later_signal(const struct strata_plan *plan, int at);

/* Faults that several tests use. */
enum outcome remove_step(struct victim *v, unsigned kinds, int blocks);
enum outcome repeat_step(struct victim *v, unsigned kinds);
enum outcome change_peer(struct victim *v, unsigned kinds);
enum outcome missing_signal(struct victim *v);

struct fault_tally {
    const struct fault *fault;
    uint64_t seed;
    int found, harmless, missed;
    int passes; /* the number of plans with more than two passes */
};

/* Plans of so many ranks, the number of calls in a row that show a fault, the number of boxes that
 * a fault may add, and a text for reports. */
struct faulty {
    struct strata_plan **of;
    int ranks, calls, boxes;
    const char *text;
};
/* Inserts the fault into one rank's plan. The right plans must pass first, so that a mistake is the
 * fault's. */
void try_fault(const struct faulty *plans, struct random *r, struct fault_tally *tally);

/* Tries each fault `wanted` times at a place, at least `passes` times of these in plans of more
 * than two passes. Requires that all are found. */
typedef void fault_trial(struct fault_tally *tally);
void try_faults(const struct fault *faults, size_t count, fault_trial *trial, int wanted,
                int passes);

/* Whether the slot that a step copies down a tree holds the same in that member's: it is mine, or
 * of a member from which I hear through others. */
bool holds_the_same(const struct strata_plan *plan, int at, int member);

#endif
