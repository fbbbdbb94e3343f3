/* A host with the ranks on it: in text, with what is wrong with where they are, and as a
 * picture. */
#ifndef STRATA_API_REPORT_NODE_MAP_H
#define STRATA_API_REPORT_NODE_MAP_H

#include <stdio.h>

#include "intranode/placement.h"

#define STRATA_NEAR_ADAPTER "near the network adapter"

struct strata_node_map {
    int ranks;
    /* [ranks] the first rank on the same host, and where it may run */
    const int *host;
    const struct strata_placement *placement;
    /* [ranks] OpenMP threads of each rank, 0 where the program has not said, and the processing
     * units that the rank may run on */
    const int *threads, *cpus;
    const int *member;                      /* [ranks] the number of each rank in its node */
    const struct strata_hardware *hardware; /* of the host that is drawn */
};

static inline const char *strata_plural(int count)
{
    return count == 1 ? "" : "s";
}

/* Prints a line for each cache of rank `first`'s host that has ranks, with their numbers and
 * threads. Then warns of ranks that are bound to one core together, of ranks that are not bound
 * although the host has several caches, and of ranks whose threads cannot all run at a time.
 * Nothing where the hardware is not known. */
void strata_node_map_print(const struct strata_node_map *map, int first, FILE *file);

/* Draws rank `first`'s host as SVG: packages, NUMA domains, last-level caches and cores as boxes in
 * boxes, each rank on its core or in the smallest box that holds all its cores. The hardware must
 * be known (node_picture.c). */
void strata_node_map_draw(const struct strata_node_map *map, int first, FILE *file);

#endif
