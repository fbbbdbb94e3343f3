/* The collectives: functions and a row for each. */
#include "bench/strata_bench/exchange.h"
#include "bench/strata_bench/mpi_persistent.h"
#include "strata.h"

/* The functions that call, begin and describe a collective, Strata's or MPI's. The arguments end
 * with a comma, and may use `e` and `ints`. */
#define CALL(name, Name, ...)                                                                      \
    static int call_##name(const struct exchange *e, bool ours)                                    \
    {                                                                                              \
        const int ints = e->bytes / (int)sizeof(unsigned);                                         \
        (void)ints;                                                                                \
        return (ours ? strata_##name : PMPI_##Name)(__VA_ARGS__ e->comm);                          \
    }                                                                                              \
    static int begin_##name(const struct exchange *e, bool ours, struct bench_request *r)          \
    {                                                                                              \
        const int ints = e->bytes / (int)sizeof(unsigned);                                         \
        (void)ints;                                                                                \
        return ours ? strata_i##name(__VA_ARGS__ e->comm, &r->ours)                                \
                    : PMPI_I##name(__VA_ARGS__ e->comm, &r->mpis);                                 \
    }                                                                                              \
    static int describe_##name(const struct exchange *e, bool ours, struct bench_request *r)       \
    {                                                                                              \
        const int ints = e->bytes / (int)sizeof(unsigned);                                         \
        (void)ints;                                                                                \
        return ours ? strata_##name##_init(__VA_ARGS__ e->comm, MPI_INFO_NULL, &r->ours)           \
                    : MPI_PERSISTENT(Name, __VA_ARGS__ e->comm, MPI_INFO_NULL, &r->mpis);          \
    }

CALL(alltoall, Alltoall, e->send, e->bytes, MPI_BYTE, e->recv, e->bytes, MPI_BYTE, )
CALL(alltoallv, Alltoallv, e->send, e->sendcounts, e->sdispls, MPI_BYTE, e->recv, e->recvcounts,
     e->rdispls, MPI_BYTE, )
CALL(alltoallw, Alltoallw, e->send, e->sendcounts, e->sdispls, e->types, e->recv, e->recvcounts,
     e->rdispls, e->types, )
CALL(allgather, Allgather, e->send, e->bytes, MPI_BYTE, e->recv, e->bytes, MPI_BYTE, )
CALL(allgatherv, Allgatherv, e->send, e->recvcounts[e->rank], MPI_BYTE, e->recv, e->recvcounts,
     e->rdispls, MPI_BYTE, )
CALL(bcast, Bcast, e->recv, e->bytes, MPI_BYTE, 0, )
CALL(gather, Gather, e->send, e->bytes, MPI_BYTE, e->recv, e->bytes, MPI_BYTE, 0, )
CALL(gatherv, Gatherv, e->send, e->recvcounts[e->rank], MPI_BYTE, e->recv, e->recvcounts,
     e->rdispls, MPI_BYTE, 0, )
CALL(scatter, Scatter, e->send, e->bytes, MPI_BYTE, e->recv, e->bytes, MPI_BYTE, 0, )
CALL(scatterv, Scatterv, e->send, e->sendcounts, e->sdispls, MPI_BYTE, e->recv,
     e->sendcounts[e->rank], MPI_BYTE, 0, )
CALL(reduce, Reduce, e->send, e->recv, ints, MPI_UNSIGNED, MPI_SUM, 0, )
CALL(allreduce, Allreduce, e->send, e->recv, ints, MPI_UNSIGNED, MPI_SUM, )
CALL(reduce_scatter, Reduce_scatter, e->send, e->recv, e->recvcounts, MPI_UNSIGNED, MPI_SUM, )
CALL(reduce_scatter_block, Reduce_scatter_block, e->send, e->recv, ints, MPI_UNSIGNED, MPI_SUM, )
CALL(scan, Scan, e->send, e->recv, ints, MPI_UNSIGNED, MPI_SUM, )
CALL(exscan, Exscan, e->send, e->recv, ints, MPI_UNSIGNED, MPI_SUM, )

CALL(barrier, Barrier, )

#define MOVES(name, counts, send, recv, root)                                                      \
    {                                                                                              \
#name, COUNTS_##counts, PART_##send, PART_##recv, root, false, call_##name, begin_##name,  \
            describe_##name                                                                        \
    }
#define REDUCES(name, counts, send, recv, root)                                                    \
    {                                                                                              \
#name, COUNTS_##counts, PART_##send, PART_##recv, root, true, call_##name, begin_##name,   \
            describe_##name                                                                        \
    }

const struct collective collectives[] = {
    MOVES(alltoallv, MATRIX, ALL, ALL, '-'),
    MOVES(alltoall, NONE, ALL, ALL, '-'),
    MOVES(alltoallw, MATRIX, ALL, ALL, '-'),
    MOVES(allgather, NONE, ONE, ALL, '-'),
    MOVES(allgatherv, VECTOR, ONE, ALL, '-'),
    MOVES(bcast, NONE, NONE, ONE, '-'), /* one buffer for sending and receiving */
    MOVES(gather, NONE, ONE, ALL, 'o'),
    MOVES(gatherv, VECTOR, ONE, ALL, 'o'),
    MOVES(scatter, NONE, ALL, ONE, 'i'),
    MOVES(scatterv, VECTOR, ALL, ONE, 'i'),
    REDUCES(reduce, NONE, ONE, ONE, 'o'),
    REDUCES(allreduce, NONE, ONE, ONE, '-'),
    REDUCES(reduce_scatter, VECTOR, ALL, ONE, '-'),
    REDUCES(reduce_scatter_block, NONE, ALL, ONE, '-'),
    REDUCES(scan, NONE, ONE, ONE, '-'),
    REDUCES(exscan, NONE, ONE, ONE, '-'),
    MOVES(barrier, NONE, NONE, NONE, '-'),
    {NULL, COUNTS_NONE, PART_NONE, PART_NONE, '-', false, NULL, NULL, NULL},
};
