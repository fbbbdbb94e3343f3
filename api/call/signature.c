/* MPI's own collectives, by the arguments that the user gave. */
#include "api/call/signature.h"

/* A side's arguments as the calls take them. */
#define BLOCKS(side)  s->side.buffer, s->side.count, s->side.type
#define VARYING(side) s->side.buffer, s->side.counts, s->side.displs, s->side.type
#define TYPED(side)   s->side.buffer, s->side.counts, s->side.displs, s->side.types
#define OPERANDS(n)   s->send.buffer, s->recv.buffer, s->send.n, s->send.type, s->op

#define NATIVE_TABLE(ROW)                                                                          \
    ROW(ALLTOALL, PMPI_Alltoall(BLOCKS(send), BLOCKS(recv), s->comm))                              \
    ROW(ALLTOALLV, PMPI_Alltoallv(VARYING(send), VARYING(recv), s->comm))                          \
    ROW(ALLTOALLW, PMPI_Alltoallw(TYPED(send), TYPED(recv), s->comm))                              \
    ROW(ALLGATHER, PMPI_Allgather(BLOCKS(send), BLOCKS(recv), s->comm))                            \
    ROW(ALLGATHERV, PMPI_Allgatherv(BLOCKS(send), VARYING(recv), s->comm))                         \
    ROW(BCAST, PMPI_Bcast(BLOCKS(recv), s->root, s->comm))                                         \
    ROW(GATHER, PMPI_Gather(BLOCKS(send), BLOCKS(recv), s->root, s->comm))                         \
    ROW(GATHERV, PMPI_Gatherv(BLOCKS(send), VARYING(recv), s->root, s->comm))                      \
    ROW(SCATTER, PMPI_Scatter(BLOCKS(send), BLOCKS(recv), s->root, s->comm))                       \
    ROW(SCATTERV, PMPI_Scatterv(VARYING(send), BLOCKS(recv), s->root, s->comm))                    \
    ROW(REDUCE, PMPI_Reduce(OPERANDS(count), s->root, s->comm))                                    \
    ROW(ALLREDUCE, PMPI_Allreduce(OPERANDS(count), s->comm))                                       \
    ROW(REDUCE_SCATTER, PMPI_Reduce_scatter(OPERANDS(counts), s->comm))                            \
    ROW(REDUCE_SCATTER_BLOCK, PMPI_Reduce_scatter_block(OPERANDS(count), s->comm))                 \
    ROW(SCAN, PMPI_Scan(OPERANDS(count), s->comm))                                                 \
    ROW(EXSCAN, PMPI_Exscan(OPERANDS(count), s->comm))                                             \
    ROW(BARRIER, PMPI_Barrier(s->comm))

int strata_native_call(const struct strata_signature *s)
{
    switch (s->collective) {
#define NATIVE_CASE(id, call)                                                                      \
    case STRATA_##id:                                                                              \
        return call;
        NATIVE_TABLE(NATIVE_CASE)
    case STRATA_COLLECTIVE_COUNT:
        break;
    }
    return MPI_ERR_INTERN;
}
