/* The collectives that can be simulated, Strata's and MPI's native ones with the same arguments. */
#include <string.h>

#include "include/strata.h"
#include "sim/smpi/simulate.h"

#define BYTE       MPI_BYTE
#define AT(side)   (a->side.buffer)
#define LIST(side) a->side.counts, a->side.displs

/* name, MPI's name, send, recv, root sends, root receives, lengths may differ, arguments */
#define OPERATION_TABLE(ROW)                                                                       \
    ROW(alltoall, Alltoall, PAIR, PAIR, false, false, false, AT(send), a->send.count, BYTE,        \
        AT(recv), a->recv.count, BYTE)                                                             \
    ROW(alltoallv, Alltoallv, PAIR, PAIR, false, false, true, AT(send), LIST(send), BYTE,          \
        AT(recv), LIST(recv), BYTE)                                                                \
    ROW(alltoallw, Alltoallw, PAIR, PAIR, false, false, true, AT(send), LIST(send), a->types,      \
        AT(recv), LIST(recv), a->types)                                                            \
    ROW(allgather, Allgather, MINE, EACH, false, false, false, AT(send), a->send.count, BYTE,      \
        AT(recv), a->recv.count, BYTE)                                                             \
    ROW(allgatherv, Allgatherv, MINE, EACH, false, false, true, AT(send), a->send.count, BYTE,     \
        AT(recv), LIST(recv), BYTE)                                                                \
    ROW(bcast, Bcast, NONE, VECTOR, false, false, false, AT(recv), a->recv.count, BYTE, a->root)   \
    ROW(gather, Gather, MINE, EACH, false, true, false, AT(send), a->send.count, BYTE, AT(recv),   \
        a->recv.count, BYTE, a->root)                                                              \
    ROW(gatherv, Gatherv, MINE, EACH, false, true, true, AT(send), a->send.count, BYTE, AT(recv),  \
        LIST(recv), BYTE, a->root)                                                                 \
    ROW(scatter, Scatter, EACH, MINE, true, false, false, AT(send), a->send.count, BYTE, AT(recv), \
        a->recv.count, BYTE, a->root)                                                              \
    ROW(scatterv, Scatterv, EACH, MINE, true, false, true, AT(send), LIST(send), BYTE, AT(recv),   \
        a->recv.count, BYTE, a->root)                                                              \
    ROW(reduce, Reduce, VECTOR, VECTOR, false, true, false, AT(send), AT(recv), a->recv.count,     \
        BYTE, a->op, a->root)                                                                      \
    ROW(allreduce, Allreduce, VECTOR, VECTOR, false, false, false, AT(send), AT(recv),             \
        a->recv.count, BYTE, a->op)                                                                \
    ROW(reduce_scatter, Reduce_scatter, EACH, MINE, false, false, true, AT(send), AT(recv),        \
        a->send.counts, BYTE, a->op)                                                               \
    ROW(reduce_scatter_block, Reduce_scatter_block, EACH, MINE, false, false, false, AT(send),     \
        AT(recv), a->recv.count, BYTE, a->op)                                                      \
    ROW(scan, Scan, VECTOR, VECTOR, false, false, false, AT(send), AT(recv), a->recv.count, BYTE,  \
        a->op)                                                                                     \
    ROW(exscan, Exscan, VECTOR, VECTOR, false, false, false, AT(send), AT(recv), a->recv.count,    \
        BYTE, a->op)

#define FUNCTIONS(name, mpis, send, recv, roots, rootr, vector, ...)                               \
    static int ours_##name(const struct arguments *a, MPI_Comm comm)                               \
    {                                                                                              \
        return strata_##name(__VA_ARGS__, comm);                                                   \
    }                                                                                              \
    static int mpis_##name(const struct arguments *a, MPI_Comm comm)                               \
    {                                                                                              \
        return MPI_##mpis(__VA_ARGS__, comm);                                                      \
    }
OPERATION_TABLE(FUNCTIONS)

static int ours_barrier(const struct arguments *a, MPI_Comm comm)
{
    (void)a;
    return strata_barrier(comm);
}

static int mpis_barrier(const struct arguments *a, MPI_Comm comm)
{
    (void)a;
    return MPI_Barrier(comm);
}

static const struct operation operations[] = {
#define ENTRY(name, mpis, send, recv, roots, rootr, vector, ...)                                   \
    {#name, SHAPE_##send, SHAPE_##recv, roots, rootr, vector, ours_##name, mpis_##name},
    OPERATION_TABLE(ENTRY){"barrier", SHAPE_NONE, SHAPE_NONE, false, false, false, ours_barrier,
                           mpis_barrier},
    {.name = NULL}};

const struct operation *operation_find(const char *name)
{
    const struct operation *o = operations;
    while (o->name && strcmp(o->name, name) != 0) {
        o++;
    }
    return o->name ? o : NULL;
}
