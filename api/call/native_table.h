/* MPI's own collectives except the barrier: the name of the blocking form, the name of the
 * nonblocking form, and the arguments. A file that includes this defines how the arguments of a
 * side are written: BLOCKS, VARYING and TYPED of a side, OPERANDS and PARTS. */
#ifndef STRATA_API_CALL_NATIVE_TABLE_H
#define STRATA_API_CALL_NATIVE_TABLE_H

#define STRATA_NATIVE_TABLE(ROW)                                                                   \
    ROW(ALLTOALL, Alltoall, alltoall, BLOCKS(send), BLOCKS(recv), s->comm)                         \
    ROW(ALLTOALLV, Alltoallv, alltoallv, VARYING(send), VARYING(recv), s->comm)                    \
    ROW(ALLTOALLW, Alltoallw, alltoallw, TYPED(send), TYPED(recv), s->comm)                        \
    ROW(ALLGATHER, Allgather, allgather, BLOCKS(send), BLOCKS(recv), s->comm)                      \
    ROW(ALLGATHERV, Allgatherv, allgatherv, BLOCKS(send), VARYING(recv), s->comm)                  \
    ROW(BCAST, Bcast, bcast, BLOCKS(recv), s->root, s->comm)                                       \
    ROW(GATHER, Gather, gather, BLOCKS(send), BLOCKS(recv), s->root, s->comm)                      \
    ROW(GATHERV, Gatherv, gatherv, BLOCKS(send), VARYING(recv), s->root, s->comm)                  \
    ROW(SCATTER, Scatter, scatter, BLOCKS(send), BLOCKS(recv), s->root, s->comm)                   \
    ROW(SCATTERV, Scatterv, scatterv, VARYING(send), BLOCKS(recv), s->root, s->comm)               \
    ROW(REDUCE, Reduce, reduce, OPERANDS, s->root, s->comm)                                        \
    ROW(ALLREDUCE, Allreduce, allreduce, OPERANDS, s->comm)                                        \
    ROW(REDUCE_SCATTER, Reduce_scatter, reduce_scatter, PARTS, s->comm)                            \
    ROW(REDUCE_SCATTER_BLOCK, Reduce_scatter_block, reduce_scatter_block, OPERANDS, s->comm)       \
    ROW(SCAN, Scan, scan, OPERANDS, s->comm)                                                       \
    ROW(EXSCAN, Exscan, exscan, OPERANDS, s->comm)

#endif
