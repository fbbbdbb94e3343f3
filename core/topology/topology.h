/* Topology as data: which ranks share a node, and which ranks of a node share a NUMA domain.
 *
 * Ranks are endpoints of one communicator, by their numbers. A rank's position is its place in
 * node-major order: all ranks of node 0 in rank order, then those of node 1, and so on. A rank's
 * local index is its place inside its node. */
#ifndef STRATA_CORE_TOPOLOGY_TOPOLOGY_H
#define STRATA_CORE_TOPOLOGY_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/error.h"

struct strata_topology {
    int ranks, nodes;
    int largest, smallest; /* ranks of the largest and the smallest node */
    int numa_levels;       /* 1 where a NUMA level is known, else 0 */
    int *node_of;          /* [ranks] node of each rank */
    int *local_of;         /* [ranks] local index of each rank */
    int *numa_of;          /* [ranks] NUMA domain inside the node; 0 where none is known */
    int *first;            /* [nodes + 1] first position of each node */
    int *rank_at;          /* [ranks] rank at each position */
};

/* Reads a topology for `ranks` ranks (core/topology/topology_text.c). Levels are separated by
 * spaces:
 *   node:4            four nodes of near-equal size, larger ones first
 *   node:3,3,2        sizes listed; the sum must be `ranks`
 *   node:4:cyclic     ranks dealt to the nodes in turn
 *   numa:2            each node's ranks in two domains of near-equal size (also numa:2,1 and
 *                     :cyclic)
 *   rank:8            states the number of ranks (checked against `ranks`; with ranks = 0 it sets
 *                     it)
 * Errors: STRATA_ERR_SYNTAX (message says what is allowed), STRATA_ERR_MEMORY. */
int strata_topology_parse(const char *text, int ranks, struct strata_topology **topology,
                          struct strata_diagnostic *message);

/* Makes a topology from any colours: ranks with equal node colour share a node. Nodes are numbered
 * by their smallest rank. numa may be NULL. */
int strata_topology_from_colours(int ranks, const int *node, const int *numa,
                                 struct strata_topology **topology);

/* Makes every rank a node of its own, in rank order. Flat algorithms see this topology. */
int strata_topology_flat(int ranks, struct strata_topology **topology);

/* The topology of a sub-communicator whose rank i is rank member[i] of `world`. */
int strata_topology_restrict(const struct strata_topology *world, int ranks, const int *member,
                             struct strata_topology **topology);

void strata_topology_destroy(struct strata_topology *topology); /* accepts NULL */

/* One line such as "8 ranks on 4 nodes (2 each), block order" (core/topology/topology_text.c);
 * returns as snprintf. */
int strata_topology_describe(const struct strata_topology *topology, char *text, size_t size);

static inline int strata_topology_node_size(const struct strata_topology *t, int node)
{
    return t->first[node + 1] - t->first[node];
}

static inline int strata_topology_position(const struct strata_topology *t, int rank)
{
    return t->first[t->node_of[rank]] + t->local_of[rank];
}

/* Whether positions are ranks: the ranks of each node follow each other, and nodes are in the order
 * of their ranks. */
bool strata_topology_in_order(const struct strata_topology *t);
/* The largest power of two b such that each group of b consecutive ranks from rank 0 on lies on one
 * node; 1 where positions are not ranks, and where there is only one node. */
int strata_topology_run(const struct strata_topology *t);

/* The rank with local index `local` on `node`. */
static inline int strata_topology_rank(const struct strata_topology *t, int node, int local)
{
    return t->rank_at[t->first[node] + local];
}

/* Lanes: a destination with local index i is served on lane i mod lanes; lane j of a node with m
 * ranks is led by its member j mod m. */
static inline int strata_lane_leader(const struct strata_topology *t, int node, int lane)
{
    return lane % strata_topology_node_size(t, node);
}

/* The number of destinations of `node` that lane `lane` of `lanes` serves. */
static inline int strata_lane_width(const struct strata_topology *t, int node, int lane, int lanes)
{
    int size = strata_topology_node_size(t, node);
    return lane < size ? (size - lane + lanes - 1) / lanes : 0;
}

#endif
