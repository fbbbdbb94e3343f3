/* Vectors that go through the members' slots, in passes, and between the nodes. The part of a
 * vector that moves in one pass is cut into shares, one for each lane. A lane has a leader on each
 * node. The leaders of a lane exchange their share by any flat algorithm that serves the
 * collective. That algorithm says how many segments a share has; in one node a share has one. */
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

/* How a vector moves. */
struct strata_segments_shape {
    int lanes;
    size_t most;                            /* bytes that a pass moves, at most */
    enum strata_collective collective;      /* the collective of the leaders between the nodes */
    const struct strata_algorithm *between; /* its algorithm; NULL: all ranks are on one node */
    int variant;                            /* of that algorithm */
    int work;                               /* vectors in the work store for the algorithm's own
                                               use */
    bool once; /* the slots are the result, which lies once in a node: of any length, in one pass */
};

struct strata_segments {
    const struct strata_problem *problem;
    struct strata_builder *b;
    struct strata_between between;
    struct strata_plan *exchange; /* the plan of my node between the nodes; NULL: there is one
                                     node */
    int lanes, share, passes;     /* share: segments of a share in a pass */
    int members, me;              /* members of my node; my number among them */
    int work, own;                /* vectors in the work store; those for the algorithm's own use */
};

/* A vector in one of my stores: OUTPUT, INPUT, one of the work store's, or in a member's slot. */
struct strata_vector {
    enum strata_store store;
    int number; /* which one of the work store's, or the member; else 0 */
};

/* The bytes that the parameter with that index gives in KiB. */
static inline size_t strata_segments_bytes(const struct strata_problem *problem, int parameter)
{
    return (size_t)problem->parameter[parameter] * 1024;
}

/* The bytes of a vector that fit in a slot of `slot` bytes; 0: not even an operand fits. */
size_t strata_segments_capacity(size_t slot);
/* The number of passes of a vector; 0: not even an operand fits in a slot, or there are too many
 * passes. */
int strata_segments_passes(const struct strata_problem *problem, size_t most);
/* The longest slices with which one slice of each rank's block fits in a slot. */
size_t strata_segments_slice(const struct strata_problem *problem);
/* The ring that the vector goes through: the one with the smallest slots that it fits in. */
enum strata_ring_kind strata_segments_ring(const struct strata_problem *problem, size_t most);
/* NULL when the vector can move like that, else the reason in words. */
const char *strata_segments_refusal(const struct strata_problem *problem,
                                    const struct strata_segments_shape *shape);

/* Sets the plan's limits and blocks, and opens the passes. The caller ends them, also after an
 * error. */
void strata_segments_begin(struct strata_segments *s, const struct strata_problem *problem,
                           const struct strata_segments_shape *shape, struct strata_builder *b);
void strata_segments_end(struct strata_segments *s);

/* Whether I lead that lane, or any lane. */
bool strata_segments_lead(const struct strata_segments *s, int lane);
bool strata_segments_leads(const struct strata_segments *s);
/* The shares of lanes first .. first+count-1 of one of my vectors, or in the slot of a member. */
struct strata_box strata_segments_in(const struct strata_segments *s, struct strata_vector vector,
                                     int first, int count);
struct strata_box strata_segments_slot(const struct strata_segments *s, int member, int first,
                                       int count);
/* The steps of a pass. Copies blocks. */
void strata_segments_copy(const struct strata_segments *s, struct strata_box from,
                          struct strata_box into);
/* Copies all shares of my operands to my slot, and signals it. */
void strata_segments_hand_in(const struct strata_segments *s);
/* Copies the shares of other leaders to the output, when those have sent the signal. */
void strata_segments_copy_out(const struct strata_segments *s, enum strata_signal signal);
/* `into` := that lane's shares of all members, combined from left to right. */
void strata_segments_combine(const struct strata_segments *s, int lane, struct strata_vector into);
/* The same where this member is one of the first two: it begins with its own operands, which it has
 * not handed in. */
void strata_segments_combine_with_own(const struct strata_segments *s, int lane,
                                      struct strata_vector into);
/* `into` := `into` o `from` */
void strata_segments_fold(const struct strata_segments *s, struct strata_box from,
                          struct strata_box into);
/* `into` := `from` o `into` */
void strata_segments_reduce(const struct strata_segments *s, struct strata_box from,
                            struct strata_box into);
/* The exchange of the lane's leader between the nodes, from `input` to `output`. */
void strata_segments_exchange(const struct strata_segments *s, int lane, struct strata_vector input,
                              struct strata_vector output);

/* The cost of a pass of `bytes` bytes for a rank that combines those of all members. */
void strata_segments_combine_cost(struct strata_cost *total, const struct strata_problem *problem,
                                  double bytes, const struct strata_machine *machine);
/* The cost of a pass for a rank that copies the shares out of the slots of `lanes` leaders. */
void strata_segments_copy_out_cost(struct strata_cost *total, const struct strata_problem *problem,
                                   int lanes, double bytes, const struct strata_machine *machine);
/* The cost of a leader's exchanges, of `bytes` bytes in each pass. Those to or from a root overlap:
 * no rank waits for the end of one before the next, so after the first they take as long as the
 * busiest leader needs for its messages. */
void strata_segments_exchange_cost(struct strata_cost *total, const struct strata_problem *problem,
                                   const struct strata_segments_shape *shape, double bytes,
                                   const struct strata_machine *machine);

#endif
