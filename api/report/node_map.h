/* A host in text, with the ranks on it, and what is wrong with where they are. */
#ifndef STRATA_API_REPORT_NODE_MAP_H
#define STRATA_API_REPORT_NODE_MAP_H

#include <stdio.h>

#include "intranode/placement.h"

struct strata_node_map {
    int ranks;
    /* [ranks] the first rank on the same host, and where it may run */
    const int *host;
    const struct strata_placement *placement;
    /* [ranks] OpenMP threads of each rank, 0 where the program has not said, and the processing
     * units that the rank may run on */
    const int *threads, *cpus;
};

/* Prints a line for each cache of rank `first`'s host that has ranks, with their numbers and
 * threads. Then warns of ranks that are bound to one core together, of ranks that are not bound
 * although the host has several caches, and of ranks whose threads cannot all run at a time.
 * Nothing where the hardware is not known. */
void strata_node_map_print(const struct strata_node_map *map, int first, FILE *file);

#endif
