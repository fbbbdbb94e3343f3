/* Strata: node-aware collectives for hybrid MPI + OpenMP programs.
 *
 * Include this header, link libstrata and MPI, and call strata_alltoallv where you called
 * MPI_Alltoallv. Nothing has to be initialised or finalised: a communicator is set up ("attached")
 * by its own first calls and cleaned up when it is freed, or in MPI_Finalize. Programs that want
 * either sooner call strata_comm_attach or strata_comm_detach.
 *
 * Common to all functions here
 *   return      MPI_SUCCESS or an MPI error code. An error goes through the communicator's error
 *               handler first, as MPI's own errors do (so by default it ends the program), and one
 *               line about it is written to standard error. Where MPI's own collective serves a
 *               call, MPI's code is returned; MPICH 5.0.2 returns MPI_SUCCESS after an error
 *               handler of the program's.
 *   threads     as in MPI's own calls, at the level that MPI_Init_thread granted.
 *   MPI         must be initialised and not finalised.
 *
 * Common to the collectives
 *   Collective over comm. Each call blocks until this rank's part is done, which says nothing about
 *   the other ranks (except in strata_barrier). Arguments and meaning are those of MPI's own call
 *   in the MPI standard:
 *   sendbuf     in. Never written. Or MPI_IN_PLACE, where a call allows it: then the data to send
 *               lie in the other buffer, and sendcount and sendtype are ignored.
 *   recvbuf     out. Bytes in gaps of the datatype are not touched.
 *   counts      in: numbers of elements, >= 0. An array has one count for each rank of comm (each
 *               remote rank of an intercommunicator). It stays the caller's, and is read only
 *               during the call.
 *   displs      in: where each block begins, in extents of the datatype from the buffer's address.
 *               Displacements come in any order and may be negative. Received blocks must not
 *               overlap.
 *   types       in: committed datatypes. The sender and the receiver of a block give datatypes of
 *               equal signature, and so do all ranks of a reduction. The maps may differ.
 *   root        in: a rank of comm, the same on all ranks. Arguments that only the root needs may
 *               be anything elsewhere.
 *   op          in: predefined or made with MPI_Op_create, the same on all ranks. If op does not
 *               commute, operands are combined in the order of ranks. If op commutes, they are
 *               combined in any order, which is the same in each call with the same arguments on
 *               the same ranks. So floating-point results can be repeated, but may differ from
 *               MPI's own in rounding. With STRATA_SAME_BITS=1, or strata_comm_same_bits, operands
 *               are combined from left to right.
 *   comm        in: a communicator. MPI's own collective serves intercommunicators, and
 *               communicators that could not be attached. It also serves calls to which no
 *               algorithm of Strata applies, or for which none promises to be faster;
 *               strata_comm_report says why.
 *   The first call on a communicator (or call number STRATA_ATTACH_AFTER, if that is set) attaches
 *   it, which takes the time of about a dozen small collectives. The first call with another size,
 *   root or kind of operator takes extra time, too, but a good deal less. STRATA_ALLGATHER=NAME and
 *   so on force an algorithm of `strata list`, which names the paper of each. All ranks of a
 *   communicator make a call by its name here; a rank that calls MPI's own in that place makes the
 *   others wait.
 *
 *   Errors: MPI_ERR_COMM (null), MPI_ERR_TYPE (null or not committed), MPI_ERR_COUNT (negative),
 *   MPI_ERR_BUFFER (null, MPI_IN_PLACE where it is not allowed, both buffers the same memory),
 *   MPI_ERR_ARG (a null array), MPI_ERR_ROOT (no rank of comm), MPI_ERR_OP (null, or not for this
 *   datatype), MPI_ERR_TRUNCATE (see below), MPI_ERR_NO_MEM, MPI_ERR_OTHER (see below). MPI's own
 *   collectives return their own codes. They also judge the arguments of a call that is like one
 *   which they served before.
 *   MPI_ERR_OTHER: MPI refused a message, in this call or in an earlier one, on this rank or on one
 *   from which this rank heard. Then ranks are out of step, and all later calls fail, too. A rank
 *   tells all others; but where MPI refuses that message, too, ranks of other nodes may wait for
 *   this rank's messages.
 *   MPI_ERR_TRUNCATE: ranks disagree about the size of a block or a vector, which may be shorter or
 *   longer than expected. The error comes on the ranks that find it. These may be ranks whose own
 *   arguments are right, if they received less, or others passed less on to them. The call ends on
 *   all ranks all the same, and the next call works. The output is undefined on a rank with the
 *   error, and where blocks of other ranks came through such a rank; nothing is written elsewhere.
 *   As in MPI the error is not always found. Sizes that all ranks should know select the plan. So
 *   ranks whose sizes lie between different powers of two may take different plans, or MPI's own
 *   collective, and may wait for ever. In an alltoallv or alltoallw by linear or pairwise, ranks
 *   may also wait for ever where only one of a block's two ranks takes it for empty.
 *   A mistake that is the same on all ranks is an error on all of them. But a rank does not look at
 *   arguments that are not significant there (those that only the root needs, the receive buffer of
 *   rank 0 in an exscan, a buffer for no elements). Then the mistake is an error on the other
 *   ranks, and this rank may wait for them, as in MPI's own call. One buffer for both sides is an
 *   error in alltoall, allgather, allreduce, scan and reduce_scatter_block. In the other
 *   collectives, where some ranks could not see the mistake, one buffer means MPI_IN_PLACE, if that
 *   would name the same memory. Other overlaps give undefined results, as in MPI. */
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
 *              ranks: each block is taken from recvbuf, and replaced there.
 *   recvbuf    out: block i, recvcount elements of recvtype, comes from rank i. */
STRATA_PUBLIC int strata_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                  void *recvbuf, int recvcount, MPI_Datatype recvtype,
                                  MPI_Comm comm);

/* Every rank sends a block of its own size to every rank: MPI_Alltoallv. As strata_alltoall, with
 *   sendcounts, recvcounts  in: elements of each block. Rank i must send to rank j as much as rank
 *                           j expects from rank i; blocks may be empty.
 *   sdispls, rdispls        in: where the blocks begin.
 *   MPI_IN_PLACE            on all ranks: sendcounts, sdispls and sendtype are ignored.
 *
 * The algorithm for small blocks follows SLOAV and SLOAVx: C. Xu, M. G. Venkata, R. L. Graham,
 * Y. Wang, Z. Liu, W. Yu, "SLOAVx: Scalable LOgarithmic AlltoallV Algorithm for Hierarchical
 * Multicore Systems", CCGrid 2013. */
STRATA_PUBLIC int strata_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                                   MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                                   const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm);

/* strata_alltoallv with a datatype of its own for each block: MPI_Alltoallw. As strata_alltoallv,
 * but with
 *   sdispls, rdispls      in: in bytes.
 *   sendtypes, recvtypes  in: one datatype for each block; that of an empty block is not read. */
STRATA_PUBLIC int strata_alltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                                   const MPI_Datatype sendtypes[], void *recvbuf,
                                   const int recvcounts[], const int rdispls[],
                                   const MPI_Datatype recvtypes[], MPI_Comm comm);

/* Every rank gets a block of equal size from every rank: MPI_Allgather.
 *   sendbuf    in: this rank's block, sendcount elements of sendtype. Or MPI_IN_PLACE on all ranks:
 *              the block is in its place in recvbuf already.
 *   recvbuf    out: block i, recvcount elements of recvtype, comes from rank i. */
STRATA_PUBLIC int strata_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                   void *recvbuf, int recvcount, MPI_Datatype recvtype,
                                   MPI_Comm comm);

/* Every rank gets a block of its own size from every rank: MPI_Allgatherv. As strata_allgather,
 * with
 *   recvcounts, displs  in: the size and place of block i, which rank i sends. The sizes are the
 *                       same on all ranks. */
STRATA_PUBLIC int strata_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                    void *recvbuf, const int recvcounts[], const int displs[],
                                    MPI_Datatype recvtype, MPI_Comm comm);

/* Every rank gets the root's data: MPI_Bcast.
 *   buffer  in at the root, out elsewhere: count elements of datatype. */
STRATA_PUBLIC int strata_bcast(void *buffer, int count, MPI_Datatype datatype, int root,
                               MPI_Comm comm);

