/* What goes on between the nodes of a node-aware plan: a flat row, in which every node is a rank,
 * among leaders, one of each node for each lane. */
#ifndef STRATA_HIER_BETWEEN_H
#define STRATA_HIER_BETWEEN_H

#include "core/plan/algorithm.h"
#include "core/price/machine_cost.h"

struct strata_between {
    const struct strata_algorithm *row;
    struct strata_topology nodes;
    struct strata_problem problem; /* the row's: it refers to `nodes` */
    bool missing;                  /* the row has no such variant */
};

/* Of the flat rows that serve one of the collectives (bit 1 << enum strata_collective) the one of
 * this number, from 1; NULL after the last. Those that combine from left to right have no use for
 * what nodes have combined. */
const struct strata_algorithm *strata_between_at(unsigned collectives, int number);

/* The parameter that says which variant of it: what the first of its parameters is that nobody
 * gives a value. The others are as if it ran alone and nobody gave any. */
#define STRATA_VARIANT_PARAMETER                                                                   \
    {                                                                                              \
        .name = "variant", .automatic = 1, .least = 1, .most = 8,                                  \
        .choices = {1, 2, 3, 4, 5, 6, 7, 8}, .across = true,                                       \
        .meaning = "of what runs between the nodes: its parameter's n-th value, of those tried"    \
    }

/* The problem that this variant of the row solves between the nodes, where they do that collective.
 */
void strata_between_of(struct strata_between *n, const struct strata_problem *problem,
                       enum strata_collective collective, const struct strata_algorithm *row,
                       int variant);

/* NULL when it can, else the reason in words. */
const char *strata_between_refusal(const struct strata_between *n);

/* What the rank's node does in it, for a plan of `b`; destroyed by whoever asked. NULL: there is no
 * memory, which the builder knows. */
struct strata_plan *strata_between_plan(const struct strata_between *n, struct strata_builder *b);

/* The blocks of so many positions in a store: of the slot store, in the slot of my node's leader.
 */
struct strata_box strata_between_box(const struct strata_problem *problem, enum strata_store store,
                                     int first, int count);

/* Those of my node, from a store to another. */
void strata_between_copy(const struct strata_problem *problem, enum strata_store from,
                         enum strata_store into, struct strata_builder *b);

/* Where the blocks lie that such a row takes as its input, brings to its output and works on: a
 * node's are those of its ranks, as they follow each other by position. */
struct strata_between_stores {
    enum strata_store input, output, work;
};
/* Appends what the rank does in it, which leads its node on lane 0. */
void strata_between_build(const struct strata_between *n, const struct strata_problem *problem,
                          const struct strata_between_stores *stores, struct strata_builder *b);

/* NULL when there are nodes of several ranks, else the reason in words. */
const char *strata_between_node_refusal(const struct strata_problem *problem);
/* NULL when blocks can go through the node's shared store: nodes have several ranks, a block fits
 * in a slot, and those of the other nodes in the landing; else the reason in words. */
const char *strata_between_shared_refusal(const struct strata_problem *problem);

/* The longest slices of blocks that can. */
size_t strata_between_slice(const struct strata_problem *problem);

/* NULL when the result can lie once in a node: nodes have several ranks, and memory for signals;
 * else the reason in words. */
const char *strata_between_once_refusal(const struct strata_problem *problem);

/* Of gatherv and scatterv only the root knows lengths; others are told, by the same plan
 * (api/call/lengths.c), or in slots. */
static inline bool strata_between_told(const struct strata_problem *problem)
{
    const struct strata_collective_info *info = &strata_collective_info[problem->collective];
    return info->varying && info->root != '-';
}
/* What a call costs by a plan that is priced so for blocks of so many bytes; with what it takes to
 * tell lengths, by the same plan, where they are told. */
typedef struct strata_cost strata_between_price(const struct strata_problem *problem, double bytes,
                                                const struct strata_machine *machine);
struct strata_cost strata_between_told_cost(const struct strata_problem *problem,
                                            strata_between_price *price,
                                            const struct strata_machine *machine);
/* The ring of such a plan in one node: the middle one where its slots hold what those of the large
 * one do. Which blocks come is not known, so it is the same for all. */
enum strata_ring_kind strata_between_told_ring(const struct strata_problem *problem);
/* Longer blocks than so many bytes do not go through a slot of it; 0: not even the lengths fit.
 * Whether those between mates are lent: members can read each other's memory, and slots have room
 * to say where they lie, which is then left out of it. */
bool strata_between_lends(const struct strata_problem *problem);
size_t strata_between_threshold(const struct strata_problem *problem);
/* Tells the plan, whose blocks are to come, what goes through slots and what is lent. */
void strata_between_divide(const struct strata_problem *problem, struct strata_builder *b);
/* NULL when lengths fit, and blocks where something is known of the longest; else the reason. */
const char *strata_between_threshold_refusal(const struct strata_problem *problem);

/* The local index of a lane's leader; the root leads its node on lane 0. */
int strata_between_leader(const struct strata_problem *problem, int node, int lane);

#endif
