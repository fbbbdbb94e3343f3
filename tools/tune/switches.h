/* The switches between the nodes of a measurement, where the launcher tells them. */
#ifndef STRATA_TOOLS_TUNE_SWITCHES_H
#define STRATA_TOOLS_TUNE_SWITCHES_H

#include <stdbool.h>

#include "tools/tune/places.h"
#include "tools/tune/tune.h"

/* A node below its switches, the topmost first: "core.leaf3/node17"; "": nothing tells them. */
struct tool_below {
    char path[256];
};

/* From what Slurm tells (strata_config_slurm_switches): "core.leaf3.node17" and
 * "switch.switch.node"; NULL: nothing. */
struct tool_below tool_below_of(const char *names, const char *kinds);
/* Whether each node was told a place of its own. Variables that the first node's launcher passes on
 * to all nodes tell no place of the others. */
bool tool_below_known(const struct tool_below *below, int nodes);
/* The levels of switches between two nodes that were told their places: 1 below one leaf. */
int tool_below_levels(const struct tool_below *a, const struct tool_below *b);
/* Pairs nodes that have so many levels between them: partner[node] is another one, or -1. Returns
 * the number of pairs. */
int tool_below_pair(const struct tool_below *below, int nodes, int levels, int *partner);

/* How nodes are paired at each number of levels. */
struct tool_switches {
    int pairs[TOOL_SWITCHES];   /* with 1, 2, ... levels; all 0 where no two leaves are known */
    int partner[TOOL_SWITCHES]; /* the node with which mine makes one of them; -1: none */
};

/* Rank 0 gathers what each node was told, makes the pairs, and tells all others. Collective over
 * MPI_COMM_WORLD. */
void tool_switches_find(const struct tool_places *places, struct tool_switches *switches);

#endif