/* The root gets a block of equal size from every rank: MPI_Gather.
 *   sendbuf  in: this rank's block. Or MPI_IN_PLACE at the root: its block is in its place in
 *            recvbuf already.
 *   recvbuf  out, at the root: block i, recvcount elements of recvtype, comes from rank i. */
STRATA_PUBLIC int strata_gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                void *recvbuf, int recvcount, MPI_Datatype recvtype, int root,
                                MPI_Comm comm);

/* The root gets a block of its own size from every rank: MPI_Gatherv. As strata_gather, with
 *   recvcounts, displs  in, at the root: the size and place of block i, which rank i sends. Where
 *                       ranks pass on blocks of others, lengths are sent ahead. */
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

/* Every rank gets a block of its own size from the root: MPI_Scatterv. As strata_scatter, with
 *   sendcounts, displs  in, at the root: the size and place of block i, for rank i. Where ranks
 *                       pass on blocks of others, lengths are sent ahead. */
STRATA_PUBLIC int strata_scatterv(const void *sendbuf, const int sendcounts[], const int displs[],
                                  MPI_Datatype sendtype, void *recvbuf, int recvcount,
                                  MPI_Datatype recvtype, int root, MPI_Comm comm);

/* The root gets all ranks' vectors combined, element by element: MPI_Reduce.
 *   sendbuf  in: count elements of datatype. Or MPI_IN_PLACE at the root: its elements are in
 *            recvbuf.
 *   recvbuf  out, at the root: count elements of datatype. */
STRATA_PUBLIC int strata_reduce(const void *sendbuf, void *recvbuf, int count,
                                MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm);

/* All ranks get all ranks' vectors combined, element by element: MPI_Allreduce. As strata_reduce,
 * but MPI_IN_PLACE is for all ranks, and the result is on all ranks. */
STRATA_PUBLIC int strata_allreduce(const void *sendbuf, void *recvbuf, int count,
                                   MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

/* Each rank gets its block of the combined vectors: MPI_Reduce_scatter.
 *   sendbuf     in: the blocks of all ranks, one behind another. Or MPI_IN_PLACE on all ranks: the
 *               blocks are in recvbuf, and the result goes to the beginning of recvbuf.
 *   recvbuf     out: recvcounts[rank] elements.
 *   recvcounts  in: elements of each rank's block, the same on all ranks. */
STRATA_PUBLIC int strata_reduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[],
                                        MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

/* Each rank gets its block of the combined vectors, all of one size: MPI_Reduce_scatter_block. As
 * strata_reduce_scatter, with blocks of recvcount elements. */
STRATA_PUBLIC int strata_reduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount,
                                              MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

/* Rank i gets the combined vectors of ranks 0 to i: MPI_Scan.
 *   sendbuf  in: count elements of datatype. Or MPI_IN_PLACE on all ranks: the elements are in
 *            recvbuf.
 *   recvbuf  out: count elements of datatype. */
STRATA_PUBLIC int strata_scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype,
                              MPI_Op op, MPI_Comm comm);

/* Rank i gets the combined vectors of ranks 0 to i-1: MPI_Exscan. The recvbuf of rank 0 is not
 * touched. */
STRATA_PUBLIC int strata_exscan(const void *sendbuf, void *recvbuf, int count,
                                MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);

/* Returns once all ranks have called it: MPI_Barrier. */
STRATA_PUBLIC int strata_barrier(MPI_Comm comm);

/* The collectives with large counts: MPI-4's MPI_Bcast_c and so on, on any MPI. As those above, but
 *   counts  in: of type MPI_Count. So a block, and all blocks together, may have more than 2^31
 *           elements, or bytes.
 *   displs  in: of type MPI_Aint.
 * With an MPI before MPI-4 all ranks call the same one of a collective's two forms. From MPI-4 on
 * the two forms are one procedure of MPI's, and each rank may call either. Where one of Strata's
 * plans serves the call, the MPI need not know of large counts. MPI's own collective is the _c form
 * of MPI-4. On an MPI before MPI-4 other calls do its work: with a datatype that stands for many
 * elements, with MPI_Alltoallw for blocks of different sizes, or with parts of a vector. An
 * operator on a vector of more than 2^31 elements gets parts of the vector, too.
 * Errors, besides those above: MPI_ERR_COUNT (a sum that no MPI_Count holds; more than 2^31
 * elements together in strata_reduce_scatter_c and strata_reduce_scatter_block_c on an
 * intercommunicator of an MPI before MPI-4). */
STRATA_PUBLIC int strata_alltoall_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                    void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                                    MPI_Comm comm);
STRATA_PUBLIC int strata_alltoallv_c(const void *sendbuf, const MPI_Count sendcounts[],
                                     const MPI_Aint sdispls[], MPI_Datatype sendtype, void *recvbuf,
                                     const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                                     MPI_Datatype recvtype, MPI_Comm comm);
STRATA_PUBLIC int strata_alltoallw_c(const void *sendbuf, const MPI_Count sendcounts[],
                                     const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                     void *recvbuf, const MPI_Count recvcounts[],
                                     const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                                     MPI_Comm comm);
STRATA_PUBLIC int strata_allgather_c(const void *sendbuf, MPI_Count sendcount,
                                     MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount,
                                     MPI_Datatype recvtype, MPI_Comm comm);
STRATA_PUBLIC int strata_allgatherv_c(const void *sendbuf, MPI_Count sendcount,
                                      MPI_Datatype sendtype, void *recvbuf,
                                      const MPI_Count recvcounts[], const MPI_Aint displs[],
                                      MPI_Datatype recvtype, MPI_Comm comm);
STRATA_PUBLIC int strata_bcast_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int root,
                                 MPI_Comm comm);
STRATA_PUBLIC int strata_gather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                  void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                                  int root, MPI_Comm comm);
STRATA_PUBLIC int strata_gatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                   void *recvbuf, const MPI_Count recvcounts[],
                                   const MPI_Aint displs[], MPI_Datatype recvtype, int root,
                                   MPI_Comm comm);
STRATA_PUBLIC int strata_scatter_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                   void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                                   int root, MPI_Comm comm);
STRATA_PUBLIC int strata_scatterv_c(const void *sendbuf, const MPI_Count sendcounts[],
                                    const MPI_Aint displs[], MPI_Datatype sendtype, void *recvbuf,
                                    MPI_Count recvcount, MPI_Datatype recvtype, int root,
                                    MPI_Comm comm);
STRATA_PUBLIC int strata_reduce_c(const void *sendbuf, void *recvbuf, MPI_Count count,
                                  MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm);
