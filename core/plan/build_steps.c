/* One function for each step kind that algorithm authors append. */
#include <stdarg.h>
#include <stdio.h>

#include "core/plan/builder.h"

void strata_build_phase(struct strata_builder *b, const char *format, ...)
{
    char text[STRATA_LABEL_SIZE + 1];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    int label = strata_build_label(b, text);
    strata_build_step(b, (struct strata_step){.op = STRATA_STEP_PHASE, .set = -1, .label = label});
}

void strata_build_repeat(struct strata_builder *b, int count)
{
    /* 0 stands for passes in a step: a repeat of no iterations is refused as -1 is. */
    strata_build_step(b, (struct strata_step){
                             .op = STRATA_STEP_REPEAT, .count = count > 0 ? count : -1, .set = -1});
}

void strata_build_passes(struct strata_builder *b)
{
    strata_build_step(b, (struct strata_step){.op = STRATA_STEP_REPEAT, .set = -1});
}

void strata_build_end(struct strata_builder *b)
{
    strata_build_step(b, (struct strata_step){.op = STRATA_STEP_END, .set = -1});
}

void strata_build_direct(struct strata_builder *b, int set, int set_step)
{
    strata_build_step(
        b, (struct strata_step){.op = STRATA_STEP_DIRECT, .set = set, .set_step = set_step});
}

void strata_build_copy_in(struct strata_builder *b, int set)
{
    strata_build_step(b,
                      (struct strata_step){.op = STRATA_STEP_COPY_IN, .workshare = 1, .set = set});
}

void strata_build_signal(struct strata_builder *b, enum strata_signal signal)
{
    strata_build_step(
        b, (struct strata_step){.op = STRATA_STEP_SIGNAL, .count = (int32_t)signal, .set = -1});
}

void strata_build_await(struct strata_builder *b, int member, enum strata_signal signal)
{
    strata_build_step(
        b, (struct strata_step){
               .op = STRATA_STEP_AWAIT, .peer = member, .count = (int32_t)signal, .set = -1});
}

void strata_build_index(struct strata_builder *b, int lane)
{
    strata_build_step(b, (struct strata_step){.op = STRATA_STEP_INDEX, .lane = lane, .set = -1});
}

void strata_build_recv(struct strata_builder *b, int peer, int lane, int set,
                       enum strata_message_part part)
{
    strata_build_step(
        b,
        (struct strata_step){
            .op = STRATA_STEP_RECV, .part = (uint8_t)part, .lane = lane, .peer = peer, .set = set});
}

void strata_build_send(struct strata_builder *b, int peer, int lane, int set,
                       enum strata_message_part part)
{
    strata_build_step(b, (struct strata_step){.op = STRATA_STEP_SEND,
                                              .workshare = part != STRATA_LENGTHS,
                                              .part = (uint8_t)part,
                                              .lane = lane,
                                              .peer = peer,
                                              .set = set});
}

void strata_build_wait(struct strata_builder *b, int open)
{
    strata_build_step(b, (struct strata_step){.op = STRATA_STEP_WAIT, .count = open, .set = -1});
}

void strata_build_wait_direct(struct strata_builder *b, int open)
{
    strata_build_step(
        b, (struct strata_step){.op = STRATA_STEP_WAIT, .direct = 1, .count = open, .set = -1});
}

void strata_build_copy_out(struct strata_builder *b, int member, int lane, int set)
{
    strata_build_step(
        b,
        (struct strata_step){
            .op = STRATA_STEP_COPY_OUT, .workshare = 1, .lane = lane, .peer = member, .set = set});
}

void strata_build_send_blocks(struct strata_builder *b, int peer, int set, enum strata_how how)
{
    strata_build_step(b, (struct strata_step){.op = STRATA_STEP_SEND_BLOCKS,
                                              .workshare = 1,
                                              .how = (uint8_t)how,
                                              .peer = peer,
                                              .set = set});
}

void strata_build_recv_blocks(struct strata_builder *b, int peer, int set, enum strata_how how)
{
    strata_build_step(b, (struct strata_step){.op = STRATA_STEP_RECV_BLOCKS,
                                              .workshare = 1,
                                              .how = (uint8_t)how,
                                              .peer = peer,
                                              .set = set});
}

void strata_build_copy(struct strata_builder *b, int from, int into)
{
    strata_build_step(
        b, (struct strata_step){.op = STRATA_STEP_COPY, .workshare = 1, .set = into, .from = from});
}

void strata_build_reduce(struct strata_builder *b, int from, int into)
{
    strata_build_step(b, (struct strata_step){.op = STRATA_STEP_REDUCE, .set = into, .from = from});
}

void strata_build_native(struct strata_builder *b)
{
    strata_build_step(b, (struct strata_step){.op = STRATA_STEP_NATIVE, .set = -1});
}
