#include "api/call/large.h"

#if MPI_VERSION >= 4

#define BLOCKS(side)  s->side.buffer, s->side.count, s->side.type
#define VARYING(side) s->side.buffer, s->side.large_counts, s->side.large_displs, s->side.type
#define TYPED(side)   s->side.buffer, s->side.large_counts, s->side.large_displs, s->side.types
#define OPERANDS      s->send.buffer, s->recv.buffer, s->send.count, s->send.type, s->op
#define PARTS         s->send.buffer, s->recv.buffer, s->send.large_counts, s->send.type, s->op

#define LARGE_TABLE(ROW)                                                                           \
    ROW(ALLTOALL, PMPI_Alltoall_c(BLOCKS(send), BLOCKS(recv), s->comm))                            \
    ROW(ALLTOALLV, PMPI_Alltoallv_c(VARYING(send), VARYING(recv), s->comm))                        \
    ROW(ALLTOALLW, PMPI_Alltoallw_c(TYPED(send), TYPED(recv), s->comm))                            \
    ROW(ALLGATHER, PMPI_Allgather_c(BLOCKS(send), BLOCKS(recv), s->comm))                          \
    ROW(ALLGATHERV, PMPI_Allgatherv_c(BLOCKS(send), VARYING(recv), s->comm))                       \
    ROW(BCAST, PMPI_Bcast_c(BLOCKS(recv), s->root, s->comm))                                       \
    ROW(GATHER, PMPI_Gather_c(BLOCKS(send), BLOCKS(recv), s->root, s->comm))                       \
    ROW(GATHERV, PMPI_Gatherv_c(BLOCKS(send), VARYING(recv), s->root, s->comm))                    \
    ROW(SCATTER, PMPI_Scatter_c(BLOCKS(send), BLOCKS(recv), s->root, s->comm))                     \
    ROW(SCATTERV, PMPI_Scatterv_c(VARYING(send), BLOCKS(recv), s->root, s->comm))                  \
    ROW(REDUCE, PMPI_Reduce_c(OPERANDS, s->root, s->comm))                                         \
    ROW(ALLREDUCE, PMPI_Allreduce_c(OPERANDS, s->comm))                                            \
    ROW(REDUCE_SCATTER, PMPI_Reduce_scatter_c(PARTS, s->comm))                                     \
    ROW(REDUCE_SCATTER_BLOCK, PMPI_Reduce_scatter_block_c(OPERANDS, s->comm))                      \
    ROW(SCAN, PMPI_Scan_c(OPERANDS, s->comm))                                                      \
    ROW(EXSCAN, PMPI_Exscan_c(OPERANDS, s->comm))

int strata_native_large(const struct strata_signature *s)
{
    switch (s->collective) {
#define LARGE_CASE(id, call)                                                                       \
    case STRATA_##id:                                                                              \
        return call;
        LARGE_TABLE(LARGE_CASE)
    default: /* a barrier has no counts */
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

/* A barrier has no counts. */
int strata_native_large(const struct strata_signature *s)
{
    return made_of[s->collective] ? made_of[s->collective](s) : MPI_ERR_INTERN;
}

#endif
