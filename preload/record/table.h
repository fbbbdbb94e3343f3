/* The collectives as rows, for functions that differ in nothing but their parameters. COUNT and
 * DISPLACEMENT are the types of counts and displacements.
 *
 * ROW(IDENTIFIER, name, Name, parameters, arguments, count, type, op and root): `count` elements of
 * `type` are the block or vector of this rank, or `count` is made of lists of all lengths, with
 * `row`, the communicator's. */
#ifndef STRATA_PRELOAD_RECORD_TABLE_H
#define STRATA_PRELOAD_RECORD_TABLE_H

#include "preload/record/lengths.h"

/* What an entry says of blocks, from a number of elements or what lengths.h has made of lists. */
#define RECORDER_LENGTHS_OF(count)                                                                 \
    _Generic((count), struct recorder_lengths                                                      \
             : recorder_listed, int                                                                \
             : recorder_few, default                                                               \
             : recorder_many)(count)

#define RECORDER_NONE    MPI_OP_NULL, -1
#define RECORDER_ROOT    MPI_OP_NULL, root
#define RECORDER_OP      op, -1
#define RECORDER_OP_ROOT op, root

/* In place a rank sends what it receives. */
#define RECORDER_EXCHANGE(sendtypes, recvtypes, step)                                              \
    recorder_exchange(row, comm,                                                                   \
                      sendbuf == MPI_IN_PLACE ? RECORDER_BLOCKS(recvcounts, recvtypes, step)       \
                                              : RECORDER_BLOCKS(sendcounts, sendtypes, step),      \
                      RECORDER_BLOCKS(recvcounts, recvtypes, step))

/* In place a rank's block is the one that a list of all has for it. */
#define RECORDER_OWN(counts, type) recorder_own(row, comm, RECORDER_BLOCKS(counts, &type, 0))