STRATA_PUBLIC int strata_allreduce_c(const void *sendbuf, void *recvbuf, MPI_Count count,
                                     MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
STRATA_PUBLIC int strata_scan_c(const void *sendbuf, void *recvbuf, MPI_Count count,
                                MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
STRATA_PUBLIC int strata_exscan_c(const void *sendbuf, void *recvbuf, MPI_Count count,
                                  MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
STRATA_PUBLIC int strata_reduce_scatter_c(const void *sendbuf, void *recvbuf,
                                          const MPI_Count recvcounts[], MPI_Datatype datatype,
                                          MPI_Op op, MPI_Comm comm);
STRATA_PUBLIC int strata_reduce_scatter_block_c(const void *sendbuf, void *recvbuf,
                                                MPI_Count recvcount, MPI_Datatype datatype,
                                                MPI_Op op, MPI_Comm comm);

/* Calls that do not block: each begins a collective and returns a request, which strata_wait and
 * the like complete. docs/requests.md tells how they go on.
 *
 * Common to strata_ialltoall and its like
 *   Collective over comm; none waits for another rank. The arguments are those of the blocking
 *   call, and a request:
 *   sendbuf, recvbuf       must not be changed, nor recvbuf read, before the request is complete.
 *   counts, displs, types  may be changed and freed when the call returns, unless MPI's own serves
 *                          the call: then arrays must stay as they are until the request is
 *                          complete.
 *   request                out: the caller's; the call that completes it frees it and sets it to
 *                          NULL.
 *   All ranks begin the calls on one communicator in the same order, blocking calls included. They
 *   may complete them in any order. At most 16 calls on a communicator go on at the same time;
 *   later ones queue. comm may be freed at once.
 *   Plans serve these calls as they serve blocking calls, but with messages alone, unless nodes
 *   have memory set aside for them. Nodes have it after strata_comm_attach has named a call that
 *   does not block, or after a persistent call was described; for members, from the start.
 *   MPI's own serves, inside the request, calls that no plan serves. These are: calls on a
 *   communicator that nothing has attached (no blocking call, no strata_comm_attach, and no
 *   initialisation of a persistent call); reductions with an operator of the program's; and calls
 *   that MPI's own also serves where they block, unless only for its speed. strata_comm_report says
 *   so. STRATA_EXPLAIN and STRATA_SHADOW pass over these calls.
 *   Progress: MPI's own calls do not move requests that plans serve. Nor does a call of Strata's
 *   that MPI's own serves, on another communicator. Every other collective here moves all requests
 *   while it waits, and so do strata_wait, strata_test and strata_progress. So a rank can stand
 *   still for ever, where MPI's own call would not, if it waits in MPI_Recv for a message that
 *   another rank sends after its strata_wait; unless STRATA_PROGRESS asks for a thread that moves
 *   requests.
 *   Errors: those of the blocking call. An error in the arguments is returned at once, and there is
 *   no request. A later error is returned by the call that completes the request. Both go through
 *   the handler of comm, or of MPI_COMM_WORLD where comm was freed. Where several calls are open, a
 *   wrong length may be found too late for the ranks to go on. */
struct strata_request;

/* Begins strata_alltoall: MPI_Ialltoall. */
STRATA_PUBLIC int strata_ialltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                   void *recvbuf, int recvcount, MPI_Datatype recvtype,
                                   MPI_Comm comm, struct strata_request **request);
/* Begins strata_alltoallv: MPI_Ialltoallv. */
STRATA_PUBLIC int strata_ialltoallv(const void *sendbuf, const int sendcounts[],
                                    const int sdispls[], MPI_Datatype sendtype, void *recvbuf,
                                    const int recvcounts[], const int rdispls[],
                                    MPI_Datatype recvtype, MPI_Comm comm,
                                    struct strata_request **request);
/* Begins strata_alltoallw: MPI_Ialltoallw. */
STRATA_PUBLIC int strata_ialltoallw(const void *sendbuf, const int sendcounts[],
                                    const int sdispls[], const MPI_Datatype sendtypes[],
                                    void *recvbuf, const int recvcounts[], const int rdispls[],
                                    const MPI_Datatype recvtypes[], MPI_Comm comm,
                                    struct strata_request **request);
/* Begins strata_allgather: MPI_Iallgather. */
STRATA_PUBLIC int strata_iallgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                    void *recvbuf, int recvcount, MPI_Datatype recvtype,
                                    MPI_Comm comm, struct strata_request **request);
/* Begins strata_allgatherv: MPI_Iallgatherv. */
STRATA_PUBLIC int strata_iallgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                     void *recvbuf, const int recvcounts[], const int displs[],
                                     MPI_Datatype recvtype, MPI_Comm comm,
                                     struct strata_request **request);
/* Begins strata_bcast: MPI_Ibcast. */
STRATA_PUBLIC int strata_ibcast(void *buffer, int count, MPI_Datatype datatype, int root,
                                MPI_Comm comm, struct strata_request **request);
/* Begins strata_gather: MPI_Igather. */
STRATA_PUBLIC int strata_igather(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                 void *recvbuf, int recvcount, MPI_Datatype recvtype, int root,
                                 MPI_Comm comm, struct strata_request **request);
/* Begins strata_gatherv: MPI_Igatherv. */
STRATA_PUBLIC int strata_igatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                  void *recvbuf, const int recvcounts[], const int displs[],
                                  MPI_Datatype recvtype, int root, MPI_Comm comm,
                                  struct strata_request **request);
/* Begins strata_scatter: MPI_Iscatter. */
STRATA_PUBLIC int strata_iscatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                  void *recvbuf, int recvcount, MPI_Datatype recvtype, int root,
                                  MPI_Comm comm, struct strata_request **request);
/* Begins strata_scatterv: MPI_Iscatterv. */
STRATA_PUBLIC int strata_iscatterv(const void *sendbuf, const int sendcounts[], const int displs[],
                                   MPI_Datatype sendtype, void *recvbuf, int recvcount,
                                   MPI_Datatype recvtype, int root, MPI_Comm comm,
                                   struct strata_request **request);
/* Begins strata_reduce: MPI_Ireduce. */
STRATA_PUBLIC int strata_ireduce(const void *sendbuf, void *recvbuf, int count,
                                 MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm,
                                 struct strata_request **request);
/* Begins strata_allreduce: MPI_Iallreduce. */
STRATA_PUBLIC int strata_iallreduce(const void *sendbuf, void *recvbuf, int count,
                                    MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                                    struct strata_request **request);
/* Begins strata_reduce_scatter: MPI_Ireduce_scatter. */
STRATA_PUBLIC int strata_ireduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[],
                                         MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                                         struct strata_request **request);
/* Begins strata_reduce_scatter_block: MPI_Ireduce_scatter_block. */
STRATA_PUBLIC int strata_ireduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount,
                                               MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                                               struct strata_request **request);
/* Begins strata_scan: MPI_Iscan. */
STRATA_PUBLIC int strata_iscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype,
                               MPI_Op op, MPI_Comm comm, struct strata_request **request);
/* Begins strata_exscan: MPI_Iexscan. */
STRATA_PUBLIC int strata_iexscan(const void *sendbuf, void *recvbuf, int count,
                                 MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                                 struct strata_request **request);
/* Begins strata_barrier: MPI_Ibarrier. */
STRATA_PUBLIC int strata_ibarrier(MPI_Comm comm, struct strata_request **request);

/* Persistent calls: each describes a collective once, to be started many times.
 *
 * Common to strata_alltoall_init and its like
 *   As strata_ialltoall and its like, but the call does not begin: strata_start begins it. The
 *   calls that complete the request leave it inactive, to be started again. The initialisation
 *   finds the plan, the places of the data, and lengths that one rank alone does not know.
 *   info     in: MPI_INFO_NULL; or one whose "strata_init_measure" is "off", "moves" or "all",
 *            which goes before STRATA_INIT_MEASURE. The algorithm is the one that was the fastest
 *            on memory of Strata's own: in any call ("all"), or unless the call combines
 *            ("moves"). The most that a rank asks for holds for all. Another word is
 *            MPI_ERR_INFO_VALUE.
 *   request  out: the caller's, until strata_request_free.
 *   Collective over comm, in the same order on all ranks. So are starts, which do not wait. The
 *   initialisation waits: it attaches comm, as a blocking call does, and all ranks agree on what
 *   they find, so an error on one rank is an error on all. comm must not be freed before the last
 *   start. Arguments of a call that MPI's own serves must stay as they are as long as the request
 *   exists. */

/* Describes strata_alltoall: MPI_Alltoall_init. */
STRATA_PUBLIC int strata_alltoall_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                       void *recvbuf, int recvcount, MPI_Datatype recvtype,
                                       MPI_Comm comm, MPI_Info info,
                                       struct strata_request **request);
/* Describes strata_alltoallv: MPI_Alltoallv_init. */
STRATA_PUBLIC int strata_alltoallv_init(const void *sendbuf, const int sendcounts[],
                                        const int sdispls[], MPI_Datatype sendtype, void *recvbuf,
                                        const int recvcounts[], const int rdispls[],
                                        MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                        struct strata_request **request);
/* Describes strata_alltoallw: MPI_Alltoallw_init. */
STRATA_PUBLIC int strata_alltoallw_init(const void *sendbuf, const int sendcounts[],
                                        const int sdispls[], const MPI_Datatype sendtypes[],
                                        void *recvbuf, const int recvcounts[], const int rdispls[],
                                        const MPI_Datatype recvtypes[], MPI_Comm comm,
                                        MPI_Info info, struct strata_request **request);
/* Describes strata_allgather: MPI_Allgather_init. */
STRATA_PUBLIC int strata_allgather_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                        void *recvbuf, int recvcount, MPI_Datatype recvtype,
                                        MPI_Comm comm, MPI_Info info,
                                        struct strata_request **request);
/* Describes strata_allgatherv: MPI_Allgatherv_init. */
STRATA_PUBLIC int strata_allgatherv_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                         void *recvbuf, const int recvcounts[], const int displs[],
                                         MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                         struct strata_request **request);
