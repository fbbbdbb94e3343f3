/* The builder, to which algorithms append their steps. The first error sticks: later calls do
 * nothing, and strata_builder_finish reports the error. So an algorithm reads as its pseudo-code.
 *
 * An error is STRATA_ERR_MEMORY, or STRATA_ERR_PLAN for a mistake that one rank's steps alone show:
 * repeats that do not match up, a peer that is no rank, a set of the wrong space (the space must be
 * that of the ranks, or of blocks of a store that the plan has). `reason` says which mistake it
 * is. */
#ifndef STRATA_CORE_PLAN_BUILDER_H
#define STRATA_CORE_PLAN_BUILDER_H

#include "core/plan/plan.h"

#define STRATA_LABEL_SIZE 256 /* bytes of a label at most, with its NUL */

struct strata_builder {
    struct strata_plan *plan; /* the plan so far */
    int error;                /* the first error, or STRATA_OK */
    const char *reason;       /* the error in words; NULL while there is none */
    int open;                 /* how many repeats are open */
    int passes_open;          /* `open` when the passes repeat was opened; 0 outside it */
    int steps_capacity, sets_capacity, boxes_capacity, labels_capacity;
};

/* The plan begins empty, with one pass and no lane. The name is copied. It must be one word,
 * because plans are printed with it. */
void strata_builder_init(struct strata_builder *b, enum strata_collective collective,
                         const char *name, int rank, const struct strata_topology *topology);
/* Hands the plan over (the caller destroys it), or frees it and returns the first error. Finds
 * `posting` of a plan over blocks. */
int strata_builder_finish(struct strata_builder *b, struct strata_plan **plan);

/* Both come before the steps that need them, because lanes are checked against the exchange. */
void strata_build_limits(struct strata_builder *b, struct strata_limits limits);
void strata_build_exchange(struct strata_builder *b, struct strata_exchange exchange);

/* Comes before the steps of a plan over blocks. */
void strata_build_blocks(struct strata_builder *b, struct strata_blocks blocks);

/* Make a set of one box, or of several (nboxes 0: the empty set). The boxes are copied. Boxes of
 * ranks, positions or items all have one space; a box of blocks has the space of its store. Return
 * the set's index for the steps below, -1 after an error. A set that equals the last one made gets
 * its index. */
int strata_build_set(struct strata_builder *b, struct strata_box box);
int strata_build_set_of(struct strata_builder *b, const struct strata_box *boxes, int nboxes);
/* A set of one item of a store, whose space has so many. */
static inline int strata_build_item(struct strata_builder *b, enum strata_store store, int space,
                                    int item)
{
    return strata_build_set(b, strata_box_in(store, strata_box_item(space, item)));
}

/* Keeps STRATA_ERR_MEMORY, for a caller that has no memory for its boxes; returns -1. */
int strata_build_no_memory(struct strata_builder *b);

/* Append any step, and any label for a PHASE step (the result is its offset). The functions below
 * are made of these two, and programs that edit or read plans call them. */
void strata_build_step(struct strata_builder *b, struct strata_step step);
int strata_build_label(struct strata_builder *b, const char *text);

