/* Calls whose lengths are vectors, in the numbers that an entry has room for. */
#ifndef STRATA_PRELOAD_RECORD_LENGTHS_H
#define STRATA_PRELOAD_RECORD_LENGTHS_H

#include "preload/record/recorder.h"

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

/* What is said of blocks that a rank of `comm` sends and receives. They have no lengths where it is
 * a communicator of two groups, or nobody knows how many blocks there are. */
struct recorder_lengths recorder_exchange(const struct strata_record_communicator *row,
                                          MPI_Comm comm, const struct recorder_blocks *sent,
                                          const struct recorder_blocks *received);
/* The same of the parts of a vector, which all ranks give alike. */
struct recorder_lengths recorder_parts(const struct strata_record_communicator *row,
                                       const struct recorder_blocks *parts);
/* The elements of this rank's own block. 0: no list tells them. */
int64_t recorder_own(const struct strata_record_communicator *row, MPI_Comm comm,
                     const struct recorder_blocks *blocks);

#endif