/* Describes strata_bcast: MPI_Bcast_init. */
STRATA_PUBLIC int strata_bcast_init(void *buffer, int count, MPI_Datatype datatype, int root,
                                    MPI_Comm comm, MPI_Info info, struct strata_request **request);
/* Describes strata_gather: MPI_Gather_init. */
STRATA_PUBLIC int strata_gather_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                     void *recvbuf, int recvcount, MPI_Datatype recvtype, int root,
                                     MPI_Comm comm, MPI_Info info, struct strata_request **request);
/* Describes strata_gatherv: MPI_Gatherv_init. */
STRATA_PUBLIC int strata_gatherv_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                      void *recvbuf, const int recvcounts[], const int displs[],
                                      MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                                      struct strata_request **request);
/* Describes strata_scatter: MPI_Scatter_init. */
STRATA_PUBLIC int strata_scatter_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                      void *recvbuf, int recvcount, MPI_Datatype recvtype, int root,
                                      MPI_Comm comm, MPI_Info info,
                                      struct strata_request **request);
/* Describes strata_scatterv: MPI_Scatterv_init. */
STRATA_PUBLIC int strata_scatterv_init(const void *sendbuf, const int sendcounts[],
                                       const int displs[], MPI_Datatype sendtype, void *recvbuf,
                                       int recvcount, MPI_Datatype recvtype, int root,
                                       MPI_Comm comm, MPI_Info info,
                                       struct strata_request **request);
/* Describes strata_reduce: MPI_Reduce_init. */
STRATA_PUBLIC int strata_reduce_init(const void *sendbuf, void *recvbuf, int count,
                                     MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm,
                                     MPI_Info info, struct strata_request **request);
/* Describes strata_allreduce: MPI_Allreduce_init. */
STRATA_PUBLIC int strata_allreduce_init(const void *sendbuf, void *recvbuf, int count,
                                        MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                                        MPI_Info info, struct strata_request **request);
/* Describes strata_reduce_scatter: MPI_Reduce_scatter_init. */
STRATA_PUBLIC int strata_reduce_scatter_init(const void *sendbuf, void *recvbuf,
                                             const int recvcounts[], MPI_Datatype datatype,
                                             MPI_Op op, MPI_Comm comm, MPI_Info info,
                                             struct strata_request **request);
/* Describes strata_reduce_scatter_block: MPI_Reduce_scatter_block_init. */
STRATA_PUBLIC int strata_reduce_scatter_block_init(const void *sendbuf, void *recvbuf,
                                                   int recvcount, MPI_Datatype datatype, MPI_Op op,
                                                   MPI_Comm comm, MPI_Info info,
                                                   struct strata_request **request);
/* Describes strata_scan: MPI_Scan_init. */
STRATA_PUBLIC int strata_scan_init(const void *sendbuf, void *recvbuf, int count,
                                   MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                                   struct strata_request **request);
/* Describes strata_exscan: MPI_Exscan_init. */
STRATA_PUBLIC int strata_exscan_init(const void *sendbuf, void *recvbuf, int count,
                                     MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                                     struct strata_request **request);
/* Describes strata_barrier: MPI_Barrier_init. */
STRATA_PUBLIC int strata_barrier_init(MPI_Comm comm, MPI_Info info,
                                      struct strata_request **request);

/* A persistent strata_alltoallv to which threads contribute parts. Each part is a piece of each
 * block. A thread tells when its part is ready, and the part leaves without waiting for the others.
 * Nobody merges the threads' data: the pieces from a rank arrive one behind another, in the order
 * of the parts.
 *   parts       in: this rank's parts, 1 to 64; ranks may have different numbers.
 *   sendcounts  in: parts * ranks numbers of elements: those of part p for rank r are
 *               sendcounts[p * ranks + r]. Likewise sdispls. Both are copied.
 *   recvcounts  in: numbers of elements of the whole blocks. Likewise rdispls.
 * What else is said of strata_alltoallv_init holds, but sendbuf must not be MPI_IN_PLACE, and each
 * piece must be a whole number of elements of recvtype. strata_start begins the request;
 * strata_part_ready makes it go on, for each part once in each start. The parts' data may change
 * between the start and strata_part_ready, and not after it before the request is complete.
 *   Collective over comm, as the initialisation of other persistent calls. Each part takes one or
 *   two of MPI's communicators. comm may be freed after the initialisation.
 * Errors, on all ranks if on one: those of strata_alltoallv_init; MPI_ERR_COMM (an
 * intercommunicator, or a thread's handle), MPI_ERR_ARG (parts; in place; a block that ends behind
 * 2^31 elements), MPI_ERR_TYPE (a piece that is no whole number of elements), MPI_ERR_TRUNCATE (the
 * pieces do not make up the block). Errors of later calls go through the handler that comm had. */
STRATA_PUBLIC int strata_alltoallv_parts_init(int parts, const void *sendbuf,
                                              const int sendcounts[], const int sdispls[],
                                              MPI_Datatype sendtype, void *recvbuf,
                                              const int recvcounts[], const int rdispls[],
                                              MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                              struct strata_request **request);
/* Says that a part of a request that was started is ready: MPI_Pready. Local; does not wait. Any
 * thread may call it, whatever MPI_Init_thread granted, and several threads at the same time. With
 * MPI_THREAD_MULTIPLE the thread begins to send the part. Below, the part leaves in the next call
 * that completes or moves requests; with MPI_THREAD_FUNNELED also in this call, if the thread is
 * the one that described the request.
 *   part  in: 0 to parts - 1.
 * Errors: MPI_ERR_REQUEST (a request without parts, or not under way), MPI_ERR_ARG (no such part,
 * or one that was ready already). A thread that may not call MPI calls no error handler: it prints
 * the error and returns it. The request goes on as if there had been no such call. */
STRATA_PUBLIC int strata_part_ready(struct strata_request *request, int part);

/* Begins the call that a persistent request describes: MPI_Start. Local; does not wait.
 *   request  inout: a persistent request that is inactive.
 * Errors: MPI_ERR_REQUEST (none, or it is under way), and those of the call. */
STRATA_PUBLIC int strata_start(struct strata_request **request);
/* Begins the calls of several persistent requests, in their order: MPI_Startall. Ends at the first
 * call that fails. */
STRATA_PUBLIC int strata_startall(int count, struct strata_request *requests[]);
/* Frees a persistent request that is inactive: MPI_Request_free. Local. Sets it to NULL.
 * Errors: MPI_ERR_REQUEST (none, or it is under way: then it must be completed first). */
STRATA_PUBLIC int strata_request_free(struct strata_request **request);

/* Waits until a request is complete: MPI_Wait. It moves all requests of the process.
 *   request  inout: NULL and an inactive request are complete already. Set to NULL, or made
 *            inactive if it is persistent.
 *   status   out: holds nothing but the error of the collective; or MPI_STATUS_IGNORE.
 * Common to all calls that complete requests: each returns the error of the collective, if one was
 * found. A call with statuses of several requests returns MPI_ERR_IN_STATUS, and each status holds
 * its request's error. Errors of their own: MPI_ERR_ARG (a null argument, a negative count). */
STRATA_PUBLIC int strata_wait(struct strata_request **request, MPI_Status *status);
/* Completes a request if it can, without waiting: MPI_Test.
 *   flag  out: 1 if the request is complete, and then as strata_wait leaves it; else 0. */
STRATA_PUBLIC int strata_test(struct strata_request **request, int *flag, MPI_Status *status);
/* Waits until all of the requests are complete: MPI_Waitall.
 *   requests  inout: count requests, any of which may be NULL.
 *   statuses  out: count statuses; or MPI_STATUSES_IGNORE. */
STRATA_PUBLIC int strata_waitall(int count, struct strata_request *requests[],
                                 MPI_Status *statuses);
/* Waits until all of MPI's requests and all of the requests here are complete, and moves both: a
 * program that waits for one kind first does not move the other kind meanwhile.
 *   mpi_requests   inout: mpi_count of them, as in MPI_Waitall.
 *   mpi_statuses   out: mpi_count statuses; or MPI_STATUSES_IGNORE.
 *   requests, statuses   as in strata_waitall.
 * Returns the error of MPI's requests, which MPI raises as in MPI_Waitall, before the error of
 * these requests. */
STRATA_PUBLIC int strata_waitall_with(int mpi_count, MPI_Request mpi_requests[],
                                      MPI_Status *mpi_statuses, int count,
                                      struct strata_request *requests[], MPI_Status *statuses);