#define RECORDER_MOVING(ROW)                                                                       \
    ROW(ALLTOALL, alltoall, Alltoall,                                                              \
        (const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,               \
         COUNT recvcount, MPI_Datatype recvtype, MPI_Comm comm),                                   \
        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm), recvcount, recvtype,   \
        RECORDER_NONE)                                                                             \
    ROW(ALLTOALLV, alltoallv, Alltoallv,                                                           \
        (const void *sendbuf, const COUNT sendcounts[], const DISPLACEMENT sdispls[],              \
         MPI_Datatype sendtype, void *recvbuf, const COUNT recvcounts[],                           \
         const DISPLACEMENT rdispls[], MPI_Datatype recvtype, MPI_Comm comm),                      \
        (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm),    \
        RECORDER_EXCHANGE(&sendtype, &recvtype, 0), recvtype, RECORDER_NONE)                       \
    ROW(ALLTOALLW, alltoallw, Alltoallw,                                                           \
        (const void *sendbuf, const COUNT sendcounts[], const DISPLACEMENT sdispls[],              \
         const MPI_Datatype sendtypes[], void *recvbuf, const COUNT recvcounts[],                  \
         const DISPLACEMENT rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm),             \
        (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm),  \
        RECORDER_EXCHANGE(sendtypes, recvtypes, 1), MPI_DATATYPE_NULL, RECORDER_NONE)              \
    ROW(ALLGATHER, allgather, Allgather,                                                           \
        (const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,               \
         COUNT recvcount, MPI_Datatype recvtype, MPI_Comm comm),                                   \
        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm), recvcount, recvtype,   \
        RECORDER_NONE)                                                                             \
    ROW(ALLGATHERV, allgatherv, Allgatherv,                                                        \
        (const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,               \
         const COUNT recvcounts[], const DISPLACEMENT displs[], MPI_Datatype recvtype,             \
         MPI_Comm comm),                                                                           \
        (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm),               \
        sendbuf == MPI_IN_PLACE ? RECORDER_OWN(recvcounts, recvtype) : sendcount,                  \
        sendbuf == MPI_IN_PLACE ? recvtype : sendtype, RECORDER_NONE)                              \
    ROW(BCAST, bcast, Bcast,                                                                       \
        (void *buffer, COUNT count, MPI_Datatype datatype, int root, MPI_Comm comm),               \
        (buffer, count, datatype, root, comm), count, datatype, RECORDER_ROOT)                     \
    ROW(GATHER, gather, Gather,                                                                    \
        (const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,               \
         COUNT recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm),                         \
        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),                  \
        sendbuf == MPI_IN_PLACE ? recvcount : sendcount,                                           \
        sendbuf == MPI_IN_PLACE ? recvtype : sendtype, RECORDER_ROOT)                              \
    ROW(GATHERV, gatherv, Gatherv,                                                                 \
        (const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,               \
         const COUNT recvcounts[], const DISPLACEMENT displs[], MPI_Datatype recvtype, int root,   \
         MPI_Comm comm),                                                                           \
        (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm),         \
        sendbuf == MPI_IN_PLACE ? RECORDER_OWN(recvcounts, recvtype) : sendcount,                  \
        sendbuf == MPI_IN_PLACE ? recvtype : sendtype, RECORDER_ROOT)                              \
    ROW(SCATTER, scatter, Scatter,                                                                 \
        (const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,               \
         COUNT recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm),                         \
        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),                  \
        recvbuf == MPI_IN_PLACE ? sendcount : recvcount,                                           \
        recvbuf == MPI_IN_PLACE ? sendtype : recvtype, RECORDER_ROOT)                              \
    ROW(SCATTERV, scatterv, Scatterv,                                                              \
        (const void *sendbuf, const COUNT sendcounts[], const DISPLACEMENT displs[],               \
         MPI_Datatype sendtype, void *recvbuf, COUNT recvcount, MPI_Datatype recvtype, int root,   \
         MPI_Comm comm),                                                                           \
        (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm),         \
        recvbuf == MPI_IN_PLACE ? RECORDER_OWN(sendcounts, sendtype) : recvcount,                  \
        recvbuf == MPI_IN_PLACE ? sendtype : recvtype, RECORDER_ROOT)                              \
    ROW(REDUCE, reduce, Reduce,                                                                    \
        (const void *sendbuf, void *recvbuf, COUNT count, MPI_Datatype datatype, MPI_Op op,        \
         int root, MPI_Comm comm),                                                                 \
        (sendbuf, recvbuf, count, datatype, op, root, comm), count, datatype, RECORDER_OP_ROOT)    \
    ROW(ALLREDUCE, allreduce, Allreduce,                                                           \
        (const void *sendbuf, void *recvbuf, COUNT count, MPI_Datatype datatype, MPI_Op op,        \
         MPI_Comm comm),                                                                           \
        (sendbuf, recvbuf, count, datatype, op, comm), count, datatype, RECORDER_OP)               \
    ROW(REDUCE_SCATTER, reduce_scatter, Reduce_scatter,                                            \
        (const void *sendbuf, void *recvbuf, const COUNT recvcounts[], MPI_Datatype datatype,      \
         MPI_Op op, MPI_Comm comm),                                                                \
        (sendbuf, recvbuf, recvcounts, datatype, op, comm),                                        \
        recorder_parts(row, RECORDER_BLOCKS(recvcounts, &datatype, 0)), datatype, RECORDER_OP)     \
    ROW(REDUCE_SCATTER_BLOCK, reduce_scatter_block, Reduce_scatter_block,                          \
        (const void *sendbuf, void *recvbuf, COUNT recvcount, MPI_Datatype datatype, MPI_Op op,    \
         MPI_Comm comm),                                                                           \
        (sendbuf, recvbuf, recvcount, datatype, op, comm), recvcount, datatype, RECORDER_OP)       \
    ROW(SCAN, scan, Scan,                                                                          \
        (const void *sendbuf, void *recvbuf, COUNT count, MPI_Datatype datatype, MPI_Op op,        \
         MPI_Comm comm),                                                                           \
        (sendbuf, recvbuf, count, datatype, op, comm), count, datatype, RECORDER_OP)               \
    ROW(EXSCAN, exscan, Exscan,                                                                    \
        (const void *sendbuf, void *recvbuf, COUNT count, MPI_Datatype datatype, MPI_Op op,        \
         MPI_Comm comm),                                                                           \
        (sendbuf, recvbuf, count, datatype, op, comm), count, datatype, RECORDER_OP)
