/* Calls of Strata's collectives that `strata tune calls` times. */
#ifndef STRATA_TOOLS_TUNE_PERFORMED_H
#define STRATA_TOOLS_TUNE_PERFORMED_H

#include <stdbool.h>

#include "tools/tune/lengths.h"

/* One collective on MPI_COMM_WORLD: root 0, MPI_BYTE, or sums of MPI_DOUBLE. */
struct tool_performed {
    enum strata_collective collective;
    int count; /* elements of this rank's block, or of the vector */
    void *sent, *received;
    int *sends, *send_places; /* alltoallv, alltoallw: of the blocks to each rank, in elements */
    int *counts, *places;     /* of the blocks from each rank, or to each that a root sends */
    void *types;              /* [ranks] MPI_Datatype */
};

/* Returns false without memory; rank by rank. */
bool tool_performed_make(struct tool_performed *p, const struct tool_lengths *lengths, int rank);
void tool_performed_free(struct tool_performed *p);
/* Makes the call. Returns MPI's error. */
int tool_perform(const struct tool_performed *p);

#endif
