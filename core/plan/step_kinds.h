/* The kinds of steps. One row says everything about a kind: the builder and the checker check steps
 * by it, and the printer and the parser (core/text) follow it. Code that goes through a plan's
 * actions (core/plan/actions.h) need not know more. The engine and the checker have a function for
 * each row; a missing one is a link error. */
#ifndef STRATA_CORE_PLAN_STEP_KINDS_H
#define STRATA_CORE_PLAN_STEP_KINDS_H

#include <stdbool.h>

/* One row declares a field: its name, and why a value is refused. Steps are printed and parsed with
 * their fields in the order of the kind's row.
 *   PEER     a rank
 *   MEMBER   a member of my node
 *   MEMBERS  a member of my node, or all members
 *   RANKS    a set of items 0 .. ranks-1
 *   BLOCKS   a set of blocks of stores
 *   FROM     a set of blocks of stores that the step reads
 *   LANE     the lane that the items belong to; 0 where the blocks are not items */
#define STRATA_STEP_FIELD_TABLE(ROW)                                                               \
    ROW(NONE, "")                                                                                  \
    ROW(LABEL, "a phase needs a label")                                                            \
    ROW(TIMES, "a repeat runs once or more")                                                       \
    ROW(PEER, "the peer is not a rank of this plan")                                               \
    ROW(MEMBER, "the member is not one of this rank's node")                                       \
    ROW(MEMBERS, "the member is neither one of this rank's node nor all")                          \
    ROW(SIGNAL, "the signal is not arrived, released or done")                                     \
    ROW(LANE, "the lane is not one of the exchange's")                                             \
    ROW(RANKS, "the set is not one of items 0 .. ranks-1")                                         \
    ROW(OPEN, "fewer than no message may stay open")                                               \
    ROW(BLOCKS, "the set is not one of blocks of the plan's stores")                               \
    ROW(FROM, "the set to read is not one of blocks of the plan's stores, as many as are written") \
    ROW(HOW, "blocks travel as fits, packed or typed; items whole, their lengths or their data")   \
    ROW(DIRECT, "direct is 0 or 1")                                                                \
    ROW(WORKSHARE, "workshare is 0 or 1")

enum strata_step_field {
#define STRATA_STEP_FIELD_NAME(id, reason) STRATA_HAS_##id,
    STRATA_STEP_FIELD_TABLE(STRATA_STEP_FIELD_NAME)
#undef STRATA_STEP_FIELD_NAME
        STRATA_HAS_COUNT
};

/* The plans that may have the kind: plans over items, plans over blocks, or both. */
enum strata_step_plans {
    STRATA_OF_ITEMS = 1,
    STRATA_OF_BLOCKS = 2,
    STRATA_OF_BOTH = STRATA_OF_ITEMS | STRATA_OF_BLOCKS,
    STRATA_NEED_STAGED = 4, /* the plan must also have node memory */
    STRATA_OF_STAGED = STRATA_OF_BOTH | STRATA_NEED_STAGED
};

/* One row declares an action of a step (core/plan/actions.h): identifier, word. Code that goes
 * through a plan's actions has a function for each, named by the word.
 *
 *   recv, send   posts a message
 *   wait         waits until only so many messages are open
 *   copy         copies blocks of `from`, or slices, to the blocks of set
 *   combine      combines blocks of `from` with the blocks of set
 *   signal       publishes a signal
 *   await        waits until members have published a signal
 *   index        begins a lane's table anew
 *   native       MPI's own collective does everything */
#define STRATA_ACTION_TABLE(ROW)                                                                   \
    ROW(RECV, recv)                                                                                \
    ROW(SEND, send)                                                                                \
    ROW(WAIT, wait)                                                                                \
    ROW(COPY, copy)                                                                                \
    ROW(COMBINE, combine)                                                                          \
    ROW(SIGNAL, signal)                                                                            \
    ROW(AWAIT, await)                                                                              \
    ROW(INDEX, index)                                                                              \
    ROW(NATIVE, native)

enum strata_action_kind {
#define STRATA_ACTION_NAME(id, word) STRATA_ACT_##id,
    STRATA_ACTION_TABLE(STRATA_ACTION_NAME)
#undef STRATA_ACTION_NAME
        STRATA_ACTIONS,
    STRATA_ACT_DIRECT = STRATA_ACTIONS, /* receives, sends and copies, for each distance */
    STRATA_ACT_NOTHING                  /* the cursor runs the step itself */
};

#define STRATA_STEP_FIELDS 5 /* the most fields of a step kind */

/* One row declares a step kind: identifier, word, the plans that may have it, its action, its
 * fields. A step writes the blocks of its set unless it sends them. The engine and the checker have
 * a function for each kind, named by the word. */