#define RECORDER_ALL(ROW)                                                                          \
    RECORDER_MOVING(ROW)                                                                           \
    ROW(BARRIER, barrier, Barrier, (MPI_Comm comm), (comm), 0, MPI_DATATYPE_NULL, RECORDER_NONE)

/* The neighbourhood collectives. */
#define RECORDER_NEIGHBORS(ROW)                                                                    \
    ROW(RECORD_NEIGHBOR_ALLGATHER, neighbor_allgather, Neighbor_allgather,                         \
        (const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,               \
         COUNT recvcount, MPI_Datatype recvtype, MPI_Comm comm),                                   \
        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm), sendcount, sendtype,   \
        RECORDER_NONE)                                                                             \
    ROW(RECORD_NEIGHBOR_ALLGATHERV, neighbor_allgatherv, Neighbor_allgatherv,                      \
        (const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,               \
         const COUNT recvcounts[], const DISPLACEMENT displs[], MPI_Datatype recvtype,             \
         MPI_Comm comm),                                                                           \
        (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm), sendcount,    \
        sendtype, RECORDER_NONE)                                                                   \
    ROW(RECORD_NEIGHBOR_ALLTOALL, neighbor_alltoall, Neighbor_alltoall,                            \
        (const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype, void *recvbuf,               \
         COUNT recvcount, MPI_Datatype recvtype, MPI_Comm comm),                                   \
        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm), sendcount, sendtype,   \
        RECORDER_NONE)                                                                             \
    ROW(RECORD_NEIGHBOR_ALLTOALLV, neighbor_alltoallv, Neighbor_alltoallv,                         \
        (const void *sendbuf, const COUNT sendcounts[], const DISPLACEMENT sdispls[],              \
         MPI_Datatype sendtype, void *recvbuf, const COUNT recvcounts[],                           \
         const DISPLACEMENT rdispls[], MPI_Datatype recvtype, MPI_Comm comm),                      \
        (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm), 0, \
        sendtype, RECORDER_NONE)                                                                   \
    ROW(RECORD_NEIGHBOR_ALLTOALLW, neighbor_alltoallw, Neighbor_alltoallw,                         \
        (const void *sendbuf, const COUNT sendcounts[], const MPI_Aint sdispls[],                  \
         const MPI_Datatype sendtypes[], void *recvbuf, const COUNT recvcounts[],                  \
         const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm),                 \
        (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm),  \
        0, MPI_DATATYPE_NULL, RECORDER_NONE)

/* Defines a function that hands its calls on to the next one of its name. A call of another shape
 * than the last one first makes its shape, in a function of its own, and finds the next function if
 * the program has begun before this library could. */