/* Completes all of the requests if all can be, or none: MPI_Testall. */
STRATA_PUBLIC int strata_testall(int count, struct strata_request *requests[], int *flag,
                                 MPI_Status *statuses);
/* Waits until one of the requests is complete: MPI_Waitany.
 *   index  out: its index; MPI_UNDEFINED where all are NULL or inactive. */
STRATA_PUBLIC int strata_waitany(int count, struct strata_request *requests[], int *index,
                                 MPI_Status *status);
/* Completes one of the requests if it can: MPI_Testany.
 *   flag  out: 1 if one is complete, or all are NULL or inactive. */
STRATA_PUBLIC int strata_testany(int count, struct strata_request *requests[], int *index,
                                 int *flag, MPI_Status *status);
/* Completes those of the requests that it can: MPI_Testsome.
 *   done      out: how many it completed; MPI_UNDEFINED where all are NULL or inactive.
 *   indices   out: their indices.
 *   statuses  out: their statuses, in the same order; or MPI_STATUSES_IGNORE. */
STRATA_PUBLIC int strata_testsome(int count, struct strata_request *requests[], int *done,
                                  int indices[], MPI_Status *statuses);
/* Moves all requests of the process on, and completes none. Local; does not wait. */
STRATA_PUBLIC int strata_progress(void);

/* The standing of a communicator. */
enum strata_standing {
    STRATA_STANDING_NEW = 0,     /* no call was made on it */
    STRATA_STANDING_WAITING = 1, /* served by MPI's own so far; `why` gives the reason */
    STRATA_STANDING_NATIVE = 2,  /* served by MPI's own from now on; `why` gives the reason */
    STRATA_STANDING_ATTACHED = 3 /* served by plans */
};

/* What this rank knows about its calls on a communicator. Figures are sums over all calls since
 * the communicator's first; take the difference of two reports for one call. */
struct strata_report {
    size_t size; /* in: sizeof(struct strata_report); nothing is written beyond it, so a program
                    works with later libraries, whose struct is longer. out: bytes filled */
    int32_t standing;   /* enum strata_standing */
    char algorithm[96]; /* of the last call, with parameters: "leaders:leaders=2,radix=2"; "native"
                           for MPI's own; "" before the first call */
    char why[160];      /* why that algorithm was chosen, or why MPI's own served the call */

    int32_t ranks, nodes, node_ranks; /* ranks and nodes of the communicator; ranks of this rank's
                                         node. 0 where unknown: not attached */
    int32_t lanes, passes;            /* of the last call's plan; 0 for MPI's own */
    uint64_t threshold;               /* bytes, of the last plan: larger blocks go rank to rank */

    uint64_t calls, calls_native;     /* calls that plans served; calls that MPI's own served */
    uint64_t messages, messages_node; /* sent by this rank to other nodes; inside its node */
    uint64_t bytes, bytes_node;       /* in these messages, headers included */
    uint64_t copied;                  /* bytes that this rank copied */

    /* memory of the communicator's state */
    uint64_t node_memory_bytes; /* shared memory of this node, also that for persistent calls */
    uint64_t scratch_bytes;     /* this rank's own memory */

    /* the whole process: all communicators together */
    int32_t private_communicators;     /* communicators that Strata holds now */
    int32_t arenas;                    /* pieces of memory that processes of a host share */
    uint64_t arena_bytes, arena_spare; /* bytes in all arenas; bytes of the largest free region */

    /* strata_allgather_shared and strata_bcast_shared on this communicator */
    uint64_t results;        /* calls whose result lies once in each node */
    uint64_t results_copied; /* calls after which each rank has a copy of its own */
    uint64_t results_bytes;  /* memory of this node that holds unreleased or kept results */
    char results_why[160];   /* why the last such call left copies; "" where none did */

    /* bytes that this rank took out of the memory of other ranks of its node, in one copy */
    uint64_t lent_mapped; /* the memory is mapped here, as strata_alloc's is */
    uint64_t lent_read;   /* the system read a block that lay in one piece */
    uint64_t lent_pieces; /* the system read a block in several pieces, by its datatype */
    uint64_t lent_asked;  /* the system refused to read, so the block's rank was asked to copy it */

    /* threads that share this rank's copying and combining */
    int32_t threads;       /* of a team that a call opens, with the caller; 1: none opens any */
    uint64_t teams_opened; /* calls that opened one */
    uint64_t helped;       /* pieces of work that other threads did */
    uint64_t helps_from; /* bytes from which on the threads of opened teams share a copy; 0: none */
};

/* Tells a communicator's standing and the sums over its calls. Local; does not block. Never
 * attaches the communicator.
 *   comm    in: any communicator.
 *   report  out; report->size must be set before.
 * Errors: MPI_ERR_COMM (null), MPI_ERR_ARG (report is NULL, or its size is smaller than the first
 * two fields). */
STRATA_PUBLIC int strata_comm_report(MPI_Comm comm, struct strata_report *report);

/* Forces an algorithm for one communicator, in place of the choice that STRATA_ALLTOALL and so on
 * make: for programs that compare algorithms, or know better than the cost model. Holds for the
 * communicator's later calls; duplicates do not inherit it.
 * Collective over comm; may block.
 *   comm        in: an intracommunicator.
 *   collective  in: the name in lower case without prefix: "alltoall", "reduce_scatter".
 *   choice      in: as the variable's value: "NAME" or "NAME:PARAMETER=VALUE,..." of `strata list`,
 *               where cost decides about parameters that are left out; "auto": the cheapest;
 *               "native": MPI's own; NULL: what the variable says. Where the algorithm does not
 *               apply to a call, MPI's own serves it, and strata_comm_report says why; of
 *               "prefer:NAME" costs then choose (docs/tuned-calls.md).
 * Errors: MPI_ERR_COMM (null, or an intercommunicator), MPI_ERR_ARG (no such collective, algorithm
 * or parameter, or not the same on all ranks; nothing is changed then), MPI_ERR_NO_MEM. */
STRATA_PUBLIC int strata_comm_force(MPI_Comm comm, const char *collective, const char *choice);

/* Gives memory out of which the ranks of a host copy blocks by themselves. Blocks that lie anywhere
 * else they read through the system, which costs a call for each block, or through a copy. Any
 * buffer of any call may lie in this memory, a send or a receive buffer, whole or in part.
 * Otherwise the memory is like any other. Its pages are near the rank that asked for it. Collective
 * over comm; may block.
 *   bytes    in: how many this rank wants; ranks may want different numbers, also 0.
 *   comm     in: an intracommunicator. It may be freed before the memory is.
 *   pointer  out: a void * or any other pointer to an object, as in MPI_Alloc_mem: where this
 *            rank's bytes begin, aligned to 64 bytes.
 * The memory lies in /dev/shm. All its pages are there when the call returns, so the first access
 * to a page does not fail.
 * Errors: MPI_ERR_COMM (null, or an intercommunicator), MPI_ERR_ARG (negative bytes or a null
 * pointer, on any rank), MPI_ERR_NO_MEM (a host has too little memory or free shared memory, or a
 * rank cannot map it); all ranks get an error, and nothing is allocated then. */
STRATA_PUBLIC int strata_alloc(MPI_Aint bytes, MPI_Comm comm, void *pointer);

/* Gives back memory of strata_alloc, before MPI_Finalize. Collective over the ranks of that comm,
 * in the same order on all ranks where there are several; may block. No call may still use it.
 *   pointer  in: the pointer that strata_alloc wrote.
 * Errors: MPI_ERR_ARG (no such pointer), through MPI's handler for calls without a communicator. */
STRATA_PUBLIC int strata_free(void *pointer);

