/* Which two ranks of a node measure the messages over each distance inside it. */
#ifndef STRATA_TOOLS_TUNE_INNER_H
#define STRATA_TOOLS_TUNE_INNER_H

#include "core/topology/topology.h"
#include "intranode/hardware.h"
#include "tools/tune/places.h"
#include "tools/tune/tune.h"

/* What a rank says of its place. */
struct tool_inner_place {
    int node; /* its number */
    struct strata_place place;
    struct strata_objects objects; /* of its host */
    int units;                     /* processing units of its host */
    int first, last; /* of the processing units that it may run on; on a host that is not real,
                        those of its core */
};

/* The smallest object that two ranks of a node share; TOOL_INNERS: nobody knows, or they take turns
 * on a processing unit. */
enum tool_inner_distance tool_inner_of(const struct tool_inner_place *a,
                                       const struct tool_inner_place *b);
/* Pairs the first two such ranks of each node: partner[rank] is another one, or -1. Tells their
 * number and the first, or why there is none. */
void tool_inner_pair(const struct tool_inner_place *places, const struct strata_topology *nodes,
                     enum tool_inner_distance distance, struct tool_inner *inner, int *partner);

/* The ranks that measure each distance. */
struct tool_inner_pairs {
    struct tool_inner inner[TOOL_INNERS]; /* their number, the first pair, why there is none */
    int partner[TOOL_INNERS];             /* the rank with which mine makes a pair; -1: none */
};

/* Rank 0 gathers where all ranks are, makes the pairs, and tells them to all. Collective over
 * MPI_COMM_WORLD. */
void tool_inner_find(const struct tool_places *places, struct tool_inner_pairs *pairs);

#endif
