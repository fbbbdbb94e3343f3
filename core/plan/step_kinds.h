/* The kinds of steps: one row says all that holds of a kind. The builder and the checker look at
 * steps by it, the printer and the parser (core/text) follow it, and whoever goes through a plan's
 * actions (core/plan/actions.h) knows no more. The engine and the checker have a function for each
 * row; one that is missing does not link. */
#ifndef STRATA_CORE_PLAN_STEP_KINDS_H
#define STRATA_CORE_PLAN_STEP_KINDS_H

#include <stdbool.h>

/* One row declares a field: what it is, and why a value is refused. Steps are printed and parsed
 * with their fields in the order of the kind's row.
 *   PEER     a rank                     RANKS         a set of items 0 .. ranks-1
 *   MEMBER   one of my node             BLOCKS, FROM  a set of blocks of stores; one to read
 *   MEMBERS  the same, or all of them   LANE          whose items they are; 0 of other blocks */
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

/* Which plans have the kind: those over items, those over blocks. */
enum strata_step_plans {
    STRATA_OF_ITEMS = 1,
    STRATA_OF_BLOCKS = 2,
    STRATA_OF_BOTH = STRATA_OF_ITEMS | STRATA_OF_BLOCKS,
    STRATA_NEED_STAGED = 4, /* and only with node memory */
    STRATA_OF_STAGED = STRATA_OF_BOTH | STRATA_NEED_STAGED
};

/* One row declares what a step can come to (core/plan/actions.h): identifier, word. Whoever goes
 * through a plan's actions has a function for each, named by the word.
 *   recv, send   posts a message
 *   wait         until so many of them are open
 *   copy         blocks of `from`, or slices, to where its set says
 *   combine      blocks of `from` with those of set
 *   signal       publishes a signal
 *   await        until members have published one
 *   index        a lane's table begins anew
 *   native       everything, by MPI */
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
    STRATA_ACT_DIRECT = STRATA_ACTIONS, /* receives, sends and a copy, one for each distance */
    STRATA_ACT_NOTHING                  /* what the cursor deals with */
};

#define STRATA_STEP_FIELDS 5 /* most fields that a step kind has */

/* One row declares a step kind: identifier, word, which plans have it, which action it comes to,
 * its fields. Blocks of its set are written unless it sends them. The engine and the checker have a
 * function for each of these, named by the word. */
#define STRATA_RUN_STEP_TABLE(ROW)                                                                 \
    /* For each distance d of set: a receive of the direct block from rank - d, then a send of */  \
    /* the one for rank + d; d = 0 is copied. What the plan exposes goes without messages. */      \
    ROW(DIRECT, direct, ITEMS, DIRECT, RANKS, NONE, NONE, NONE, NONE)                              \
    /* Publish the signal. */                                                                      \
    ROW(SIGNAL, signal, STAGED, SIGNAL, SIGNAL, NONE, NONE, NONE, NONE)                            \
    /* Until the member (STRATA_ALL_MEMBERS: each) has published the signal or a later one. */     \
    ROW(AWAIT, await, STAGED, AWAIT, MEMBERS, SIGNAL, NONE, NONE, NONE)                            \
    /* Entry k of the lane's table := my node's message for the node at distance k, by */          \
    /* reference; nothing is copied. */                                                            \
    ROW(INDEX, index, ITEMS, INDEX, LANE, NONE, NONE, NONE, NONE)                                  \
    /* Post a message of the blocks in set, in set order, for the peer, or from it; of an empty */ \
    /* set an empty one. Blocks received may be used after the wait; blocks sent may be written */ \
    /* after it (with STRATA_PACKED at once). A rank's messages to another are matched in the */   \
    /* order posted. Items are packed, with their lengths, and received at their worst size; */    \
    /* the table changes at the wait. Or in two parts: their lengths, then, when those were */     \
    /* waited for, the items, of the length that they have together. */                            \
    ROW(SEND_BLOCKS, send_blocks, BOTH, SEND, PEER, LANE, BLOCKS, HOW, WORKSHARE)                  \
    ROW(RECV_BLOCKS, recv_blocks, BOTH, RECV, PEER, LANE, BLOCKS, HOW, WORKSHARE)                  \
    /* Blocks of `from` to the blocks of set, one by one in set order. In plans over items the */  \
    /* staged slices of input blocks, to my slot, with the lengths that I send and expect. */      \
    ROW(COPY, copy, BOTH, COPY, FROM, BLOCKS, WORKSHARE, NONE, NONE)                               \
    /* Each block of set := block of `from` o block of set, with the operator of the call; what */ \
    /* comes from lower ranks must be on the left. */                                              \
    ROW(REDUCE, reduce, BLOCKS, COMBINE, FROM, BLOCKS, NONE, NONE, NONE)                           \
    /* Each block of set := block of set o block of `from`; what comes from lower ranks must */    \
    /* lie there. Operands have no gaps. */                                                        \
    ROW(FOLD, fold, BLOCKS, COMBINE, FROM, BLOCKS, NONE, NONE, NONE)                               \
    /* Until at most `count` of the messages of this kind are open: those of lanes and of */       \
    /* blocks, or with `direct` set, the direct ones. Only a wait for 0 makes received blocks */   \
    /* usable, and takes the direct blocks that members of the node expose. */                     \
    ROW(WAIT, wait, BOTH, WAIT, OPEN, DIRECT, NONE, NONE, NONE)                                    \
    /* The staged slices of the sources (positions) in set, from the table of the lane that the */ \
    /* member leads and, for sources of my own node, from their slots, to the caller's buffer. */  \
    ROW(COPY_OUT, copy_out, ITEMS, COPY, MEMBER, LANE, RANKS, WORKSHARE, NONE)                     \
    /* MPI's own collective does it all. */                                                        \
    ROW(NATIVE, native, ITEMS, NATIVE, NONE, NONE, NONE, NONE, NONE)

/* Those that the cursor deals with, so that nobody runs them. */
#define STRATA_STEP_TABLE(ROW)                                                                     \
    /* A name for traces and pictures. */                                                          \
    ROW(PHASE, phase, BOTH, NOTHING, LABEL, NONE, NONE, NONE, NONE)                                \
    /* The steps up to the matching end, `count` times (0: passes). */                             \
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
    unsigned has; /* bit 1 << field of each of them */
};

extern const struct strata_step_kind strata_step_kind[STRATA_STEP_COUNT];

const char *strata_step_word(enum strata_op op);

static inline bool strata_step_has(int op, enum strata_step_field field)
{
    return strata_step_kind[op].has >> field & 1;
}

/* NULL when the step's fields can be right in this plan, else the reason in words. Sets and labels
 * must be the plan's already. */
struct strata_plan;
struct strata_step;
const char *strata_step_refused(const struct strata_plan *plan, const struct strata_step *step);

#endif
