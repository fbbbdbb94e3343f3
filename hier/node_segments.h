/* Vectors that go through the members' slots, in passes, and between the nodes.
 *
 * What of a vector moves in a pass is cut into shares, one for each lane. A lane has a leader on
 * each node, and the leaders of a lane exchange their share by any flat row that serves the
 * collective. How many segments a share has that row says; in one node it has one. */
#ifndef STRATA_HIER_NODE_SEGMENTS_H
#define STRATA_HIER_NODE_SEGMENTS_H

#include "core/plan/algorithm.h"
#include "hier/between.h"
#include "hier/tuning.h"

/* The longest operands that lie in slots, in bytes. */
#define STRATA_SLOT_OPERAND 64

/* The parameter that says how much of a vector a pass moves; strata_segments_bytes reads it. */
#define STRATA_SEGMENT_PARAMETER                                                                   \
    {                                                                                              \
        .name = "segment", .automatic = STRATA_SEGMENT_KIB, .least = 1, .most = 65536,             \
        .choices = {STRATA_SEGMENT_KIB, 16, 1024}, .across = true,                                 \
        .meaning = "KiB of the vector that a pass moves, at most"                                  \
    }

/* How a vector is to be moved. */
struct strata_segments_shape {
    int lanes;
    size_t most;                            /* bytes that a pass moves, at most */
    enum strata_collective collective;      /* what leaders do between the nodes */
    const struct strata_algorithm *between; /* by which row; NULL: all ranks are on one node */
    int variant;                            /* of it */
    int work;                               /* vectors that the work store has for the row itself */
    bool once; /* the slots are the result, which lies once in a node: of any length, in one pass */
};

struct strata_segments {
    const struct strata_problem *problem;
    struct strata_builder *b;
    struct strata_between between;
    struct strata_plan *exchange; /* what my node does between the nodes; NULL: there is one */
    int lanes, share, passes;     /* share: segments of one in a pass */
    int members, me;              /* of my node; which of them I am */
    int work, own;                /* vectors that the work store has, and those of the row */
};

/* A vector of one of my stores: OUTPUT, INPUT, one of the work store's, or a member's slot. */
struct strata_vector {
    enum strata_store store;
    int number; /* in the work store; the member; else 0 */
};

/* The bytes that the parameter of that index says in KiB. */
static inline size_t strata_segments_bytes(const struct strata_problem *problem, int parameter)
{
    return (size_t)problem->parameter[parameter] * 1024;
}

/* The bytes of a vector that lie in such a slot at once; 0: not even an operand fits. */
size_t strata_segments_room(size_t slot);
/* In so many passes a vector goes; 0: not even an operand fits in a slot, or they are too many. */
int strata_segments_passes(const struct strata_problem *problem, size_t most);
/* The longest slices of the ranks' blocks of which all fit in a slot together. */
size_t strata_segments_slice(const struct strata_problem *problem);
/* Through the slots of that ring: a vector goes through the smallest that it fits in. */
enum strata_ring_kind strata_segments_ring(const struct strata_problem *problem, size_t most);
/* NULL when the vector can be moved like that, else the reason in words. */
const char *strata_segments_refusal(const struct strata_problem *problem,
                                    const struct strata_segments_shape *shape);

/* The plan's limits and blocks; opens the passes. They must be ended, also after an error. */
void strata_segments_begin(struct strata_segments *s, const struct strata_problem *problem,
                           const struct strata_segments_shape *shape, struct strata_builder *b);
void strata_segments_end(struct strata_segments *s);

/* Whether I lead the lane; or any. */
bool strata_segments_lead(const struct strata_segments *s, int lane);
bool strata_segments_leads(const struct strata_segments *s);
/* The shares of lanes first .. first+count-1 of a vector of mine; in the slot of a member. */
struct strata_box strata_segments_in(const struct strata_segments *s, struct strata_vector vector,
                                     int first, int count);
struct strata_box strata_segments_slot(const struct strata_segments *s, int member, int first,
                                       int count);
/* Steps of a pass. Blocks of `from` to `into`. */
void strata_segments_copy(const struct strata_segments *s, struct strata_box from,
                          struct strata_box into);
/* All shares of my operands to my slot, and says so. */
void strata_segments_hand_in(const struct strata_segments *s);
/* To the output: the shares that others lead, when their leaders say that they are there. */
void strata_segments_copy_out(const struct strata_segments *s, enum strata_signal signal);
/* `into` := the share of that lane of all members, combined from left to right. */
void strata_segments_combine(const struct strata_segments *s, int lane, struct strata_vector into);
/* `into` := `from` o `into` */
void strata_segments_reduce(const struct strata_segments *s, struct strata_box from,
                            struct strata_box into);
/* What a leader of the lane does between the nodes, from `input` to `output`. */
void strata_segments_exchange(const struct strata_segments *s, int lane, struct strata_vector input,
                              struct strata_vector output);

/* What a pass of `bytes` bytes costs who combines them of all members. */
void strata_segments_combine_cost(struct strata_cost *total, const struct strata_problem *problem,
                                  double bytes, const struct strata_machine *machine);
/* And who copies it out when its shares lie in the slots of so many leaders. */
void strata_segments_copy_out_cost(struct strata_cost *total, const struct strata_problem *problem,
                                   int lanes, double bytes, const struct strata_machine *machine);
/* What exchanges of so many bytes cost a leader, one in each pass. Those to or from a root overlap:
 * nobody waits for the end of one before the next, so after the first they take as long as the
 * busiest leader needs for its messages. */
void strata_segments_exchange_cost(struct strata_cost *total, const struct strata_problem *problem,
                                   const struct strata_segments_shape *shape, double bytes,
                                   const struct strata_machine *machine);

#endif