/* Results that lie once in each node: for data that all ranks read and none changes, such as tables
 * or a whole vector. With k ranks on a node they take a k-th of the memory, and no rank copies data
 * out that are in the node already. The ranks and threads of a hybrid program compute on the result
 * as if each rank had its own; docs/guide.md has an example.
 *
 * Common to strata_allgather_shared and strata_bcast_shared
 *   Collective over comm, which they attach. They may block. They also make an allreduce of 40
 *   bytes, which strata_comm_report counts.
 *   result  out: a const void * or any other pointer to an object, as in MPI_Alloc_mem: where the
 *           result begins, for this rank; ranks have other addresses for the same memory. The
 *           memory is read only: a store into it is a segmentation fault. It stays as it is until
 *           this rank releases it by strata_shared_release, also when comm was freed, and after
 *           MPI_Finalize.
 *   Any number of results may be unreleased. Memory that all ranks of comm have released is used
 *   for a next result of comm, so calls in a loop map no new memory. It is given back with comm.
 *   A received datatype must have the same map on all ranks. The bytes in its gaps are undefined.
 *   The memory comes from /dev/shm, for no more than is free there, and has no name in it.
 *   STRATA_BUDGET does not count it. The ranks agree that there is room for the result before data
 *   move: where some node has none, all ranks get MPI_ERR_NO_MEM, and nothing is changed.
 *   Each rank gets a copy, which is read only, too, where the ranks of some node cannot have memory
 *   in common, where comm cannot be attached, or where every rank has a node of its own. The copy
 *   comes by strata_allgather or strata_bcast; results_copied and results_why of strata_comm_report
 *   tell. STRATA_ALLGATHER=native and STRATA_BCAST=native have that effect, too.
 *   Errors, on all ranks if on one: MPI_ERR_COMM (null, or an intercommunicator), MPI_ERR_TYPE,
 *   MPI_ERR_COUNT, MPI_ERR_BUFFER (null; MPI_IN_PLACE), MPI_ERR_ARG (a null result; or, on a rank
 *   whose arguments are right, wrong arguments on another rank), MPI_ERR_ROOT, MPI_ERR_TRUNCATE
 *   (ranks disagree about the size), MPI_ERR_NO_MEM, and those of the collective. */

/* strata_allgather into one result for each node.
 *   sendbuf  in: this rank's block, sendcount elements of sendtype.
 *   result   out: block i, recvcount elements of recvtype, comes from rank i. */
STRATA_PUBLIC int strata_allgather_shared(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                          void *result, int recvcount, MPI_Datatype recvtype,
                                          MPI_Comm comm);

/* strata_bcast into one result for each node.
 *   buffer  in, at the root: count elements of datatype, which it may change when the call returns;
 *           ignored on the others.
 *   result  out, on all ranks: count elements of datatype. */
STRATA_PUBLIC int strata_bcast_shared(const void *buffer, int count, MPI_Datatype datatype,
                                      void *result, int root, MPI_Comm comm);

/* strata_allgather_shared_c and strata_bcast_shared_c are strata_allgather_shared and
 * strata_bcast_shared with large counts, as in the collectives above. A result that is longer than
 * any memory is MPI_ERR_NO_MEM. */
STRATA_PUBLIC int strata_allgather_shared_c(const void *sendbuf, MPI_Count sendcount,
                                            MPI_Datatype sendtype, void *result,
                                            MPI_Count recvcount, MPI_Datatype recvtype,
                                            MPI_Comm comm);
STRATA_PUBLIC int strata_bcast_shared_c(const void *buffer, MPI_Count count, MPI_Datatype datatype,
                                        void *result, int root, MPI_Comm comm);

/* Releases a result. Local; ranks release their results in any order, and need not wait for each
 * other. May be called after comm was freed, and after MPI_Finalize; threads may call it at the
 * same time.
 *   result  in: the pointer that strata_allgather_shared or strata_bcast_shared wrote. The result
 *           must not be read any more.
 * Errors: MPI_ERR_ARG (no such result), through MPI's handler for calls without a communicator. */
STRATA_PUBLIC int strata_shared_release(const void *result);

/* Asks for the same bits: this communicator's reductions (reduce, allreduce, reduce_scatter,
 * reduce_scatter_block, scan, exscan) combine strictly from left to right in the order of ranks,
 * ((x0 op x1) op x2) and so on, as a loop over them would. So a result depends on the ranks' data
 * alone: not on nodes, the MPI library, threads, sizes, or a forced choice; an algorithm that
 * combines otherwise does not apply. Goes before STRATA_SAME_BITS, for the communicator's later
 * calls; duplicates do not inherit it. Collective over comm, which it attaches; may block.
 *   comm    in: an intracommunicator.
 *   wanted  in: 1; or 0: in any order, which does not attach comm. The same on all ranks.
 * Errors: MPI_ERR_COMM (null, or an intercommunicator), MPI_ERR_ARG (neither 0 nor 1, or not the
 * same on all ranks), MPI_ERR_OTHER (it cannot be attached; strata_comm_report says why),
 * MPI_ERR_NO_MEM; nothing is changed then. */
STRATA_PUBLIC int strata_comm_same_bits(MPI_Comm comm, int wanted);

/* Sets a communicator up at once, as its first call would (also where STRATA_ATTACH_AFTER asks for
 * a later call), and makes the plans of expected calls: for programs that time their first calls.
 * On a communicator that is attached already it only makes plans. Collective over comm; may block.
 *   comm   in: an intracommunicator.
 *   calls  in: the same text on all ranks: calls with semicolons between them, such as
 *          "alltoallv; allgather:bytes=1K; bcast:bytes=8,root=2". NULL or "": no plans. A call is
 *          the name of a collective in lower case without prefix, with "i" before it for a call
 *          that does not block, or "_init" behind it for a persistent call; and with
 *            bytes  where all ranks know their call's size (not alltoallv, alltoallw, gatherv,
 *                   scatterv, barrier): of each block, or of the vector. Digits and K, M or G. A
 *                   plan serves all sizes up to the next power of two. 0 if left out.
 *            root   rooted collectives: a rank of comm; 0 if left out.
 *          Reductions are expected to commute. A call that is made otherwise makes its own plan.
 *          The first named call that does not block, or is persistent, has each node set memory
 *          aside for all such calls on comm, until comm is freed: twice as much as comm's blocking
 *          calls have, or as much, if there is room. Without such a name no memory is set aside
 *          before a persistent call.
 * Where the communicator cannot be attached, MPI's own serves its calls, and that is no error;
 * strata_comm_report says why.
 * Errors: MPI_ERR_COMM (null, or an intercommunicator), MPI_ERR_ARG (a text that names no such
 * collective or parameter, a value that is not allowed, or not the same text on all ranks; nothing
 * is attached then), MPI_ERR_NO_MEM, MPI_ERR_INTERN (with STRATA_CHECK=1: a plan is wrong). */
STRATA_PUBLIC int strata_comm_attach(MPI_Comm comm, const char *calls);

/* Gives back what Strata holds of a communicator, as MPI_Comm_free would: its plans, its memory and
 * the private communicator. Forced choices, and the figures of strata_comm_report, are forgotten.
 * The next call attaches it anew.
 * Collective over comm; does not wait for other ranks.
 *   comm  in: any intracommunicator, attached or not.
 * Chains of comm keep what they need until they are freed.
 * Errors: MPI_ERR_COMM (null, or an intercommunicator). */
STRATA_PUBLIC int strata_comm_detach(MPI_Comm comm);

/* The algorithms of a collective that strata_comm_force takes, in the order of `strata list`: for
 * programs that try them all. Whether one applies to a call depends on the call.
 *   collective  in: as strata_comm_force takes it.
 *   index       in: 0, 1, ...
 *   return      a name, the library's own text; NULL past the last, or for no collective.
 * Local; may be called at any time. */
STRATA_PUBLIC const char *strata_algorithm_at(const char *collective, int index);

/* Writes for people what Strata found out about a communicator: versions, topology, the hosts with
 * their processes and processing units, limits, and the configuration table. The form may change.
 * Collective over comm; attaches it (also where STRATA_ATTACH_AFTER asks for later); may block.
 *   comm  in: an intracommunicator.
 *   file  in: where rank 0 writes; ignored on the others, may be NULL there.
 * Errors: MPI_ERR_COMM (null, or an intercommunicator), MPI_ERR_ARG (NULL file at rank 0),
 * MPI_ERR_NO_MEM. */
STRATA_PUBLIC int strata_comm_describe(MPI_Comm comm, FILE *file);

/* Draws the host of comm's rank 0 as a picture in SVG: its packages, NUMA domains, last-level
 * caches and cores, with the ranks of comm that run there, and how many OpenMP threads each has
 * where the program has said.
 * Collective over comm; attaches it as strata_comm_describe does; may block.
 *   comm  in: an intracommunicator.
 *   file  in: where rank 0 writes; ignored on the others, may be NULL there.
 * Errors: those of strata_comm_describe, and at rank 0 MPI_ERR_OTHER (comm cannot be attached, or
 * hwloc knows nothing of the host). */
