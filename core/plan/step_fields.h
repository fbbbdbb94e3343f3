/* Which fields each step kind has, and in which order it is printed: one row a kind. The builder
 * checks steps by it, the printer and the parser of plan_text.h follow it. Private to core. */
#ifndef STRATA_CORE_PLAN_STEP_FIELDS_H
#define STRATA_CORE_PLAN_STEP_FIELDS_H

#include "core/plan/plan.h"

/* One row declares a field: what it is, and why a value is refused. */
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
    ROW(NODES, "the set is not one of items 0 .. nodes-1")                                         \
    ROW(OPEN, "fewer than no message may stay open")                                               \
    ROW(BLOCKS, "the set is not one of blocks of the plan's stores")                               \
    ROW(FROM, "the set to read is not one of blocks of the plan's stores, as many as are written") \
    ROW(HOW, "blocks travel as fits, packed or typed")                                             \
    ROW(PART, "a lane message is whole, its lengths or its data")                                  \
    ROW(DIRECT, "direct is 0 or 1")                                                                \
    ROW(WORKSHARE, "workshare is 0 or 1")

enum strata_step_field {
#define STRATA_STEP_FIELD_NAME(id, reason) STRATA_HAS_##id,
    STRATA_STEP_FIELD_TABLE(STRATA_STEP_FIELD_NAME)
#undef STRATA_STEP_FIELD_NAME
        STRATA_HAS_COUNT
};

#define STRATA_STEP_FIELDS 5 /* most fields that a step kind has */

/* One row declares a step kind's fields, unused ones NONE. */
#define STRATA_STEP_FIELDS_TABLE(ROW)                                                              \
    ROW(PHASE, LABEL, NONE, NONE, NONE, NONE)                                                      \
    ROW(REPEAT, TIMES, NONE, NONE, NONE, NONE)                                                     \
    ROW(END, NONE, NONE, NONE, NONE, NONE)                                                         \
    ROW(DIRECT, RANKS, NONE, NONE, NONE, NONE)                                                     \
    ROW(COPY_IN, RANKS, WORKSHARE, NONE, NONE, NONE)                                               \
    ROW(SIGNAL, SIGNAL, NONE, NONE, NONE, NONE)                                                    \
    ROW(AWAIT, MEMBERS, SIGNAL, NONE, NONE, NONE)                                                  \
    ROW(INDEX, LANE, NONE, NONE, NONE, NONE)                                                       \
    ROW(RECV, PEER, LANE, NODES, PART, NONE)                                                       \
    ROW(SEND, PEER, LANE, NODES, PART, WORKSHARE)                                                  \
    ROW(SEND_BLOCKS, PEER, BLOCKS, HOW, WORKSHARE, NONE)                                           \
    ROW(RECV_BLOCKS, PEER, BLOCKS, HOW, WORKSHARE, NONE)                                           \
    ROW(COPY, FROM, BLOCKS, WORKSHARE, NONE, NONE)                                                 \
    ROW(REDUCE, FROM, BLOCKS, NONE, NONE, NONE)                                                    \
    ROW(WAIT, OPEN, DIRECT, NONE, NONE, NONE)                                                      \
    ROW(COPY_OUT, MEMBER, LANE, RANKS, WORKSHARE, NONE)                                            \
    ROW(NATIVE, NONE, NONE, NONE, NONE, NONE)

extern const unsigned char strata_step_fields[STRATA_STEP_COUNT][STRATA_STEP_FIELDS];

/* Words of enum strata_how. */
#define STRATA_HOWS 3
extern const char *const strata_how_word[STRATA_HOWS];

/* Words of enum strata_message_part. */
#define STRATA_MESSAGE_PARTS 3
extern const char *const strata_message_part_word[STRATA_MESSAGE_PARTS];

/* Words of enum strata_signal, from index 1 on. */
extern const char *const strata_signal_word[STRATA_SIGNALS];

/* NULL when the step's fields can be right in this plan, else the reason in words. Sets and labels
 * must be the plan's already. */
const char *strata_step_refused(const struct strata_plan *plan, const struct strata_step *step);

#endif
