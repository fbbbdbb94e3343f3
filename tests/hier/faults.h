/* A fault in one rank's copy of right plans, at a place drawn from a seed: the checker finds it,
 * whoever happens to be first. Where it would be harmless, a rule beside it says why, and such
 * places are counted apart. */
#ifndef STRATA_TESTS_HIER_FAULTS_H
#define STRATA_TESTS_HIER_FAULTS_H

#include "core/check/check.h"
#include "tests/hier/edit.h"
#include "tests/random.h"

/* A rank's plan to put a fault into. */
struct victim {
    struct random *random;
    const struct strata_plan *const *right; /* of all ranks */
    struct strata_plan *plan;               /* a copy, with room for two more steps and sets */
};

enum outcome { NO_PLACE, HARMLESS, DONE };

struct fault {
    const char *name;
    enum outcome (*put)(struct victim *v);
    bool in_place;   /* where it shows */
    bool node_aware; /* only such rows have a place for it */
};

/* Kinds of steps. */
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

/* A step of one of these kinds, with at least so many blocks; -1 when the plan has none. */
int draw_step(const struct victim *v, unsigned kinds, int blocks);
int my_members(const struct victim *v);
/* Whether the await there is for somebody else; whether another member of my node awaits exactly
 * this signal of mine; whether another one comes behind a signal. */
bool awaits_others(const struct victim *v, int at);
bool is_awaited(const struct victim *v, int signal);
bool later_signal(const struct strata_plan *plan, int at);

/* Faults of several tests. */
enum outcome remove_step(struct victim *v, unsigned kinds, int blocks);
enum outcome repeat_step(struct victim *v, unsigned kinds);
enum outcome change_peer(struct victim *v, unsigned kinds);
enum outcome missing_signal(struct victim *v);

struct fault_tally {
    const struct fault *fault;
    uint64_t seed;
    int found, harmless, missed;
    int passes; /* how many of the plans had more than two */
};

/* Plans of so many ranks, calls of them in a row that show what is wrong, and boxes that a fault
 * may want; what they are. */
struct faulty {
    struct strata_plan **of;
    int ranks, calls, boxes;
    const char *text;
};
/* The fault in one rank's plan. The right plans pass first: what is found is the fault. */
void try_fault(const struct faulty *plans, struct random *r, struct fault_tally *tally);

/* Of each fault so many trials that have a place for it, at least so many of them in plans of more
 * than two passes, and requires that all were found. */
typedef void fault_trial(struct fault_tally *tally);
void try_faults(const struct fault *faults, size_t count, fault_trial *trial, int wanted,
                int passes);

#endif