STRATA_PUBLIC int strata_comm_draw(MPI_Comm comm, FILE *file);

/* Threads as members of collectives: each thread of each rank makes calls with its own buffers, as
 * if it were a rank. docs/members.md has an example.
 *
 * Members are numbered rank by rank, and in a rank thread by thread. Each thread has a handle,
 * which is an MPI communicator of its own: every collective above, blocking, nonblocking or
 * persistent, takes it in place of comm. Then "rank" means a member's number wherever a call counts
 * ranks: in counts, roots and the order of operands. What Strata sends between nodes is what it
 * sends for as many ranks.
 *   Calls     All members make the same calls in the same order, each thread by its own handle.
 *             MPI's own functions must not be called with a handle, for it is a communicator of one
 *             rank. MPI's own collectives serve no call of members; a call that no plan serves is
 *             MPI_ERR_UNSUPPORTED_OPERATION.
 *   Threads   may be of OpenMP, pthreads or C++. A handle is for one thread at a time.
 *   MPI       MPI_THREAD_MULTIPLE: each thread sends its messages itself. MPI_THREAD_SERIALIZED:
 *             threads take turns; no thread may call MPI while another is in a call here.
 *             MPI_THREAD_FUNNELED: the main thread must be one of the rank's members. It sends the
 *             messages of all of them, and leaves a call when the rank's other threads have ended
 *             it, too. MPI_THREAD_SINGLE has no members.
 *   Errors, besides those named: MPI_ERR_ARG (null members or result), MPI_ERR_NO_MEM,
 *   MPI_ERR_OTHER (MPI refused a message). They go through the handler that comm had when the
 *   members were made. */
struct strata_members;

/* Makes the threads of all ranks of a communicator members. Collective over comm, which it
 * attaches; outside of parallel regions; with MPI_THREAD_FUNNELED by the main thread. May block.
 *   comm     in: an intracommunicator. It may be freed before the members are.
 *   threads  in: this rank's threads, 1 to 64; ranks may have different numbers.
 *   members  out: the caller's; strata_members_free releases them, or MPI_Finalize.
 * Errors, on all ranks if on one: MPI_ERR_COMM (null, an intercommunicator or a handle),
 * MPI_ERR_ARG (the number of threads), MPI_ERR_OTHER (MPI_THREAD_SINGLE; not the main thread; comm
 * cannot be attached). */
STRATA_PUBLIC int strata_members_create(MPI_Comm comm, int threads,
                                        struct strata_members **members);
/* Makes members of the same threads anew, whose calls never meet those of the first ones. As
 * strata_members_create. */
STRATA_PUBLIC int strata_members_dup(struct strata_members *members, struct strata_members **newer);
/* Splits members, as MPI_Comm_split splits ranks: the threads of one color are a part, and are
 * numbered by their keys, and where these are equal by their numbers before. By a new handle each
 * thread makes calls of its part. Members that were split are split in each part by itself. As
 * strata_members_create.
 *   colors  in, keys  in: for each of this rank's threads. A color is not negative, or
 *           MPI_UNDEFINED: the thread is in no part, and has no handle.
 *   parts   out: all parts; the caller's, as the members, which may be freed before.
 * Threads of parts have numbers: they do not join. With MPI_THREAD_FUNNELED thread 0 is the main
 * thread. Then the rank's threads in parts make equally many calls, each of its own part, and the
 * n-th call of each has the same form (blocking, nonblocking, persistent).
 * Errors, on all ranks if on one: MPI_ERR_ARG (a color; null arrays; with MPI_THREAD_FUNNELED
 * thread 0 is in no part, and others of its rank are), MPI_ERR_OTHER (not the main thread). */
STRATA_PUBLIC int strata_members_split(struct strata_members *members, const int colors[],
                                       const int keys[], struct strata_members **parts);
/* Frees members and their handles. Outside of parallel regions, on all ranks in the same order;
 * does not wait for other ranks. Accepts null members. Sets *members to NULL. Requests of the
 * handles must be complete, and persistent ones freed. */
STRATA_PUBLIC int strata_members_free(struct strata_members **members);

/* Gives the handle of one of this rank's threads. Local; any thread may call it, and MPI need not
 * allow it that. The handle lives as long as the members.
 *   thread  in: 0 to threads - 1, as omp_get_thread_num gives it.
 *   handle  out. Not the caller's to free. MPI_COMM_NULL: the thread is in no part. */
STRATA_PUBLIC int strata_members_comm(struct strata_members *members, int thread, MPI_Comm *handle);
/* Gives the calling thread the next handle that is free: for threads without a number. As
 * strata_members_comm. When all of the rank's threads have joined, they may join again, for example
 * in the next parallel region. With MPI_THREAD_FUNNELED it waits until the main thread has joined,
 * or all have. Errors: MPI_ERR_ARG (the parallel region has another number of threads; this thread
 * has joined, while others have not yet; the members were split), MPI_ERR_OTHER
 * (MPI_THREAD_FUNNELED, and the main thread is not among those that join: all get it). */
STRATA_PUBLIC int strata_members_join(struct strata_members *members, MPI_Comm *handle);
/* Tell the number of members of a handle, and this handle's number among them: what MPI_Comm_size
 * and MPI_Comm_rank tell ranks. As strata_members_comm. Errors: MPI_ERR_COMM (no such handle). */
STRATA_PUBLIC int strata_members_size(MPI_Comm handle, int *size);
STRATA_PUBLIC int strata_members_rank(MPI_Comm handle, int *rank);

/* Teams: the threads of a parallel region share one call of their rank. docs/teams.md has an
 * example.
 *
 * All threads of a team enter it. One of them goes on and makes calls of the rank, which are
 * ordinary calls with ordinary arguments. The others help it meanwhile: they share packing,
 * copying, combining and reading of memory, where calls have enough of that. Helpers call no MPI.
 * When the one leaves the team, all go on.
 *   Threads   may be of OpenMP, pthreads or C++.
 *   MPI       MPI_THREAD_SINGLE and MPI_THREAD_FUNNELED: the main thread makes the calls, so it
 *             must be in the team. Otherwise the main thread does where it is in the team, else the
 *             thread that came last.
 *   Errors    go through MPI's handler for calls without a communicator. */
struct strata_team;

/* Makes a team. Local. With MPI_THREAD_SINGLE or MPI_THREAD_FUNNELED by the main thread.
 *   threads  in: how many enter it, 1 to 1024.
 *   team     out: the caller's; strata_team_free releases it.
 * Errors: MPI_ERR_ARG (the number of threads, or a null team), MPI_ERR_OTHER (not the main thread),
 * MPI_ERR_NO_MEM. */
STRATA_PUBLIC int strata_team_create(int threads, struct strata_team **team);
/* Enters a team. Waits until all of its threads have entered, so that what they wrote before is
 * there for the calls. Then it returns at once on the thread that makes the calls, and on the
 * others when that one has left. Each thread enters as often as the others.
 *   calls  out: 1 on the thread that makes the calls, and then leaves the team; 0 on the others.
 * Errors: MPI_ERR_ARG (null team or calls; the parallel region has another number of threads; this
 * thread is in the team already; all threads of the team are in it already), MPI_ERR_OTHER (the
 * main thread would have to make the calls, and has not entered; all threads of the team return it,
 * and the last one raises it). */
STRATA_PUBLIC int strata_team_enter(struct strata_team *team, int *calls);
/* Leaves a team, on the thread that makes the calls. Local.
 * Errors: MPI_ERR_ARG (null team; this thread does not make the team's calls; it entered another
 * team later and has not left that). */
STRATA_PUBLIC int strata_team_leave(struct strata_team *team);
/* Frees a team that no thread is in. Local; accepts a null team. Sets *team to NULL.
 * Errors: MPI_ERR_ARG (a null address; a thread is in the team). */
STRATA_PUBLIC int strata_team_free(struct strata_team **team);

