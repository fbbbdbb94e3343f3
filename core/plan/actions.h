/* A plan as a sequence of actions, in the engine's order. Code that only asks how much a plan does
 * (its cost, the counts of formulas, rounds, traces, samples) goes through the plan's actions and
 * knows no step kinds: the row of each kind says which action it is. */
#ifndef STRATA_CORE_PLAN_ACTIONS_H
#define STRATA_CORE_PLAN_ACTIONS_H

#include "core/plan/plan.h"

/* The units that an action's set consists of. */
enum strata_unit {
    STRATA_UNIT_NONE,
    STRATA_UNIT_SLICES, /* staged slices of blocks, by position */
    STRATA_UNIT_ITEMS,  /* items of a lane */
    STRATA_UNIT_BLOCKS, /* blocks of stores */
    STRATA_UNIT_DIRECT  /* no set: one block above the threshold, to or from the peer */
};

struct strata_action {
    enum strata_action_kind kind;
    enum strata_unit unit;          /* what the sets consist of */
    const struct strata_step *step; /* the step that the action comes from */
    int peer; /* RECV, SEND: the other rank; COPY of a direct block: the block's owner */
    int pass;
    struct strata_set set;
    struct strata_set from; /* the blocks that are copied or combined; otherwise empty */
};

struct strata_actions {
    struct strata_action action; /* the current one */
    struct strata_cursor cursor;
    bool direct;  /* some blocks are above the threshold */
    bool begun;   /* `action` is valid */
    bool within;  /* in a DIRECT step */
    bool sending; /* in a DIRECT step: it has received, and sends next */
    struct strata_set distances;
    struct strata_set_iterator it; /* through `distances` */
    struct strata_run run;         /* the current distances */
};

/* `direct`: some blocks are above the threshold, so DIRECT steps have work to do. */
void strata_actions_begin(struct strata_actions *a, const struct strata_plan *plan, bool direct);
/* The next action; NULL at the end. It stays valid until the next call. */
const struct strata_action *strata_actions_next(struct strata_actions *a);

/* The number of units that the action moves. */
int64_t strata_action_units(const struct strata_plan *plan, const struct strata_action *a);

static inline bool strata_action_posts(const struct strata_action *a)
{
    return a->kind == STRATA_ACT_SEND || a->kind == STRATA_ACT_RECV;
}

/* Whether the action changes the contents of the blocks of its set. */
static inline bool strata_action_writes(const struct strata_action *a)
{
    return a->unit == STRATA_UNIT_BLOCKS && a->kind != STRATA_ACT_SEND;
}

/* Whether the action waits until no message is open, except direct ones: then all messages posted
 * before are complete. */
static inline bool strata_action_ends_stage(const struct strata_action *a)
{
    return a->kind == STRATA_ACT_WAIT && !a->step->direct && a->step->count == 0;
}

/* core/plan/posting.c: finds plan->posting, the most that the plan posts between two waits for
 * all. */
void strata_posting_find(struct strata_plan *plan);
/* The same for any size that is summed up over the messages. Where all passes move slices of the
 * same blocks, only the first pass counts. */
typedef size_t strata_message_size(const void *self, const struct strata_action *message);
size_t strata_largest_stage(const struct strata_plan *plan, strata_message_size *size,
                            const void *self);

#endif
