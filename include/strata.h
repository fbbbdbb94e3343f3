/* Strata: node-aware collectives for hybrid MPI + OpenMP programs.
 *
 * Include this header, link libstrata and MPI, and call strata_alltoallv where you called
 * MPI_Alltoallv. Nothing has to be initialised or finalised: a communicator is set up ("attached")
 * by its own first calls and cleaned up when it is freed, or in MPI_Finalize.
 *
 * Common to all functions here
 *   return      MPI_SUCCESS or an MPI error code. Errors go through the communicator's error
 *               handler first, as MPI's own do (so by default they end the program), and one line
 *               about each is written to standard error.
 *   threads     as MPI's own calls at the level that MPI_Init_thread granted.
 *   MPI         must be initialised and not finalised.
 *
 * Common to the collectives
 *   Collective over comm; each blocks until this rank's part is done, which says nothing about the
 *   others' (but in strata_barrier). Arguments and meaning are those of MPI's own call in the MPI
 *   standard:
 *   sendbuf     in. Never written. Or MPI_IN_PLACE, where said: what is sent is then taken from the
 *               other buffer, and sendcount and sendtype are ignored.
 *   recvbuf     out. Bytes in gaps of the datatype are not touched.
 *   counts      in: elements, >= 0. Arrays have one element for each rank of comm (each remote rank
 *               of an intercommunicator), stay the caller's and are read only during the call.
 *   displs      in: where each block begins, in extents of the datatype from the buffer's address.
 *               Any order, may be negative; received blocks must not overlap.
 *   types       in: committed; of equal signature where something is sent and received, not
 *               necessarily of equal map.
 *   root        in: a rank of comm, the same on all. Arguments that only the root needs may be
 *               anything elsewhere.
 *   op          in: predefined or made with MPI_Op_create, the same on all ranks. Operands are
 *               combined in the order of ranks if op does not commute; if it does, in any order,
 *               which is the same in each call with the same arguments on the same ranks, so that
 *               floating point results can be repeated, but may differ from MPI's own in rounding.
 *   comm        in: intercommunicators, and communicators that could not be attached, are served by
 *               MPI's own collective. So are calls that no algorithm of Strata applies to or promises
 *               to be faster for, and reductions whose datatype cannot be taken apart or has
 *               elements that lie between each other; strata_comm_report says why.
 *   The first call on a communicator (the STRATA_ATTACH_AFTER-th, if that is set) attaches it, which
 *   takes the time of about a dozen small collectives. So does, a good deal faster, the first call
 *   with another size, root or kind of operator. STRATA_ALLGATHER=NAME and so on force an
 *   algorithm of `strata list`, which names the paper that each is from.
 *
 *   Errors: MPI_ERR_COMM (null), MPI_ERR_TYPE (null or not committed), MPI_ERR_COUNT (negative),
 *   MPI_ERR_BUFFER (null, both buffers the same memory, MPI_IN_PLACE where it is not allowed),
 *   MPI_ERR_ARG (a null array), MPI_ERR_ROOT (no rank of comm), MPI_ERR_OP (null, or not for this
 *   datatype), MPI_ERR_TRUNCATE (ranks disagree about the size of a block; as in MPI not always
 *   found: sizes that all should know select the plan, and ranks with different plans may wait for
 *   ever), MPI_ERR_NO_MEM, or the code of a failed message. */
#ifndef STRATA_H
#define STRATA_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define STRATA_VERSION_MAJOR  0
#define STRATA_VERSION_MINOR  1
#define STRATA_VERSION_PATCH  0
#define STRATA_VERSION_STRING "0.1.0"
/* Comparable in #if: 10000 * major + 100 * minor + patch. */
#define STRATA_VERSION_NUMBER                                                                      \
    (10000 * STRATA_VERSION_MAJOR + 100 * STRATA_VERSION_MINOR + STRATA_VERSION_PATCH)

#if defined(__GNUC__)
#define STRATA_PUBLIC __attribute__((visibility("default")))
#else
#define STRATA_PUBLIC
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library that is linked, such as "0.1.0". Local; may be called at any time. */
STRATA_PUBLIC const char *strata_version(void);

/* Every rank sends a block of equal size to every rank: MPI_Alltoall.
 *   sendbuf    in: block i, sendcount elements of sendtype, goes to rank i. Or MPI_IN_PLACE on all
 *              ranks: blocks are taken from recvbuf, where they are replaced.
 *   recvbuf    out: block i, recvcount elements of recvtype, comes from rank i. */
STRATA_PUBLIC int strata_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                  void *recvbuf, int recvcount, MPI_Datatype recvtype,
                                  MPI_Comm comm);

/* Every rank sends a block of its own size to every rank: MPI_Alltoallv. As strata_alltoall, with
 *   sendcounts, recvcounts  in: elements of each block. What rank i sends to j must be what j
 *                           expects from i; blocks may be empty.
 *   sdispls, rdispls        in: where the blocks are.
 *   MPI_IN_PLACE            (on all ranks) sendcounts, sdispls and sendtype are ignored.
 *
 * The algorithm for small blocks follows SLOAV and SLOAVx: C. Xu, M. G. Venkata, R. L. Graham,
 * Y. Wang, Z. Liu, W. Yu, "SLOAVx: Scalable LOgarithmic AlltoallV Algorithm for Hierarchical
 * Multicore Systems", CCGrid 2013. */
