/* Topology as data: which ranks share a node, and which ranks of a node share a package, a NUMA
 * domain, a last-level cache.
 *
 * Ranks are endpoints of one communicator, by their numbers. A rank's position is its place in
 * node-major order: all ranks of node 0 in rank order, then those of node 1, and so on. A rank's
 * local index is its place inside its node. */
#ifndef STRATA_CORE_TOPOLOGY_TOPOLOGY_H
#define STRATA_CORE_TOPOLOGY_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"

/* The levels inside a node, each of which divides the one before it. */
enum strata_inner_level { STRATA_PACKAGE, STRATA_DOMAIN, STRATA_CACHE, STRATA_INNER_LEVELS };

/* For each level the colours of ranks, of any values: ranks of equal colour share the object of the
 * level if they share the next larger one. NULL: not known. */
struct strata_inner_colours {
    const int *of[STRATA_INNER_LEVELS];
    const int *near; /* not 0 for ranks of a package or domain that has a network adapter; NULL: no
                        adapter is known */
};

struct strata_topology {
    int ranks, nodes;
    int largest, smallest; /* ranks of the largest and the smallest node */
    int row;               /* of the largest node, if positions are ranks; else 0 */
    int run;               /* the largest power of two b such that each group of b consecutive ranks
                              from rank 0 on lies on one node; 1 where positions are not ranks, and
                              where there is only one node */
    bool dealt;            /* to the nodes in turn, equally many to each */
    int *node_of;          /* [ranks] node of each rank */
    int *local_of;         /* [ranks] local index of each rank */
    /* [ranks] package, domain and cache of each rank, numbered over the node in order of their
     * first ranks. Where a level is not known, it is not `known`, and the array is that of the next
     * larger level, or all zeros. */
    const int *inner_of[STRATA_INNER_LEVELS];
    bool known[STRATA_INNER_LEVELS];
    /* Of the busiest rank's node: the most objects of each level in one object of the next larger
     * level; and the most members of a cache. */
    int widest[STRATA_INNER_LEVELS + 1];
    int *first;   /* [nodes + 1] first position of each node */
    int *rank_at; /* [ranks] rank at each position */
    /* Turns are another order of each node's members, in which lanes are given to them: the
     * packages take turns, the domains of each package, the caches of each domain, and the members
     * of each cache. Objects with ranks near a network adapter come before others. Where no level
     * is known, and in a single node, turns are local indices. */
    const int *turn_of; /* [ranks] each rank's place in that order of its node */
    const int *in_turn; /* [ranks] the ranks of each node in that order, nodes as in rank_at */
    const int *near;    /* [ranks] 1 for ranks near a network adapter; NULL: none is known */
};

/* Reads a topology for `ranks` ranks (core/topology/topology_text.c). Levels are separated by
 * spaces:
 *   node:4            four nodes of near-equal size, larger ones first
 *   node:3,3,2        sizes listed; the sum must be `ranks`
 *   node:4:cyclic     ranks dealt to the nodes in turn
 *   package:2         each node's ranks in two packages of near-equal size (also package:2,1 and
 *                     :cyclic)
 *   domain:4          each package's ranks, or the node's, in four NUMA domains; numa:4 is the same
 *   cache:2           the ranks of each domain, or of the next larger level, in two last-level
 *                     caches
 *   adapter:2         the second domain of each node has the network adapter; or the second
 *                     package, where no domains are given
 *   rank:8            states the number of ranks (checked against `ranks`; with ranks = 0 it sets
 *                     it)
 * Errors: STRATA_ERR_SYNTAX (message says what is allowed), STRATA_ERR_MEMORY. */
int strata_topology_parse(const char *text, int ranks, struct strata_topology **topology,
                          struct strata_diagnostic *message);

/* Makes a topology from any colours: ranks with equal node colour share a node. Nodes are numbered
 * by their smallest rank. inner may be NULL. */
int strata_topology_from_colours(int ranks, const int *node,
                                 const struct strata_inner_colours *inner,
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
static inline bool strata_topology_in_order(const struct strata_topology *t)
{
    return t->row > 0;
}

/* The rank whose plan decides how long a call takes: the first member of the first largest node. */
int strata_busiest_rank(const struct strata_topology *t);
/* Whether the members of each object inside the nodes follow each other. */
bool strata_topology_inside_in_order(const struct strata_topology *t);
/* The most ranks of a node for which the rank `distance` further on, modulo all ranks, is on
 * another node. Where ranks lie neither in rows nor dealt, all of a node count. */
int strata_topology_leaving(const struct strata_topology *t, int64_t distance);
/* The same for the rank whose number differs by the bit `distance`. */
int strata_topology_leaving_crosswise(const struct strata_topology *t, int64_t distance);
/* The same for the rank that is `distance` further on for even ranks, and as far before odd
 * ones. */
int strata_topology_leaving_swinging(const struct strata_topology *t, int64_t distance);

/* The rank with local index `local` on `node`. */
static inline int strata_topology_rank(const struct strata_topology *t, int node, int local)
{
    return t->rank_at[t->first[node] + local];
}

/* The number of the rank's object of the level, in the order of the objects' first members. Below
 * the levels each member is an object; above them, at level -1, there is one. */
static inline int strata_topology_object(const struct strata_topology *t, int rank, int level)
{
    return level == STRATA_INNER_LEVELS ? t->local_of[rank]
           : level < 0                  ? 0
                                        : t->inner_of[level][rank];
}

/* Whether any level inside the nodes is known. */
static inline bool strata_topology_has_levels(const struct strata_topology *t)
{
    return t->known[STRATA_PACKAGE] || t->known[STRATA_DOMAIN] || t->known[STRATA_CACHE];
}

/* How many levels of a largest node, members among them, have several objects in one of the next
 * larger level. */
static inline int strata_topology_depth(const struct strata_topology *t)
{
    int depth = 0;
    for (int level = 0; level <= STRATA_INNER_LEVELS; level++) {
        depth += t->widest[level] > 1;
    }
    return depth;
}

/* How far apart two ranks of a node are: the largest level at which they lie in different objects;
 * STRATA_INNER_LEVELS: none. */
static inline int strata_topology_distance(const struct strata_topology *t, int a, int b)
{
    int level = 0;
    while (level < STRATA_INNER_LEVELS && t->inner_of[level][a] == t->inner_of[level][b]) {
        level++;
    }
    return level;
}

/* The local index of the member of `node` whose turn it is. */
static inline int strata_topology_in_turn(const struct strata_topology *t, int node, int turn)
{
    return t->local_of[t->in_turn[t->first[node] + turn]];
}

/* Lanes: a destination whose turn is i is served on lane i mod lanes; lane j of a node with m
 * ranks is led by the member whose turn is j mod m. So the leader of a lane is its first
 * destination, and where lanes are as many as objects of a level, it shares one with the others. */
static inline int strata_lane_leader(const struct strata_topology *t, int node, int lane)
{
    return strata_topology_in_turn(t, node, lane % strata_topology_node_size(t, node));
}

/* The number of destinations of `node` that lane `lane` of `lanes` serves. */
static inline int strata_lane_width(const struct strata_topology *t, int node, int lane, int lanes)
{
    int size = strata_topology_node_size(t, node);
    return lane < size ? (size - lane + lanes - 1) / lanes : 0;
}

#endif
