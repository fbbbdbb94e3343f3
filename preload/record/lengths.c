/* What is not an array, or of no datatype, has no bytes: MPI says what is wrong with it. */
#include "preload/record/lengths.h"

#include "core/base/buckets.h"
#include "core/plan/formats.h"
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

/* One side, as far as its blocks were looked at. */
struct side {
    const struct recorder_blocks *blocks;
    MPI_Datatype type; /* of the last block, and its size */
    uint64_t type_size;
    uint64_t bytes, longest;
    uint64_t with_bytes; /* ranks that have some */
};

static struct side side_of(const struct recorder_blocks *blocks)
{
    return (struct side){.blocks = blocks, .type = MPI_DATATYPE_NULL};
}

static inline void add(struct side *s, uint32_t rank)
{
    const struct recorder_blocks *b = s->blocks;
    const int64_t count = b->counts && b->types ? count_at(b, rank) : 0;
    if (count > 0) {
        const MPI_Datatype type = b->types[rank * (uint32_t)b->step];
        s->type_size = type != s->type ? size_of(type) : s->type_size;
        s->type = type;
        const uint64_t bytes = (uint64_t)count * s->type_size;
        s->bytes += bytes;
        s->longest = bytes > s->longest ? bytes : s->longest;
        s->with_bytes += bytes > 0;
    }
}

static uint32_t ranks_of(const struct strata_record_communicator *row)
{
    return row->inter ? 0 : row->ranks;
}

static int degree_class(uint64_t degree, uint32_t ranks)
{
    const int bucket = strata_bucket_of_bytes(degree);
    return !strata_degree_is_few(degree, (int)ranks) ? STRATA_RECORD_MANY
           : bucket < STRATA_RECORD_MANY             ? bucket
                                                     : STRATA_RECORD_MANY - 1;
}

struct recorder_lengths recorder_exchange(const struct strata_record_communicator *row,
                                          MPI_Comm comm, const struct recorder_blocks *sent,
                                          const struct recorder_blocks *received)
{
    const uint32_t ranks = ranks_of(row);
    struct side out = side_of(sent), in = side_of(received);
    struct side own_out = out, own_in = in;
    int self = -1;
    if (ranks == 0 || PMPI_Comm_rank(comm, &self) != MPI_SUCCESS) {
        return recorder_many(0);
    }
    for (uint32_t r = 0; r < ranks; r++) {
        add(&out, r);
        add(&in, r);
    }
    add(&own_out, (uint32_t)self);
    add(&own_in, (uint32_t)self);
    const uint64_t to = out.with_bytes - own_out.with_bytes;
    const uint64_t from = in.with_bytes - own_in.with_bytes;
    const uint64_t degree = to > from ? to : from;
    return (struct recorder_lengths){
        out.bytes / ranks, STRATA_RECORD_LENGTHS(strata_bucket_of_bytes(out.longest),
                                                 strata_bucket_of_mean((double)in.bytes / ranks),
                                                 degree_class(degree, ranks))};
}

struct recorder_lengths recorder_parts(const struct strata_record_communicator *row,
                                       const struct recorder_blocks *parts)
{
    const uint32_t ranks = ranks_of(row);
    struct side all = side_of(parts);
    for (uint32_t r = 0; r < ranks; r++) {
        add(&all, r);
    }
    return (struct recorder_lengths){
        ranks > 0 ? all.bytes / ranks : 0,
        STRATA_RECORD_LENGTHS(strata_bucket_of_bytes(all.longest), 0, 0)};
}

int64_t recorder_own(const struct strata_record_communicator *row, MPI_Comm comm,
                     const struct recorder_blocks *blocks)
{
    int self = -1;
    const bool known = ranks_of(row) > 0 && blocks->counts &&
                       PMPI_Comm_rank(comm, &self) == MPI_SUCCESS && self >= 0;
    return known ? count_at(blocks, (uint32_t)self) : 0;
}