STRATA_PUBLIC int strata_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                                   MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                                   const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm);

/* The same with a datatype of its own for each block: MPI_Alltoallw. As strata_alltoallv, with
 *   sdispls, rdispls      in: in bytes.
 *   sendtypes, recvtypes  in: arrays like the counts; that of an empty block is not looked at. */
STRATA_PUBLIC int strata_alltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                                   const MPI_Datatype sendtypes[], void *recvbuf,
                                   const int recvcounts[], const int rdispls[],
                                   const MPI_Datatype recvtypes[], MPI_Comm comm);

/* Every rank gets a block of equal size from every rank: MPI_Allgather.
 *   sendbuf    in: this rank's block, sendcount elements of sendtype. Or MPI_IN_PLACE on all ranks:
 *              it is in its place in recvbuf already.
 *   recvbuf    out: block i, recvcount elements of recvtype, comes from rank i. */
STRATA_PUBLIC int strata_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                   void *recvbuf, int recvcount, MPI_Datatype recvtype,
                                   MPI_Comm comm);

/* The same with blocks of different sizes: MPI_Allgatherv.
 *   recvcounts, displs  in: of block i, the same size on all ranks: what rank i sends. */
STRATA_PUBLIC int strata_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                    void *recvbuf, const int recvcounts[], const int displs[],
                                    MPI_Datatype recvtype, MPI_Comm comm);

/* Every rank gets what the root has: MPI_Bcast.
 *   buffer  in at the root, out elsewhere: count elements of datatype. */
STRATA_PUBLIC int strata_bcast(void *buffer, int count, MPI_Datatype datatype, int root,
                               MPI_Comm comm);

/* The root gets a block of equal size from every rank: MPI_Gather.
 *   sendbuf  in: this rank's block. Or MPI_IN_PLACE at the root: it is in its place already.
 *   recvbuf  out, at the root: block i, recvcount elements of recvtype, comes from rank i. */
STRATA_PUBLIC int strata_gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                void *recvbuf, int recvcount, MPI_Datatype recvtype, int root,
                                MPI_Comm comm);

/* The same with blocks of different sizes: MPI_Gatherv.
 *   recvcounts, displs  in, at the root: of block i, which is what rank i sends. Where ranks pass
 *                       the blocks of others on, lengths are sent ahead. */
STRATA_PUBLIC int strata_gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                 void *recvbuf, const int recvcounts[], const int displs[],
                                 MPI_Datatype recvtype, int root, MPI_Comm comm);

/* Every rank gets a block of equal size from the root: MPI_Scatter.
 *   sendbuf  in, at the root: block i, sendcount elements of sendtype, goes to rank i.
 *   recvbuf  out: this rank's block. Or MPI_IN_PLACE at the root: its own block stays in sendbuf,
 *            and recvcount and recvtype are ignored. */
STRATA_PUBLIC int strata_scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                 void *recvbuf, int recvcount, MPI_Datatype recvtype, int root,
                                 MPI_Comm comm);

/* The same with blocks of different sizes: MPI_Scatterv.
 *   sendcounts, displs  in, at the root: of block i, which is what rank i expects. Where ranks pass
 *                       the blocks of others on, lengths are sent ahead. */
STRATA_PUBLIC int strata_scatterv(const void *sendbuf, const int sendcounts[], const int displs[],
                                  MPI_Datatype sendtype, void *recvbuf, int recvcount,
                                  MPI_Datatype recvtype, int root, MPI_Comm comm);

/* The root gets all ranks' vectors combined, element by element: MPI_Reduce.
 *   sendbuf  in: count elements of datatype. Or MPI_IN_PLACE at the root: its own are in recvbuf.
 *   recvbuf  out, at the root: as many. */
STRATA_PUBLIC int strata_reduce(const void *sendbuf, void *recvbuf, int count,
                                MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm);

/* The same for all ranks: MPI_Allreduce. MPI_IN_PLACE, on all ranks, as sendbuf. */
STRATA_PUBLIC int strata_allreduce(const void *sendbuf, void *recvbuf, int count,
                                   MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

/* Each rank gets its block of the combined vectors: MPI_Reduce_scatter.
 *   sendbuf     in: the blocks of all ranks, one behind another. Or MPI_IN_PLACE on all ranks: they
 *               are in recvbuf, and the result goes to its beginning.
 *   recvbuf     out: recvcounts[rank] elements.
 *   recvcounts  in: elements of each rank's block, the same on all ranks. */
STRATA_PUBLIC int strata_reduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[],
                                        MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

/* The same with blocks of recvcount elements for all: MPI_Reduce_scatter_block. */
STRATA_PUBLIC int strata_reduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount,
                                              MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

/* Rank i gets the combined vectors of ranks 0 .. i: MPI_Scan.
 *   sendbuf  in: count elements of datatype. Or MPI_IN_PLACE on all ranks: they are in recvbuf.
 *   recvbuf  out: as many. */
STRATA_PUBLIC int strata_scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype,
                              MPI_Op op, MPI_Comm comm);

