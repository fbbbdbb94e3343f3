/* Calls of Strata's collectives that `strata tune calls` times. */
#ifndef STRATA_TOOLS_TUNE_PERFORMED_H
#define STRATA_TOOLS_TUNE_PERFORMED_H

#include <stdbool.h>
#include <stdint.h>

#include "core/plan/collective.h"

/* One collective on MPI_COMM_WORLD: equal blocks, root 0, MPI_BYTE, or sums of MPI_DOUBLE. */
struct tool_performed {
    enum strata_collective collective;
    int count, ranks; /* elements of a block, or of the vector */
    void *sent, *received;
    int *counts, *places; /* of the blocks, in elements */
    void *types;          /* [ranks] MPI_Datatype */
};

/* Bytes of a block or vector. Returns false without memory; rank by rank. */
bool tool_performed_make(struct tool_performed *p, enum strata_collective collective, int64_t bytes,
                         int ranks);
void tool_performed_free(struct tool_performed *p);
/* Makes the call. Returns MPI's error. */
int tool_perform(const struct tool_performed *p);

#endif
