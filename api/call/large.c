#include "api/call/large.h"

#include "api/call/native_table.h"

#if STRATA_STARTS_LARGE

#define BLOCKS(side)  s->side.buffer, s->side.count, s->side.type
#define VARYING(side) s->side.buffer, s->side.large_counts, s->side.large_displs, s->side.type
#define TYPED(side)   s->side.buffer, s->side.large_counts, s->side.large_displs, s->side.types
#define OPERANDS      s->send.buffer, s->recv.buffer, s->send.count, s->send.type, s->op
#define PARTS         s->send.buffer, s->recv.buffer, s->send.large_counts, s->send.type, s->op

/* A barrier has no counts, and does not come here. */
int strata_native_large(const struct strata_signature *s)
{
    switch (s->collective) {
#define LARGE_CASE(id, Name, name, ...)                                                            \
    case STRATA_##id:                                                                              \
        return PMPI_##Name##_c(__VA_ARGS__);
        STRATA_NATIVE_TABLE(LARGE_CASE)
#undef LARGE_CASE
    default:
        return MPI_ERR_INTERN;
    }
}

int strata_native_start_large(const struct strata_signature *s, MPI_Request *request)
{
    switch (s->collective) {
#define LARGE_CASE(id, Name, name, ...)                                                            \
    case STRATA_##id:                                                                              \
        return PMPI_I##name##_c(__VA_ARGS__, request);
        STRATA_NATIVE_TABLE(LARGE_CASE)
#undef LARGE_CASE
    default:
        return MPI_ERR_INTERN;
    }
}

#else

static int (*const made_of[STRATA_COLLECTIVE_COUNT])(const struct strata_signature *) = {
    [STRATA_ALLTOALL] = strata_large_blocks,
    [STRATA_ALLTOALLV] = strata_large_varying,
    [STRATA_ALLTOALLW] = strata_large_varying,
    [STRATA_ALLGATHER] = strata_large_blocks,
    [STRATA_ALLGATHERV] = strata_large_varying,
    [STRATA_BCAST] = strata_large_blocks,
    [STRATA_GATHER] = strata_large_blocks,
    [STRATA_GATHERV] = strata_large_varying,
    [STRATA_SCATTER] = strata_large_blocks,
    [STRATA_SCATTERV] = strata_large_varying,
    [STRATA_REDUCE] = strata_large_vector,
    [STRATA_ALLREDUCE] = strata_large_vector,
    [STRATA_REDUCE_SCATTER] = strata_large_scattered,
    [STRATA_REDUCE_SCATTER_BLOCK] = strata_large_scattered,
    [STRATA_SCAN] = strata_large_vector,
    [STRATA_EXSCAN] = strata_large_vector,
};

/* A barrier has no counts, and does not come here. */
int strata_native_large(const struct strata_signature *s)
{
    return made_of[s->collective] ? made_of[s->collective](s) : MPI_ERR_INTERN;
}

int strata_native_start_large(const struct strata_signature *s, MPI_Request *request)
{
    (void)s, (void)request;
    return MPI_ERR_INTERN;
}

#endif