#define RECORDER_DEFINE(id, form, name, site, next, parameters, arguments, elements, datatype_,    \
                        op_, root_)                                                                \
    static STRATA_SELDOM int unknown_##name parameters                                             \
    {                                                                                              \
        const int place = STRATA_RECORD_PLACE(STRATA_##id, form);                                  \
        recorder_prepare(place, comm, datatype_, op_);                                             \
        struct strata_record_communicator *row = recorder_row(place);                              \
        const struct recorder_call call = RECORDER_ENTER(                                          \
            row, STRATA_##id, form, RECORDER_LENGTHS_OF(elements), root_, recorder_site);          \
        if (!next) {                                                                               \
            find_next();                                                                           \
        }                                                                                          \
        return recorder_leave(call, next arguments);                                               \
    }                                                                                              \
    int name parameters                                                                            \
    {                                                                                              \
        struct strata_record_communicator *row =                                                   \
            recorder_knows(STRATA_RECORD_PLACE(STRATA_##id, form), comm, datatype_, op_);          \
        if (!row) {                                                                                \
            recorder_site = (site);                                                                \
            return unknown_##name arguments;                                                       \
        }                                                                                          \
        const struct recorder_call call =                                                          \
            RECORDER_ENTER(row, STRATA_##id, form, RECORDER_LENGTHS_OF(elements), root_, site);    \
        return recorder_leave(call, next arguments);                                               \
    }

/* MPI's function. */
#define RECORDER_MPI(id, name, Name, parameters, arguments, ...)                                   \
    static __typeof__(MPI_##Name) *next_##Name;                                                    \
    STRATA_PUBLIC __typeof__(MPI_##Name) MPI_##Name;                                               \
    RECORDER_DEFINE(id, STRATA_RECORD_BLOCKING, MPI_##Name, __builtin_return_address(0),           \
                    next_##Name, parameters, arguments, __VA_ARGS__)
/* MPI's function, and the same one for Fortran's calls. */
#define RECORDER_BLOCKING(id, name, Name, parameters, arguments, ...)                              \
    RECORDER_MPI(id, name, Name, parameters, arguments, __VA_ARGS__)                               \
    RECORDER_DEFINE(id, STRATA_RECORD_BLOCKING, strata_preload_##name, recorder_site, next_##Name, \
                    parameters, arguments, __VA_ARGS__)
#define RECORDER_NEXT(id, name, Name, ...) {"MPI_" #Name, (void **)&next_##Name},

/* Defines a function that begins or describes a call and returns a request: `more` parameters
 * follow the collective's own. */
#define RECORDER_LIST(...) __VA_ARGS__
#define RECORDER_REQUESTING(id, form, done, function, parameters, arguments, more, more_arguments, \
                            elements, datatype_, op_, root_)                                       \
    static __typeof__(function) *next_##function;                                                  \
    STRATA_PUBLIC __typeof__(function) function;                                                   \
    int function(RECORDER_LIST parameters, RECORDER_LIST more)                                     \
    {                                                                                              \
        const int place = STRATA_RECORD_PLACE(STRATA_##id, form);                                  \
        if (!recorder_knows(place, comm, datatype_, op_)) {                                        \
            recorder_prepare(place, comm, datatype_, op_);                                         \
        }                                                                                          \
        struct strata_record_communicator *row = recorder_row(place);                              \
        const struct recorder_call call =                                                          \
            RECORDER_ENTER(row, STRATA_##id, form, RECORDER_LENGTHS_OF(elements), root_,           \
                           __builtin_return_address(0));                                           \
        if (!next_##function) {                                                                    \
            find_next();                                                                           \
        }                                                                                          \
        const int error = next_##function(RECORDER_LIST arguments, RECORDER_LIST more_arguments);  \
        done(call, recorder_here.shapes[place].communicator,                                       \
             error == MPI_SUCCESS ? RECORDER_HANDLE(request) : 0);                                 \
        return error;                                                                              \
    }
#define RECORDER_NONBLOCKING(id, function, parameters, arguments, ...)                             \
    RECORDER_REQUESTING(id, STRATA_RECORD_NONBLOCKING | RECORDER_WHOSE, recorder_begun, function,  \
                        parameters, arguments, (RECORDER_REQUEST * request), (request),            \
                        __VA_ARGS__)
#define RECORDER_PERSISTENT(id, function, parameters, arguments, ...)                              \
    RECORDER_REQUESTING(id, STRATA_RECORD_DESCRIBED | RECORDER_WHOSE, recorder_described,          \
                        function, parameters, arguments,                                           \
                        (MPI_Info info, RECORDER_REQUEST * request), (info, request), __VA_ARGS__)
#define RECORDER_NEXT_OF(function) {#function, (void **)&next_##function},

#endif