/* Chains and splitting: A. Moody, D. H. Ahn, B. R. de Supinski, "Exascale Algorithms for
 * Generalized MPI_Comm_split", EuroMPI 2011. docs/split.md tells the methods.
 *
 * A chain is a group of ranks in which each rank knows its own place and its two neighbours, in
 * memory that does not grow with the group. Its collectives take ceil(log2 size) rounds. A chain
 * lives on a communicator's private context: its messages never meet the program's. It must be
 * freed before the communicator from which it was made. Calls on chains of one communicator follow
 * MPI's rule for collectives: all ranks of a chain call them in the same order.
 *   Errors, besides those named: MPI_ERR_ARG (a null chain or result), MPI_ERR_NO_MEM,
 *   MPI_ERR_OTHER (a message failed); through the handler of the chain's communicator. */
struct strata_chain;

/* The place of the calling rank. Addresses are ranks of the communicator; -1: no rank. */
struct strata_chain_place {
    int size, rank;
    int address;     /* of this rank */
    int left, right; /* addresses of the rank before this one, and of the rank behind it */
};

/* Makes a chain of all ranks of a communicator, in its order. Collective over comm, which it
 * attaches.
 *   comm   in: an intracommunicator.
 *   chain  out: the caller's; strata_chain_free releases it.
 * Errors: MPI_ERR_COMM (null, an intercommunicator), MPI_ERR_OTHER (it cannot be attached;
 * strata_comm_report says why). */
STRATA_PUBLIC int strata_chain_create(MPI_Comm comm, struct strata_chain **chain);
/* Frees a chain. Local; accepts a null chain. Sets *chain to NULL. */
STRATA_PUBLIC int strata_chain_free(struct strata_chain **chain);
/* Tells the calling rank's place in a chain. Local. */
STRATA_PUBLIC int strata_chain_place(const struct strata_chain *chain,
                                     struct strata_chain_place *place);

/* Barrier, bcast, reduce and allreduce along a chain. All collectives along chains are as MPI's of
 * the same name, on contiguous datatypes and the pairs of MPI_MINLOC (MPI_ERR_TYPE otherwise),
 * without MPI_IN_PLACE. root: a rank of the chain (else MPI_ERR_ROOT). An argument that only the
 * root needs may be NULL elsewhere, and so may a buffer for no elements. An operator must be one
 * for its datatype (MPI_ERR_OP). Operands are combined in the order of ranks. Allreduce groups them
 * differently on each rank, so that floating-point results may differ in rounding: reduce and bcast
 * give all ranks the same bits. */
STRATA_PUBLIC int strata_chain_barrier(struct strata_chain *chain);
STRATA_PUBLIC int strata_chain_bcast(void *buffer, int count, MPI_Datatype datatype, int root,
                                     struct strata_chain *chain);
STRATA_PUBLIC int strata_chain_reduce(const void *sendbuf, void *recvbuf, int count,
                                      MPI_Datatype datatype, MPI_Op op, int root,
                                      struct strata_chain *chain);
STRATA_PUBLIC int strata_chain_allreduce(const void *sendbuf, void *recvbuf, int count,
                                         MPI_Datatype datatype, MPI_Op op,
                                         struct strata_chain *chain);
/* Gather, scatter and allgather along a chain, as strata_chain_bcast. count: elements from each
 * rank, or for each rank. all: as many elements for each rank of the chain. */
STRATA_PUBLIC int strata_chain_gather(const void *sendbuf, void *all, int count,
                                      MPI_Datatype datatype, int root, struct strata_chain *chain);
STRATA_PUBLIC int strata_chain_scatter(const void *all, void *recvbuf, int count,
                                       MPI_Datatype datatype, int root, struct strata_chain *chain);
STRATA_PUBLIC int strata_chain_allgather(const void *sendbuf, void *all, int count,
                                         MPI_Datatype datatype, struct strata_chain *chain);
/* Scans from both ends of a chain in the same rounds, as strata_chain_reduce.
 *   left   out: ranks 0 .. rank combined, with STRATA_EXCLUSIVE 0 .. rank-1 (not touched on
 *          rank 0). NULL on all ranks: not wanted.
 *   right  out: ranks rank .. size-1 combined, with STRATA_EXCLUSIVE rank+1 .. size-1 (not touched
 *          on the last rank).
 *   flags  in: 0 or STRATA_EXCLUSIVE, the same on all ranks. */
#define STRATA_EXCLUSIVE 1
STRATA_PUBLIC int strata_chain_scan(const void *sendbuf, void *left, void *right, int count,
                                    MPI_Datatype datatype, MPI_Op op, int flags,
                                    struct strata_chain *chain);

/* Compares two values: < 0, 0 or > 0 if a is before, equal to, or behind b; the same on all ranks.
 * Both values are aligned to 8. All values must lie in one order, numbers with NaN, too: otherwise
 * ranks may wait for ever. */
typedef int strata_compare_function(const void *a, size_t a_bytes, const void *b, size_t b_bytes,
                                    void *context);
/* Hashes a value. Values that `compare` finds equal must have equal hashes. Each round, 0, 1, ...,
 * asks for another hash, to end collisions. Where the hash stays the same, or collisions persist,
 * splitting goes on by sorting. */
typedef uint64_t strata_hash_function(const void *value, size_t bytes, unsigned round,
                                      void *context);

/* Ready-made functions that compare: bytes as memcmp, the shorter first; int32 (int32_t); int64
 * (int64_t). And a hash for all of them. */
STRATA_PUBLIC int strata_compare_bytes(const void *a, size_t a_bytes, const void *b, size_t b_bytes,
                                       void *context);
STRATA_PUBLIC int strata_compare_int32(const void *a, size_t a_bytes, const void *b, size_t b_bytes,
                                       void *context);
STRATA_PUBLIC int strata_compare_int64(const void *a, size_t a_bytes, const void *b, size_t b_bytes,
                                       void *context);
STRATA_PUBLIC uint64_t strata_hash_bytes(const void *value, size_t bytes, unsigned round,
                                         void *context);

/* A rank's colour or key. The functions must be the same on all ranks; values may differ in
 * size. */
struct strata_split_value {
    const void *value; /* read during the call only; may be NULL where bytes is 0 */
    size_t bytes;      /* at most 2^29 */
    strata_compare_function *compare;
    strata_hash_function *hash; /* of colours; NULL: no method that hashes can be used */
    void *context;              /* for both functions */
};

/* Splits a chain into one chain for each colour, ordered by key, and by rank where keys are equal:
 * as MPI_Comm_split, with colours and keys of any type. Collective over the chain.
 *   colour  in: NULL on all ranks: all ranks have the same colour.
 *   key     in: NULL on all ranks: ranks keep their order.
 *   method  in: NULL or "auto", or a name of `strata list split`, the same on all ranks.
 *   flags   in: 0, or STRATA_UNDEFINED: this rank is in no group. Its colour's value is ignored.
 *   group   out: this rank's new chain, the caller's; NULL with STRATA_UNDEFINED.
 * Errors, on all ranks if on one: MPI_ERR_ARG (no such method; a value without compare function, or
 * of a wrong size; ranks that disagree about method, or what is NULL or hashed),
 * MPI_ERR_UNSUPPORTED_OPERATION (the method does not serve such values). */
#define STRATA_UNDEFINED 1
STRATA_PUBLIC int strata_chain_split(struct strata_chain *chain,
                                     const struct strata_split_value *colour,
                                     const struct strata_split_value *key, const char *method,
                                     int flags, struct strata_chain **group);

/* Makes an MPI communicator of a chain's ranks, in the chain's order, by MPI_Comm_create_group.
 * Collective over the chain; all its ranks get the communicator or, with an error, none.
 *   flags    in: 0, or STRATA_ATTACH, which holds for all ranks if one asks for it: the
 *            communicator is attached, too, and so node-aware at its first call.
 *   newcomm  out: the caller's, freed by MPI_Comm_free. */
#define STRATA_ATTACH 2
STRATA_PUBLIC int strata_chain_comm(struct strata_chain *chain, int flags, MPI_Comm *newcomm);

/* Splits a communicator: MPI_Comm_split with colours and keys of any type. It does the work of
 * strata_chain_create, strata_chain_split and strata_chain_comm at once, with their errors. flags:
 * those of strata_chain_split and strata_chain_comm. newcomm: MPI_COMM_NULL with STRATA_UNDEFINED;
 * with an error on one rank of comm no group gets a communicator. */
STRATA_PUBLIC int strata_comm_split(MPI_Comm comm, const struct strata_split_value *colour,
                                    const struct strata_split_value *key, const char *method,
                                    int flags, MPI_Comm *newcomm);

#ifdef __cplusplus
}
#endif

#endif
