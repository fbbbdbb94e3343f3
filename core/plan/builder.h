/* What algorithm authors append steps to. Errors are kept: the first one sticks, later calls do
 * nothing, and strata_builder_finish reports it, so that an algorithm reads as its pseudo-code.
 *
 * Errors are STRATA_ERR_MEMORY, and STRATA_ERR_PLAN for what can be seen to be wrong in one rank's
 * steps alone: repeats that do not match up, a peer that is no rank, a set of the wrong space (of
 * blocks of a store that the plan has, or of ranks). `reason` says which. */
#ifndef STRATA_CORE_PLAN_BUILDER_H
#define STRATA_CORE_PLAN_BUILDER_H

#include "core/plan/plan.h"

/* In a plan over blocks strata_builder_finish finds `posting`. */

#define STRATA_LABEL_SIZE 256 /* a label's bytes at most, its NUL included */

struct strata_builder {
    struct strata_plan *plan; /* so far */
    int error;                /* the first one, or STRATA_OK */
    const char *reason;       /* in words; NULL while there is no error */
    int open;                 /* repeats not yet closed */
    int passes_open; /* `open` where the passes repeat was the last to be opened; 0 outside it */
    int steps_capacity, sets_capacity, boxes_capacity, labels_capacity;
};

/* The plan begins empty, with one pass and no lane; name is copied: one word, as plans are printed
 * with it. */
void strata_builder_init(struct strata_builder *b, enum strata_collective collective,
                         const char *name, int rank, const struct strata_topology *topology);
/* Hands the plan over (the caller destroys it), or frees it and returns the first error. */
int strata_builder_finish(struct strata_builder *b, struct strata_plan **plan);

/* Before the steps that need them: lanes are checked against the exchange. */
void strata_build_limits(struct strata_builder *b, struct strata_limits limits);
void strata_build_exchange(struct strata_builder *b, struct strata_exchange exchange);

/* Before the steps of a plan over blocks. */
void strata_build_blocks(struct strata_builder *b, struct strata_blocks blocks);

/* A set of one box, or of several (nboxes 0: the empty set); the boxes are copied. Sets of ranks,
 * positions and items have one space, those of blocks that of each box's store. Returns its index
 * for the steps below; -1 after an error. A set equal to the last one made is that one. */
int strata_build_set(struct strata_builder *b, struct strata_box box);
int strata_build_set_of(struct strata_builder *b, const struct strata_box *boxes, int nboxes);

/* For whoever makes boxes in memory of his own and has none: keeps the error; returns -1. */
int strata_build_no_memory(struct strata_builder *b);

/* Any step, and a label for a PHASE step (its offset): what the functions below are made of. For
 * programs that edit or read plans. */
void strata_build_step(struct strata_builder *b, struct strata_step step);
int strata_build_label(struct strata_builder *b, const char *text);

/* The steps that algorithm authors append; sets by their index. */
void strata_build_phase(struct strata_builder *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static inline void strata_build_repeat(struct strata_builder *b, int count)
{
    /* 0 stands for passes in a step: a repeat of no iterations is refused as -1 is. */
    strata_build_step(b, (struct strata_step){
                             .op = STRATA_STEP_REPEAT, .count = count > 0 ? count : -1, .set = -1});
}

/* Repeats limits.passes times. */
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

/* The staged blocks for those positions, to my slot. */
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
