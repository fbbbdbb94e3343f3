/* What a plan comes to, action by action, in the engine's order. Whatever only asks how much a plan
 * does (its cost, the counts of formulas, rounds, traces, samples) goes through its actions and
 * knows no step kinds: each kind's row says which action it is. */
#ifndef STRATA_CORE_PLAN_ACTIONS_H
#define STRATA_CORE_PLAN_ACTIONS_H

#include "core/plan/plan.h"

/* What the set of an action is one of. */
enum strata_unit {
    STRATA_UNIT_NONE,
    STRATA_UNIT_SLICES, /* staged slices of the blocks of positions */
    STRATA_UNIT_ITEMS,  /* of a lane */
    STRATA_UNIT_BLOCKS, /* of stores */
    STRATA_UNIT_DIRECT  /* no set: one block above the threshold, of the peer */
};

struct strata_action {
    enum strata_action_kind kind;
    enum strata_unit unit;
    const struct strata_step *step; /* what else there is to know of it */
    int peer;                       /* RECV, SEND: rank; a COPY of a direct block: its owner */
    int pass;
    struct strata_set set;
    struct strata_set from; /* the blocks that are copied or combined; else empty */
};

struct strata_actions {
    struct strata_action action; /* the current one */
    struct strata_cursor cursor;
    bool direct;  /* blocks above the threshold are there */
    bool begun;   /* `action` is valid */
    bool within;  /* in a DIRECT step */
    bool sending; /* in a DIRECT step: it has received, and sends next */
    struct strata_set distances;
    struct strata_set_iterator it; /* through `distances` */
    struct strata_run run;         /* the current distances */
};

/* `direct`: blocks above the threshold are there, so that DIRECT steps do something. */
void strata_actions_begin(struct strata_actions *a, const struct strata_plan *plan, bool direct);
/* The next action, NULL at the end. It stays until the next call. */
const struct strata_action *strata_actions_next(struct strata_actions *a);

/* How many of its units it moves. */
int64_t strata_action_units(const struct strata_plan *plan, const struct strata_action *a);

static inline bool strata_action_posts(const struct strata_action *a)
{
    return a->kind == STRATA_ACT_SEND || a->kind == STRATA_ACT_RECV;
}

/* Whether it changes what the blocks of its set hold. */
static inline bool strata_action_writes(const struct strata_action *a)
{
    return a->unit == STRATA_UNIT_BLOCKS && a->kind != STRATA_ACT_SEND;
}

/* Whether it waits until no message is open, direct ones aside: what was posted before is over. */
static inline bool strata_action_ends_stage(const struct strata_action *a)
{
    return a->kind == STRATA_ACT_WAIT && !a->step->direct && a->step->count == 0;
}

/* core/plan/posting.c: what the plan posts between two waits for all, at most. */
void strata_posting_find(struct strata_plan *plan);
/* The same of any figure that is summed up over the messages; where passes move slices of the same
 * blocks, in the first one. */
typedef size_t strata_message_size(const void *self, const struct strata_action *message);
size_t strata_largest_stage(const struct strata_plan *plan, strata_message_size *size,
                            const void *self);

#endif
