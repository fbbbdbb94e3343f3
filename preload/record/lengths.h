/* Calls whose lengths are vectors, in the numbers that an entry has room for. */
#ifndef STRATA_PRELOAD_RECORD_LENGTHS_H
#define STRATA_PRELOAD_RECORD_LENGTHS_H

#include <mpi.h>
#include <stddef.h>

#include "core/record/record.h"

/* The blocks of one side: so many elements for each rank, all of *types or each of its own type. */
struct recorder_blocks {
    const void *counts; /* int or MPI_Count */
    size_t width;       /* of a count, in bytes */
    const MPI_Datatype *types;
    int step; /* from one rank's type to the next one's: 0 or 1 */
};
#define RECORDER_BLOCKS(counts_, types_, step_)                                                    \
    (&(const struct recorder_blocks){                                                              \
        .counts = (counts_), .width = sizeof *(counts_), .types = (types_), .step = (step_)})

/* The bytes of the mean block, rounded down; 0 between two groups, or where nobody knows how many
 * blocks there are. */
uint64_t recorder_mean(const struct strata_record_communicator *row,
                       const struct recorder_blocks *blocks);

#endif
