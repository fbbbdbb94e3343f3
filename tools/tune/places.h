/* Where the ranks of a measurement are. */
#ifndef STRATA_TOOLS_TUNE_PLACES_H
#define STRATA_TOOLS_TUNE_PLACES_H

#include <stddef.h>

struct tool_places {
    int rank, nodes; /* in MPI_COMM_WORLD */
    int node, local; /* the number of my node, and mine in it */
    int members;     /* ranks of the smallest node */
};

/* Collective over MPI_COMM_WORLD. */
void tool_places_find(struct tool_places *places);
/* The names of the hosts, as far as there is room, and of the MPI, in texts that a line of a file
 * may have. Rank 0 has them then. Collective over MPI_COMM_WORLD. */
void tool_places_name(const struct tool_places *places, char *hosts, size_t hosts_size, char *mpi,
                      size_t mpi_size);

#endif
