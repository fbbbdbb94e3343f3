/* The part of a node-aware plan that runs between nodes: a flat algorithm, in which every node is a
 * rank, among leaders, one of each node for each lane. */
#ifndef STRATA_HIER_BETWEEN_H
#define STRATA_HIER_BETWEEN_H

#include "core/cost/machine_cost.h"
#include "core/plan/algorithm.h"

struct strata_between {
    const struct strata_algorithm *algorithm;
    struct strata_topology nodes;
    struct strata_problem problem; /* of that algorithm: it refers to `nodes` */
    bool missing;                  /* the algorithm has no such variant */
};

/* Number `number`, from 1, of the flat algorithms that serve one of the collectives (bit 1 << enum
 * strata_collective); NULL after the last. Algorithms that combine from left to right are left out,
 * for nodes hand on combined operands. */
const struct strata_algorithm *strata_between_at(unsigned collectives, int number);

/* The parameter that chooses a variant: the value of the first of the algorithm's parameters that
 * has no automatic value. The others have the values that they would have if it ran alone. */
#define STRATA_VARIANT_PARAMETER                                                                   \
    {                                                                                              \
        .name = "variant", .automatic = 1, .least = 1, .most = 8,                                  \
        .choices = {1, 2, 3, 4, 5, 6, 7, 8}, .across = true,                                       \
        .meaning = "of what runs between the nodes: its parameter's n-th value, of those tried"    \
    }

/* Fills *n for this variant of the algorithm, where the nodes do that collective. */
void strata_between_of(struct strata_between *n, const struct strata_problem *problem,
                       enum strata_collective collective, const struct strata_algorithm *algorithm,
                       int variant);

/* NULL when the algorithm serves its problem, else the reason in words. */
const char *strata_between_refusal(const struct strata_between *n);

/* The plan of this rank's node, to embed in a plan of `b`. The caller destroys it. NULL: there is
 * no memory, and the builder knows it. */
struct strata_plan *strata_between_plan(const struct strata_between *n, struct strata_builder *b);

/* The blocks of `count` positions in a store; in the slot store, those in the slot of this node's
 * leader. */
struct strata_box strata_between_box(const struct strata_problem *problem, enum strata_store store,
                                     int first, int count);

/* Copies the blocks of this node from one store to another. */
void strata_between_copy(const struct strata_problem *problem, enum strata_store from,
                         enum strata_store into, struct strata_builder *b);

/* The stores of the flat algorithm's input, output and work. A node's block there is the blocks of
 * its ranks, which follow each other by position. */
struct strata_between_stores {
    enum strata_store input, output, work;
};
/* Appends the steps of this rank, which leads its node on lane 0. */
void strata_between_build(const struct strata_between *n, const struct strata_problem *problem,
                          const struct strata_between_stores *stores, struct strata_builder *b);

/* NULL when there are nodes with several ranks, else the reason in words. */
const char *strata_between_node_refusal(const struct strata_problem *problem);
/* NULL when blocks can go through the node's shared store, else the reason in words. Nodes must
 * have several ranks, a block must fit in a slot, and the blocks of the other nodes in the landing.
 */
const char *strata_between_shared_refusal(const struct strata_problem *problem);

/* The longest slices of blocks that can go through the node's shared store. */
size_t strata_between_slice(const struct strata_problem *problem);

/* NULL when the result can lie once in a node, else the reason in words. Nodes must have several
 * ranks, and memory for signals. */
const char *strata_between_once_refusal(const struct strata_problem *problem);

/* Whether the root must tell lengths: in gatherv and scatterv only the root knows them. The same
 * plan tells them (api/call/lengths.c), or the slots do. */
static inline bool strata_between_sends_lengths(const struct strata_problem *problem)
{
    const struct strata_collective_info *info = &strata_collective_info[problem->collective];
    return info->varying && info->root != '-';
}
/* The cost of a call whose plan costs `cost` for blocks of `bytes` bytes; where lengths must be
 * told, with the cost of telling them, by the same plan. */
typedef struct strata_cost strata_between_cost(const struct strata_problem *problem, double bytes,
                                               const struct strata_machine *machine);
struct strata_cost strata_between_lengths_cost(const struct strata_problem *problem,
                                               strata_between_cost *cost,
                                               const struct strata_machine *machine);
/* The ring of such a plan in one node: the middle ring, where its slots hold as much as those of
 * the large one. The lengths of the blocks are not known, so the ring is the same for all. */
enum strata_ring_kind strata_between_lengths_ring(const struct strata_problem *problem);
/* strata_between_threshold: blocks of more bytes do not go through a slot of that ring; 0: not even
 * the lengths fit. strata_between_exposes: whether blocks between local peers are exposed instead.
 * This needs members that can read each other's memory, and bytes in the slots that say where
 * blocks lie, which the threshold leaves free. */
bool strata_between_exposes(const struct strata_problem *problem);
size_t strata_between_threshold(const struct strata_problem *problem);
/* Tells the plan which blocks go through slots and which are exposed. Its blocks are appended
 * later. */
void strata_between_divide(const struct strata_problem *problem, struct strata_builder *b);
/* NULL when the lengths fit in a slot, and also the longest block where its length is known; else
 * the reason in words. */
const char *strata_between_threshold_refusal(const struct strata_problem *problem);

/* The local index of a lane's leader; the root leads its node on lane 0. */
int strata_between_leader(const struct strata_problem *problem, int node, int lane);

#endif
