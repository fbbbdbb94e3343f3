/* Vectors that go through the members' slots of one node: cut into segments, so and so many of them
 * in each pass. */
#ifndef STRATA_HIER_NODE_SEGMENTS_H
#define STRATA_HIER_NODE_SEGMENTS_H

#include "core/plan/algorithm.h"

/* The longest operands that lie in slots, in bytes. */
#define STRATA_SLOT_OPERAND 64

struct strata_segments {
    enum strata_ring_kind ring;
    int slot;   /* segments that a slot holds in a pass */
    int passes; /* 0: not even one would fit, or they would be too many */
    int members;
};

/* The most bytes of a vector that a pass moves, which the parameter of that index says in KiB. */
static inline size_t strata_segments_bytes(const struct strata_problem *problem, int parameter)
{
    return (size_t)problem->parameter[parameter] * 1024;
}

/* For slots of `slot` segments, at most `most` bytes of the vector in a pass. */
struct strata_segments strata_segments_of(const struct strata_problem *problem, int slot,
                                          size_t most);
/* NULL when the vector can be moved like that, else the reason in words. */
const char *strata_segments_refusal(const struct strata_problem *problem, int slot, size_t most);

/* Limits and blocks of the plan. */
void strata_segments_begin(const struct strata_segments *s, struct strata_builder *b);
/* Segments first .. first+count-1 of a pass, of a store of this rank's; in the slot of a member. */
struct strata_box strata_segments_in(const struct strata_segments *s, enum strata_store store,
                                     int first, int count);
struct strata_box strata_segments_slot(const struct strata_segments *s, int member, int first,
                                       int count);
/* In the passes: segments of `from` to `into`, or combined with those there. */
void strata_segments_copy(const struct strata_segments *s, struct strata_builder *b,
                          struct strata_box from, struct strata_box into);
void strata_segments_reduce(const struct strata_segments *s, struct strata_builder *b,
                            struct strata_box from, struct strata_box into);
/* into := the members' segment `segment` of this pass, combined in the order of ranks. */
void strata_segments_combine(const struct strata_segments *s, const struct strata_problem *problem,
                             struct strata_builder *b, int segment, struct strata_box into);

/* What a pass of `bytes` bytes costs who combines its part of them of all members. */
void strata_segments_combine_cost(struct strata_cost *total, const struct strata_segments *s,
                                  double bytes, const struct strata_machine *machine);

#endif