/* Rank i gets the combined vectors of ranks 0 .. i-1; that of rank 0 is not touched: MPI_Exscan. */
STRATA_PUBLIC int strata_exscan(const void *sendbuf, void *recvbuf, int count,
                                MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

/* Returns once all ranks have called it: MPI_Barrier. */
STRATA_PUBLIC int strata_barrier(MPI_Comm comm);

/* How a communicator stands. */
enum strata_standing {
    STRATA_STANDING_NEW = 0,     /* no call was made on it */
    STRATA_STANDING_WAITING = 1, /* fewer calls than STRATA_ATTACH_AFTER: MPI's own so far */
    STRATA_STANDING_NATIVE = 2,  /* MPI's own from now on; `why` says for what reason */
    STRATA_STANDING_ATTACHED = 3 /* served by plans */
};

/* What this rank knows about its calls on a communicator. Figures are sums over all calls since
 * the communicator's first; take the difference of two reports for one call. */
struct strata_report {
    size_t size; /* in: sizeof(struct strata_report); nothing is written beyond it, so a program
                    works with later libraries, whose struct is longer. out: bytes filled */
    int32_t standing;   /* enum strata_standing */
    char algorithm[96]; /* of the last call, with parameters: "leaders:leaders=2,radix=2"; "native"
                           for MPI's own; "" before the first */
    char why[160];      /* why that was chosen, or why it was MPI's own */

    int32_t ranks, nodes, node_ranks; /* of the communicator; of this rank's node. 0 where unknown:
                                         not attached */
    int32_t lanes, passes;            /* of the last call's plan; 0 for MPI's own */
    uint64_t threshold;               /* bytes: larger blocks go rank to rank; of the last plan */

    uint64_t calls, calls_native;     /* calls served by plans, and by MPI's own collective */
    uint64_t messages, messages_node; /* sent by this rank to other nodes and inside its node */
    uint64_t bytes, bytes_node;       /* in these messages, their headers included */
    uint64_t copied;                  /* bytes that this rank copied */

    /* memory of the communicator's state; communicators of one group may share it */
    uint64_t segment_bytes; /* of this node's shared memory */
    uint64_t scratch_bytes; /* of this rank's own */

    /* the whole process: all communicators together */
    int32_t private_communicators;     /* that Strata holds now */
    int32_t arenas;                    /* shared windows */
    uint64_t arena_bytes, arena_spare; /* in all of them; largest piece that is free */
};

/* Fills *report. Local; does not block. Never attaches the communicator.
 *   comm    in: any communicator.
 *   report  out; report->size must be set before.
 * Errors: MPI_ERR_COMM (null), MPI_ERR_ARG (report is NULL or its size smaller than that of the
 * first two fields). */
STRATA_PUBLIC int strata_comm_report(MPI_Comm comm, struct strata_report *report);

/* Forces an algorithm for one communicator, in place of what STRATA_ALLTOALL and so on say: for
 * programs that compare algorithms, or know better than the cost model. Holds for its later calls;
 * duplicates do not inherit it.
 * Collective over comm; may block.
 *   comm        in: an intracommunicator.
 *   collective  in: the name in lower case without prefix: "alltoall", "reduce_scatter".
 *   choice      in: as the variable's value: "NAME" or "NAME:PARAMETER=VALUE,..." of `strata list`,
 *               parameters left out are chosen by cost; "auto": the cheapest; "native": MPI's own;
 *               NULL: what the variable says. Where the algorithm does not apply to a call, MPI's
 *               own serves it, and strata_comm_report says why.
 * Errors: MPI_ERR_COMM (null, or an intercommunicator), MPI_ERR_ARG (no such collective, algorithm
 * or parameter, or not the same on all ranks; nothing is changed then), MPI_ERR_NO_MEM. */
STRATA_PUBLIC int strata_comm_force(MPI_Comm comm, const char *collective, const char *choice);

/* The algorithms of a collective that strata_comm_force takes, in the order of `strata list`: for
 * programs that try them all. Whether one applies to a call depends on the call.
 *   collective  in: as strata_comm_force takes it.
 *   index       in: 0, 1, ...
 *   return      a name, the library's own text; NULL past the last, or if there is no such collective.
 * Local; may be called at any time. */
STRATA_PUBLIC const char *strata_algorithm_at(const char *collective, int index);

/* Writes what Strata found out about a communicator, for people: versions, topology, the hosts with
 * their processes and processing units, limits, and the configuration table. The form may change.
 * Collective over comm; attaches it (also where STRATA_ATTACH_AFTER asks for later); may block.
 *   comm  in: an intracommunicator.
 *   file  in: where rank 0 writes; ignored on the others, may be NULL there.
 * Errors: MPI_ERR_COMM (null, or an intercommunicator), MPI_ERR_ARG (NULL file at rank 0),
 * MPI_ERR_NO_MEM. */
STRATA_PUBLIC int strata_comm_describe(MPI_Comm comm, FILE *file);

#ifdef __cplusplus
}
#endif

#endif
