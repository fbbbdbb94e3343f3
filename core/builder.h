/* What algorithm authors append steps to. Errors are kept: the first one sticks, later calls do
 * nothing, and strata_builder_finish reports it, so that an algorithm reads as its pseudo-code. */
#ifndef STRATA_CORE_BUILDER_H
#define STRATA_CORE_BUILDER_H

#include "core/plan.h"

struct strata_builder {
    struct strata_plan *plan;
    int error;
    int open; /* repeats not yet closed */
    int steps_capacity, sets_capacity, boxes_capacity, labels_capacity;
};

/* The plan begins empty, with one pass and no lane; name is copied. */
void strata_builder_init(struct strata_builder *b, enum strata_collective collective,
                         const char *name, int rank, const struct strata_topology *topology);
/* Hands the plan over (the caller destroys it), or frees it and returns the first error. */
int strata_builder_finish(struct strata_builder *b, struct strata_plan **plan);

void strata_build_limits(struct strata_builder *b, struct strata_limits limits);
void strata_build_exchange(struct strata_builder *b, struct strata_exchange exchange);

/* A set of one box, or of several; the boxes are copied. Returns its index for the steps below. */
int strata_build_set(struct strata_builder *b, struct strata_box box);
int strata_build_set_of(struct strata_builder *b, const struct strata_box *boxes, int nboxes);

void strata_build_phase(struct strata_builder *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void strata_build_repeat(struct strata_builder *b, int count);
void strata_build_passes(struct strata_builder *b); /* repeat limits.passes times */
void strata_build_end(struct strata_builder *b);
void strata_build_direct(struct strata_builder *b, int set, int set_step);
void strata_build_copy_in(struct strata_builder *b, int set);
void strata_build_signal(struct strata_builder *b, enum strata_phase phase);
void strata_build_await(struct strata_builder *b, int member, enum strata_phase phase);
void strata_build_index(struct strata_builder *b, int lane);
void strata_build_recv(struct strata_builder *b, int peer, int lane, int set);
void strata_build_send(struct strata_builder *b, int peer, int lane, int set);
void strata_build_wait(struct strata_builder *b, int open);
void strata_build_wait_direct(struct strata_builder *b, int open);
void strata_build_copy_out(struct strata_builder *b, int member, int lane, int set);
void strata_build_native(struct strata_builder *b);

#endif