/* The steps that algorithms append. They name sets by their index. */
void strata_build_phase(struct strata_builder *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static inline void strata_build_repeat(struct strata_builder *b, int count)
{
    /* In a step, 0 stands for the passes. So a repeat of no iterations gets -1, which is
     * refused. */
    strata_build_step(b, (struct strata_step){
                             .op = STRATA_STEP_REPEAT, .count = count > 0 ? count : -1, .set = -1});
}

/* Opens a repeat that runs limits.passes times. */
static inline void strata_build_passes(struct strata_builder *b)
{
    strata_build_step(b, (struct strata_step){.op = STRATA_STEP_REPEAT, .set = -1});
}

static inline void strata_build_end(struct strata_builder *b)
{
    strata_build_step(b, (struct strata_step){.op = STRATA_STEP_END, .set = -1});
}

static inline void strata_build_direct(struct strata_builder *b, int set, int set_step)
{
    strata_build_step(
        b, (struct strata_step){.op = STRATA_STEP_DIRECT, .set = set, .set_step = set_step});
}

static inline void strata_build_signal(struct strata_builder *b, enum strata_signal signal)
{
    strata_build_step(
        b, (struct strata_step){.op = STRATA_STEP_SIGNAL, .count = (int32_t)signal, .set = -1});
}

static inline void strata_build_await(struct strata_builder *b, int member,
                                      enum strata_signal signal)
{
    strata_build_step(
        b, (struct strata_step){
               .op = STRATA_STEP_AWAIT, .peer = member, .count = (int32_t)signal, .set = -1});
}

static inline void strata_build_index(struct strata_builder *b, int lane)
{
    strata_build_step(b, (struct strata_step){.op = STRATA_STEP_INDEX, .lane = lane, .set = -1});
}

static inline void strata_build_recv(struct strata_builder *b, int peer, int lane, int set,
                                     enum strata_how part)
{
    strata_build_step(b, (struct strata_step){.op = STRATA_STEP_RECV_BLOCKS,
                                              .how = (uint8_t)part,
                                              .lane = lane,
                                              .peer = peer,
                                              .set = set});
}

static inline void strata_build_send(struct strata_builder *b, int peer, int lane, int set,
                                     enum strata_how part)
{
    strata_build_step(b, (struct strata_step){.op = STRATA_STEP_SEND_BLOCKS,
                                              .workshare = part != STRATA_LENGTHS,
                                              .how = (uint8_t)part,
                                              .lane = lane,
                                              .peer = peer,
                                              .set = set});
}

static inline void strata_build_wait(struct strata_builder *b, int open)
{
    strata_build_step(b, (struct strata_step){.op = STRATA_STEP_WAIT, .count = open, .set = -1});
}

static inline void strata_build_wait_direct(struct strata_builder *b, int open)
{
    strata_build_step(
        b, (struct strata_step){.op = STRATA_STEP_WAIT, .direct = 1, .count = open, .set = -1});
}

static inline void strata_build_copy_out(struct strata_builder *b, int member, int lane, int set)
{
    strata_build_step(
        b,
        (struct strata_step){
            .op = STRATA_STEP_COPY_OUT, .workshare = 1, .lane = lane, .peer = member, .set = set});
}

static inline void strata_build_send_blocks(struct strata_builder *b, int peer, int set,
                                            enum strata_how how)
{
    strata_build_step(b, (struct strata_step){.op = STRATA_STEP_SEND_BLOCKS,
                                              .workshare = 1,
                                              .how = (uint8_t)how,
                                              .peer = peer,
                                              .set = set});
}

static inline void strata_build_recv_blocks(struct strata_builder *b, int peer, int set,
                                            enum strata_how how)
{
    strata_build_step(b, (struct strata_step){.op = STRATA_STEP_RECV_BLOCKS,
                                              .workshare = 1,
                                              .how = (uint8_t)how,
                                              .peer = peer,
                                              .set = set});
}

static inline void strata_build_copy(struct strata_builder *b, int from, int into)
{
    strata_build_step(
        b, (struct strata_step){.op = STRATA_STEP_COPY, .workshare = 1, .set = into, .from = from});
}

/* Copies the staged blocks for these positions to my slot. */
static inline void strata_build_copy_in(struct strata_builder *b, struct strata_box positions)
{
    int from = strata_build_set(b, strata_box_in(STRATA_INPUT_AT, positions));
    strata_build_copy(b, from, strata_build_set(b, strata_box_in(STRATA_SLOT, positions)));
}

/* into := from o into */
static inline void strata_build_reduce(struct strata_builder *b, int from, int into)
{
    strata_build_step(b, (struct strata_step){.op = STRATA_STEP_REDUCE, .set = into, .from = from});
}

/* into := into o from */
static inline void strata_build_fold(struct strata_builder *b, int from, int into)
{
    strata_build_step(b, (struct strata_step){.op = STRATA_STEP_FOLD, .set = into, .from = from});
}

static inline void strata_build_native(struct strata_builder *b)
{
    strata_build_step(b, (struct strata_step){.op = STRATA_STEP_NATIVE, .set = -1});
}

#endif
