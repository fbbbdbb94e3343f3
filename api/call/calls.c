/* The public collectives, which make a signature of their arguments. */
#include "api/call/again.h"
#include "api/call/call_sides.h"
#include "core/base/seldom.h"
#include "include/strata.h"

/* A call like an earlier one is served at once, by the earlier call's plan or by MPI's own
 * collective. For any other call a separate function makes the signature. So the code here only
 * compares arguments, and the compiler can leave them where MPI's own collective expects them. */
#define SERVE(native, first)                                                                       \
    const unsigned changes = strata_changes_now(&strata_process_here);                             \
    struct strata_bound_call *known = strata_call_known(&call, changes);                           \
    if (known) {                                                                                   \
        return strata_call_again(known, false);                                                    \
    }                                                                                              \
    struct strata_state *const state = strata_found_state.state;                                   \
    return strata_native_again(&call, changes)                                                     \
               ? strata_native_ended(state, call.collective, native)                               \
               : first

/* NOLINTBEGIN(readability-function-size): the parameters are MPI's */

/* Calls that are not like earlier ones, one function for each list of MPI's parameters. */
static STRATA_SELDOM int first_blocks(enum strata_collective collective, const void *sendbuf,
                                      int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                      int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    struct strata_signature signature = {
        .collective = collective, .comm = comm, BLOCKS_TO_BLOCKS, .root = root};
    return strata_dispatch(&signature);
}

static STRATA_SELDOM int first_varying(enum strata_collective collective, const void *sendbuf,
                                       const int sendcounts[], const int sdispls[],
                                       MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                                       const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm)
{
    struct strata_signature signature = {
        .collective = collective, .comm = comm, VARYING_TO_VARYING};
    return strata_dispatch(&signature);
}

static STRATA_SELDOM int first_typed(enum strata_collective collective, const void *sendbuf,
                                     const int sendcounts[], const int sdispls[],
                                     const MPI_Datatype sendtypes[], void *recvbuf,
                                     const int recvcounts[], const int rdispls[],
                                     const MPI_Datatype recvtypes[], MPI_Comm comm)
{
    struct strata_signature signature = {.collective = collective, .comm = comm, TYPED_TO_TYPED};
    return strata_dispatch(&signature);
}

static STRATA_SELDOM int first_collected(enum strata_collective collective, const void *sendbuf,
                                         int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                         const int recvcounts[], const int displs[],
                                         MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    struct strata_signature signature = {
        .collective = collective, .comm = comm, BLOCKS_TO_VARYING, .root = root};
    return strata_dispatch(&signature);
}

static STRATA_SELDOM int first_dealt(enum strata_collective collective, const void *sendbuf,
                                     const int sendcounts[], const int displs[],
                                     MPI_Datatype sendtype, void *recvbuf, int recvcount,
                                     MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    struct strata_signature signature = {
        .collective = collective, .comm = comm, VARYING_TO_BLOCKS, .root = root};
    return strata_dispatch(&signature);
}

static STRATA_SELDOM int first_spread(enum strata_collective collective, void *buffer, int count,
                                      MPI_Datatype datatype, int root, MPI_Comm comm)
{
    struct strata_signature signature = {
        .collective = collective, .comm = comm, FROM_ROOT, .root = root};
    return strata_dispatch(&signature);
}

static STRATA_SELDOM int first_operands(enum strata_collective collective, const void *sendbuf,
                                        void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                                        int root, MPI_Comm comm)
{
    struct strata_signature signature = {
        .collective = collective, .comm = comm, OPERANDS(count), .root = root};
    return strata_dispatch(&signature);
}

static STRATA_SELDOM int first_parts(enum strata_collective collective, const void *sendbuf,
                                     void *recvbuf, const int recvcounts[], MPI_Datatype datatype,
                                     MPI_Op op, MPI_Comm comm)
{
    struct strata_signature signature = {.collective = collective, .comm = comm, PARTS};
    return strata_dispatch(&signature);
}

static STRATA_SELDOM int first_barrier(enum strata_collective collective, MPI_Comm comm)
{
    struct strata_signature signature = {.collective = collective, .comm = comm};
    return strata_dispatch(&signature);
}

int strata_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                    int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    const struct strata_signature call = {
        .collective = STRATA_ALLTOALL, .comm = comm, BLOCKS_TO_BLOCKS};
    SERVE(PMPI_Alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
          first_blocks(STRATA_ALLTOALL, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                       0, comm));
}

int strata_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                     MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                     const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm)
{
    const struct strata_signature call = {
        .collective = STRATA_ALLTOALLV, .comm = comm, VARYING_TO_VARYING};
    SERVE(PMPI_Alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                         recvtype, comm),
          first_varying(STRATA_ALLTOALLV, sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                        recvcounts, rdispls, recvtype, comm));
}

int strata_alltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                     const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                     const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm)
{
    const struct strata_signature call = {
        .collective = STRATA_ALLTOALLW, .comm = comm, TYPED_TO_TYPED};
    SERVE(PMPI_Alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                         recvtypes, comm),
          first_typed(STRATA_ALLTOALLW, sendbuf, sendcounts, sdispls, sendtypes, recvbuf,
                      recvcounts, rdispls, recvtypes, comm));
}

