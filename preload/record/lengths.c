/* What is not an array, or of no datatype, has no bytes: MPI says what is wrong with it. */
#include "preload/record/lengths.h"

#include "internode/mpi/renamed_mpi.h"

static int64_t count_at(const struct recorder_blocks *b, uint32_t rank)
{
    return b->width > sizeof(int) ? ((const MPI_Count *)b->counts)[rank]
                                  : ((const int *)b->counts)[rank];
}

static uint64_t size_of(MPI_Datatype type)
{
    MPI_Count size = 0;
    const bool known =
        type != MPI_DATATYPE_NULL && strata_type_size(type, &size) == MPI_SUCCESS && size > 0;
    return known ? (uint64_t)size : 0;
}

/* The datatype whose size was asked for last. */
struct sized {
    MPI_Datatype type;
    uint64_t bytes;
};

static uint64_t bytes_at(const struct recorder_blocks *b, uint32_t rank, struct sized *last)
{
    const int64_t count = b->counts && b->types ? count_at(b, rank) : 0;
    const MPI_Datatype type = count > 0 ? b->types[rank * (uint32_t)b->step] : last->type;
    if (type != last->type) {
        *last = (struct sized){type, size_of(type)};
    }
    return count > 0 ? (uint64_t)count * last->bytes : 0;
}

uint64_t recorder_mean(const struct strata_record_communicator *row,
                       const struct recorder_blocks *blocks)
{
    struct sized last = {MPI_DATATYPE_NULL, 0};
    const uint32_t ranks = row->inter ? 0 : row->ranks;
    uint64_t bytes = 0;
    for (uint32_t r = 0; r < ranks; r++) {
        bytes += bytes_at(blocks, r, &last);
    }
    return ranks > 0 ? bytes / ranks : 0;
}