#define STRATA_RUN_STEP_TABLE(ROW)                                                                 \
    /* For each distance d of set: receives the direct block of rank - d, then sends the one */    \
    /* for rank + d; for d = 0 copies the block. Exposed blocks need no messages. A plan's */      \
    /* distances above 0 rise: the first DIRECT step saves blocks in place in that order. It */    \
    /* comes before blocks are copied to the slot, where others learn what is exposed. */          \
    ROW(DIRECT, direct, ITEMS, DIRECT, RANKS, NONE, NONE, NONE, NONE)                              \
    /* Publishes the signal. */                                                                    \
    ROW(SIGNAL, signal, STAGED, SIGNAL, SIGNAL, NONE, NONE, NONE, NONE)                            \
    /* Waits until the member (STRATA_ALL_MEMBERS: each) has published the signal or a later */    \
    /* one. */                                                                                     \
    ROW(AWAIT, await, STAGED, AWAIT, MEMBERS, SIGNAL, NONE, NONE, NONE)                            \
    /* Entry k of the lane's table := my node's message for the node at distance k. The entry */   \
    /* refers to it; nothing is copied. */                                                         \
    ROW(INDEX, index, ITEMS, INDEX, LANE, NONE, NONE, NONE, NONE)                                  \
    /* Posts a message of the blocks in set, in set order, to the peer or from it. A message of */ \
    /* an empty set is empty. Received blocks may be used after the wait. Sent blocks may be */    \
    /* written after the wait (with STRATA_PACKED at once). A rank's messages to another match */  \
    /* in the order in which they are posted. Items are packed with their lengths, and received */ \
    /* at their worst size; the table changes at the wait. Items may also travel in two */         \
    /* messages: first their lengths and, after a wait for these, their data, whose length is */   \
    /* then known. */                                                                              \
    ROW(SEND_BLOCKS, send_blocks, BOTH, SEND, PEER, LANE, BLOCKS, HOW, WORKSHARE)                  \
    ROW(RECV_BLOCKS, recv_blocks, BOTH, RECV, PEER, LANE, BLOCKS, HOW, WORKSHARE)                  \
    /* Copies blocks of `from` to the blocks of set, one by one in set order. In plans over */     \
    /* items: copies the staged slices of input blocks to my slot, with the lengths that I send */ \
    /* and expect. */                                                                              \
    ROW(COPY, copy, BOTH, COPY, FROM, BLOCKS, WORKSHARE, NONE, NONE)                               \
    /* Each block of set := block of `from` o block of set, with the call's operator. The */       \
    /* blocks of `from` must come from lower ranks. */                                             \
    ROW(REDUCE, reduce, BLOCKS, COMBINE, FROM, BLOCKS, NONE, NONE, NONE)                           \
    /* Each block of set := block of set o block of `from`. The blocks of set must come from */    \
    /* lower ranks. Operands have no gaps. */                                                      \
    ROW(FOLD, fold, BLOCKS, COMBINE, FROM, BLOCKS, NONE, NONE, NONE)                               \
    /* Waits until at most `count` messages of this kind are open: messages of lanes and */        \
    /* blocks, or with `direct` set, direct messages. Only a wait for 0 makes received blocks */   \
    /* usable, and reads the direct blocks that members of the node expose. */                     \
    ROW(WAIT, wait, BOTH, WAIT, OPEN, DIRECT, NONE, NONE, NONE)                                    \
    /* Copies the staged slices of the sources (positions) in set to the caller's buffer: from */  \
    /* the table of the lane that the member leads and, for sources on my own node, from their */  \
    /* slots. */                                                                                   \
    ROW(COPY_OUT, copy_out, ITEMS, COPY, MEMBER, LANE, RANKS, WORKSHARE, NONE)                     \
    /* MPI's own collective does everything. */                                                    \
    ROW(NATIVE, native, ITEMS, NATIVE, NONE, NONE, NONE, NONE, NONE)

/* The kinds that the cursor runs itself come first. */
#define STRATA_STEP_TABLE(ROW)                                                                     \
    /* A name for traces and pictures. */                                                          \
    ROW(PHASE, phase, BOTH, NOTHING, LABEL, NONE, NONE, NONE, NONE)                                \
    /* Runs the steps up to the matching end `count` times (0: passes). */                         \
    ROW(REPEAT, repeat, BOTH, NOTHING, TIMES, NONE, NONE, NONE, NONE)                              \
    /* Closes the innermost repeat. */                                                             \
    ROW(END, end, BOTH, NOTHING, NONE, NONE, NONE, NONE, NONE)                                     \
    STRATA_RUN_STEP_TABLE(ROW)

enum strata_op {
#define STRATA_STEP_NAME(id, ...) STRATA_STEP_##id,
    STRATA_STEP_TABLE(STRATA_STEP_NAME)
#undef STRATA_STEP_NAME
        STRATA_STEP_COUNT
};

struct strata_step_kind {
    const char *word;
    unsigned char plans, act; /* enum strata_step_plans, enum strata_action_kind */
    unsigned char field[STRATA_STEP_FIELDS];
    unsigned has; /* bit 1 << field for each of the fields */
};

extern const struct strata_step_kind strata_step_kind[STRATA_STEP_COUNT];

const char *strata_step_word(enum strata_op op);

static inline bool strata_step_has(int op, enum strata_step_field field)
{
    return strata_step_kind[op].has >> field & 1;
}

/* NULL when the step's fields can be right in this plan, else the reason in words. The plan must
 * already have the sets and labels of the step. */
struct strata_plan;
struct strata_step;
const char *strata_step_refused(const struct strata_plan *plan, const struct strata_step *step);

#endif