int strata_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                     int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    const struct strata_signature call = {
        .collective = STRATA_ALLGATHER, .comm = comm, BLOCKS_TO_BLOCKS};
    SERVE(PMPI_Allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
          first_blocks(STRATA_ALLGATHER, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                       0, comm));
}

int strata_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                      const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                      MPI_Comm comm)
{
    const struct strata_signature call = {
        .collective = STRATA_ALLGATHERV, .comm = comm, BLOCKS_TO_VARYING};
    SERVE(
        PMPI_Allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm),
        first_collected(STRATA_ALLGATHERV, sendbuf, sendcount, sendtype, recvbuf, recvcounts,
                        displs, recvtype, 0, comm));
}

int strata_bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm)
{
    const struct strata_signature call = {
        .collective = STRATA_BCAST, .comm = comm, FROM_ROOT, .root = root};
    SERVE(PMPI_Bcast(buffer, count, datatype, root, comm),
          first_spread(STRATA_BCAST, buffer, count, datatype, root, comm));
}

int strata_gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                  int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    const struct strata_signature call = {
        .collective = STRATA_GATHER, .comm = comm, BLOCKS_TO_BLOCKS, .root = root};
    SERVE(PMPI_Gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),
          first_blocks(STRATA_GATHER, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                       root, comm));
}

int strata_gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                   const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                   MPI_Comm comm)
{
    const struct strata_signature call = {
        .collective = STRATA_GATHERV, .comm = comm, BLOCKS_TO_VARYING, .root = root};
    SERVE(PMPI_Gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root,
                       comm),
          first_collected(STRATA_GATHERV, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                          recvtype, root, comm));
}

int strata_scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                   int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    const struct strata_signature call = {
        .collective = STRATA_SCATTER, .comm = comm, BLOCKS_TO_BLOCKS, .root = root};
    SERVE(PMPI_Scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),
          first_blocks(STRATA_SCATTER, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                       root, comm));
}

int strata_scatterv(const void *sendbuf, const int sendcounts[], const int displs[],
                    MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                    int root, MPI_Comm comm)
{
    const struct strata_signature call = {
        .collective = STRATA_SCATTERV, .comm = comm, VARYING_TO_BLOCKS, .root = root};
    SERVE(PMPI_Scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root,
                        comm),
          first_dealt(STRATA_SCATTERV, sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount,
                      recvtype, root, comm));
}

int strata_reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                  int root, MPI_Comm comm)
{
    const struct strata_signature call = {
        .collective = STRATA_REDUCE, .comm = comm, OPERANDS(count), .root = root};
    SERVE(PMPI_Reduce(sendbuf, recvbuf, count, datatype, op, root, comm),
          first_operands(STRATA_REDUCE, sendbuf, recvbuf, count, datatype, op, root, comm));
}

int strata_allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype,
                     MPI_Op op, MPI_Comm comm)
{
    const struct strata_signature call = {
        .collective = STRATA_ALLREDUCE, .comm = comm, OPERANDS(count)};
    SERVE(PMPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm),
          first_operands(STRATA_ALLREDUCE, sendbuf, recvbuf, count, datatype, op, 0, comm));
}

int strata_reduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[],
                          MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    const struct strata_signature call = {.collective = STRATA_REDUCE_SCATTER, .comm = comm, PARTS};
    SERVE(PMPI_Reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm),
          first_parts(STRATA_REDUCE_SCATTER, sendbuf, recvbuf, recvcounts, datatype, op, comm));
}

int strata_reduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount,
                                MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    const struct strata_signature call = {
        .collective = STRATA_REDUCE_SCATTER_BLOCK, .comm = comm, OPERANDS(recvcount)};
    SERVE(PMPI_Reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm),
          first_operands(STRATA_REDUCE_SCATTER_BLOCK, sendbuf, recvbuf, recvcount, datatype, op, 0,
                         comm));
}

int strata_scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm)
{
    const struct strata_signature call = {.collective = STRATA_SCAN, .comm = comm, OPERANDS(count)};
    SERVE(PMPI_Scan(sendbuf, recvbuf, count, datatype, op, comm),
          first_operands(STRATA_SCAN, sendbuf, recvbuf, count, datatype, op, 0, comm));
}

int strata_exscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                  MPI_Comm comm)
{
    const struct strata_signature call = {
        .collective = STRATA_EXSCAN, .comm = comm, OPERANDS(count)};
    SERVE(PMPI_Exscan(sendbuf, recvbuf, count, datatype, op, comm),
          first_operands(STRATA_EXSCAN, sendbuf, recvbuf, count, datatype, op, 0, comm));
}

int strata_barrier(MPI_Comm comm)
{
    const struct strata_signature call = {.collective = STRATA_BARRIER, .comm = comm};
    SERVE(PMPI_Barrier(comm), first_barrier(STRATA_BARRIER, comm));
}

/* NOLINTEND(readability-function-size) */
