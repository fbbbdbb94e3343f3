/* MPI's collectives as Fortran programs call them on Open MPI, whose Fortran bindings call PMPI.
 * mpif.h, `use mpi` and `use mpi_f08` pass the same arguments: addresses, also of handles, which
 * are integers, and of the error, which mpi_f08 may leave out. These bindings call ompi_allreduce_f
 * and so on. PMPI's Fortran calls, which are for tools, call those functions, too, so they are not
 * caught. */
#include <stdbool.h>
#include <stdlib.h>

#include "include/strata.h"
#include "preload/collectives.h"
#include "preload/fortran.h"

/* Fortran compilers know the functions that follow, so they have no prototypes. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

_Static_assert(_Generic((MPI_Fint)0, int : 1, default : 0), "counts are handed on as they are");

/* The spellings that compilers give a constant. */
#define CONSTANT(THE, name, NAME) THE(name) THE(name##_) THE(name##__) THE(NAME)

/* Fortran's constants are common blocks, known by their addresses. A spelling that no compiler uses
 * has no address. */
#define BLOCK(name)   extern int name __attribute__((weak));
#define ADDRESS(name) &(name),
enum { SPELLINGS = 4 };
CONSTANT(BLOCK, mpi_fortran_in_place, MPI_FORTRAN_IN_PLACE)
CONSTANT(BLOCK, mpi_fortran_bottom, MPI_FORTRAN_BOTTOM)
static const int *const in_place_at[SPELLINGS] = {
    CONSTANT(ADDRESS, mpi_fortran_in_place, MPI_FORTRAN_IN_PLACE)};
static const int *const bottom_at[SPELLINGS] = {
    CONSTANT(ADDRESS, mpi_fortran_bottom, MPI_FORTRAN_BOTTOM)};

static bool is_constant(const void *buffer, const int *const *blocks)
{
    bool found = false;
    for (int i = 0; buffer && i < SPELLINGS; i++) {
        found = found || buffer == blocks[i];
    }
    return found;
}

static void *address(void *buffer)
{
    if (is_constant(buffer, in_place_at)) {
        return MPI_IN_PLACE;
    }
    return is_constant(buffer, bottom_at) ? MPI_BOTTOM : buffer;
}

/* The datatypes of alltoallw in C. In place there may be none. */
static MPI_Datatype *types_of(const MPI_Fint *types, const void *buffer, MPI_Fint comm,
                              MPI_Datatype **made)
{
    MPI_Comm all = PMPI_Comm_f2c(comm);
    int inter = 0;
    int blocks = 0;
    if (!is_constant(buffer, in_place_at) && all && all != MPI_COMM_NULL &&
        PMPI_Comm_test_inter(all, &inter) == MPI_SUCCESS) {
        (void)(inter ? PMPI_Comm_remote_size(all, &blocks) : PMPI_Comm_size(all, &blocks));
        *made = malloc((size_t)blocks * sizeof **made);
    }
    for (int i = 0; *made && i < blocks; i++) {
        (*made)[i] = PMPI_Type_f2c(types[i]);
    }
    return *made;
}

/* Stores the error, which mpi_f08 may leave out. */
static void store(MPI_Fint *error, int result)
{
    if (error) {
        *error = result;
    }
}
#define give(error, result) (PRELOAD_SITE, store(error, result), PRELOAD_DONE)

/* One function under all names that Fortran compilers give it. */
#define SPELLED(of, as, long_as, f08, capital)                                                     \
    SAME(as, of) SAME(long_as, of) SAME(f08, of) SAME(capital, of)
#define SAME(name, of) STRATA_PUBLIC __typeof__(of) name __attribute__((alias(#of)));

/* NOLINTBEGIN(readability-function-size): the parameters are MPI's */

STRATA_PUBLIC void mpi_alltoall_(void *sendbuf, const MPI_Fint *sendcount, const MPI_Fint *sendtype,
                                 void *recvbuf, const MPI_Fint *recvcount, const MPI_Fint *recvtype,
                                 const MPI_Fint *comm, MPI_Fint *error)
{
    give(error, strata_preload_alltoall(address(sendbuf), *sendcount, PMPI_Type_f2c(*sendtype),
                                        address(recvbuf), *recvcount, PMPI_Type_f2c(*recvtype),
                                        PMPI_Comm_f2c(*comm)));
}
SPELLED(mpi_alltoall_, mpi_alltoall, mpi_alltoall__, mpi_alltoall_f08_, MPI_ALLTOALL)

STRATA_PUBLIC void mpi_alltoallv_(void *sendbuf, const MPI_Fint *sendcounts,
                                  const MPI_Fint *sdispls, const MPI_Fint *sendtype, void *recvbuf,
                                  const MPI_Fint *recvcounts, const MPI_Fint *rdispls,
                                  const MPI_Fint *recvtype, const MPI_Fint *comm, MPI_Fint *error)
{
    give(error, strata_preload_alltoallv(address(sendbuf), sendcounts, sdispls,
                                         PMPI_Type_f2c(*sendtype), address(recvbuf), recvcounts,
                                         rdispls, PMPI_Type_f2c(*recvtype), PMPI_Comm_f2c(*comm)));
}
SPELLED(mpi_alltoallv_, mpi_alltoallv, mpi_alltoallv__, mpi_alltoallv_f08_, MPI_ALLTOALLV)

STRATA_PUBLIC void mpi_alltoallw_(void *sendbuf, const MPI_Fint *sendcounts,
                                  const MPI_Fint *sdispls, const MPI_Fint *sendtypes, void *recvbuf,
                                  const MPI_Fint *recvcounts, const MPI_Fint *rdispls,
                                  const MPI_Fint *recvtypes, const MPI_Fint *comm, MPI_Fint *error)
{
    MPI_Datatype *made[2] = {NULL, NULL};
    give(error, strata_preload_alltoallw(
                    address(sendbuf), sendcounts, sdispls,
                    types_of(sendtypes, sendbuf, *comm, &made[0]), address(recvbuf), recvcounts,
                    rdispls, types_of(recvtypes, recvbuf, *comm, &made[1]), PMPI_Comm_f2c(*comm)));
    free(made[0]);
    free(made[1]);
}
SPELLED(mpi_alltoallw_, mpi_alltoallw, mpi_alltoallw__, mpi_alltoallw_f08_, MPI_ALLTOALLW)

STRATA_PUBLIC void mpi_allgather_(void *sendbuf, const MPI_Fint *sendcount,
                                  const MPI_Fint *sendtype, void *recvbuf,
                                  const MPI_Fint *recvcount, const MPI_Fint *recvtype,
                                  const MPI_Fint *comm, MPI_Fint *error)
{
    give(error, strata_preload_allgather(address(sendbuf), *sendcount, PMPI_Type_f2c(*sendtype),
                                         address(recvbuf), *recvcount, PMPI_Type_f2c(*recvtype),
                                         PMPI_Comm_f2c(*comm)));
}
SPELLED(mpi_allgather_, mpi_allgather, mpi_allgather__, mpi_allgather_f08_, MPI_ALLGATHER)

STRATA_PUBLIC void mpi_allgatherv_(void *sendbuf, const MPI_Fint *sendcount,
                                   const MPI_Fint *sendtype, void *recvbuf,
                                   const MPI_Fint *recvcounts, const MPI_Fint *displs,
                                   const MPI_Fint *recvtype, const MPI_Fint *comm, MPI_Fint *error)
{
    give(error, strata_preload_allgatherv(address(sendbuf), *sendcount, PMPI_Type_f2c(*sendtype),
                                          address(recvbuf), recvcounts, displs,
                                          PMPI_Type_f2c(*recvtype), PMPI_Comm_f2c(*comm)));
}
SPELLED(mpi_allgatherv_, mpi_allgatherv, mpi_allgatherv__, mpi_allgatherv_f08_, MPI_ALLGATHERV)

STRATA_PUBLIC void mpi_bcast_(void *buffer, const MPI_Fint *count, const MPI_Fint *datatype,
                              const MPI_Fint *root, const MPI_Fint *comm, MPI_Fint *error)
{
    give(error, strata_preload_bcast(address(buffer), *count, PMPI_Type_f2c(*datatype), *root,
                                     PMPI_Comm_f2c(*comm)));
}
SPELLED(mpi_bcast_, mpi_bcast, mpi_bcast__, mpi_bcast_f08_, MPI_BCAST)

STRATA_PUBLIC void mpi_gather_(void *sendbuf, const MPI_Fint *sendcount, const MPI_Fint *sendtype,
                               void *recvbuf, const MPI_Fint *recvcount, const MPI_Fint *recvtype,
                               const MPI_Fint *root, const MPI_Fint *comm, MPI_Fint *error)
{
    give(error, strata_preload_gather(address(sendbuf), *sendcount, PMPI_Type_f2c(*sendtype),
                                      address(recvbuf), *recvcount, PMPI_Type_f2c(*recvtype), *root,
                                      PMPI_Comm_f2c(*comm)));
}
SPELLED(mpi_gather_, mpi_gather, mpi_gather__, mpi_gather_f08_, MPI_GATHER)

STRATA_PUBLIC void mpi_gatherv_(void *sendbuf, const MPI_Fint *sendcount, const MPI_Fint *sendtype,
                                void *recvbuf, const MPI_Fint *recvcounts, const MPI_Fint *displs,
                                const MPI_Fint *recvtype, const MPI_Fint *root,
                                const MPI_Fint *comm, MPI_Fint *error)
{
    give(error, strata_preload_gatherv(address(sendbuf), *sendcount, PMPI_Type_f2c(*sendtype),
                                       address(recvbuf), recvcounts, displs,
                                       PMPI_Type_f2c(*recvtype), *root, PMPI_Comm_f2c(*comm)));
}
SPELLED(mpi_gatherv_, mpi_gatherv, mpi_gatherv__, mpi_gatherv_f08_, MPI_GATHERV)

STRATA_PUBLIC void mpi_scatter_(void *sendbuf, const MPI_Fint *sendcount, const MPI_Fint *sendtype,
                                void *recvbuf, const MPI_Fint *recvcount, const MPI_Fint *recvtype,
                                const MPI_Fint *root, const MPI_Fint *comm, MPI_Fint *error)
{
    give(error, strata_preload_scatter(address(sendbuf), *sendcount, PMPI_Type_f2c(*sendtype),
                                       address(recvbuf), *recvcount, PMPI_Type_f2c(*recvtype),
                                       *root, PMPI_Comm_f2c(*comm)));
}
SPELLED(mpi_scatter_, mpi_scatter, mpi_scatter__, mpi_scatter_f08_, MPI_SCATTER)

STRATA_PUBLIC void mpi_scatterv_(void *sendbuf, const MPI_Fint *sendcounts, const MPI_Fint *displs,
                                 const MPI_Fint *sendtype, void *recvbuf, const MPI_Fint *recvcount,
                                 const MPI_Fint *recvtype, const MPI_Fint *root,
                                 const MPI_Fint *comm, MPI_Fint *error)
{
    give(error, strata_preload_scatterv(address(sendbuf), sendcounts, displs,
                                        PMPI_Type_f2c(*sendtype), address(recvbuf), *recvcount,
                                        PMPI_Type_f2c(*recvtype), *root, PMPI_Comm_f2c(*comm)));
}
SPELLED(mpi_scatterv_, mpi_scatterv, mpi_scatterv__, mpi_scatterv_f08_, MPI_SCATTERV)

STRATA_PUBLIC void mpi_reduce_(void *sendbuf, void *recvbuf, const MPI_Fint *count,
                               const MPI_Fint *datatype, const MPI_Fint *op, const MPI_Fint *root,
                               const MPI_Fint *comm, MPI_Fint *error)
{
    give(error,
         strata_preload_reduce(address(sendbuf), address(recvbuf), *count, PMPI_Type_f2c(*datatype),
                               PMPI_Op_f2c(*op), *root, PMPI_Comm_f2c(*comm)));
}
SPELLED(mpi_reduce_, mpi_reduce, mpi_reduce__, mpi_reduce_f08_, MPI_REDUCE)

STRATA_PUBLIC void mpi_allreduce_(void *sendbuf, void *recvbuf, const MPI_Fint *count,
                                  const MPI_Fint *datatype, const MPI_Fint *op,
                                  const MPI_Fint *comm, MPI_Fint *error)
{
    give(error, strata_preload_allreduce(address(sendbuf), address(recvbuf), *count,
                                         PMPI_Type_f2c(*datatype), PMPI_Op_f2c(*op),
                                         PMPI_Comm_f2c(*comm)));
}
SPELLED(mpi_allreduce_, mpi_allreduce, mpi_allreduce__, mpi_allreduce_f08_, MPI_ALLREDUCE)

STRATA_PUBLIC void mpi_reduce_scatter_(void *sendbuf, void *recvbuf, const MPI_Fint *recvcounts,
                                       const MPI_Fint *datatype, const MPI_Fint *op,
                                       const MPI_Fint *comm, MPI_Fint *error)
{
    give(error, strata_preload_reduce_scatter(address(sendbuf), address(recvbuf), recvcounts,
                                              PMPI_Type_f2c(*datatype), PMPI_Op_f2c(*op),
                                              PMPI_Comm_f2c(*comm)));
}
SPELLED(mpi_reduce_scatter_, mpi_reduce_scatter, mpi_reduce_scatter__, mpi_reduce_scatter_f08_,
        MPI_REDUCE_SCATTER)

STRATA_PUBLIC void mpi_reduce_scatter_block_(void *sendbuf, void *recvbuf,
                                             const MPI_Fint *recvcount, const MPI_Fint *datatype,
                                             const MPI_Fint *op, const MPI_Fint *comm,
                                             MPI_Fint *error)
{
    give(error, strata_preload_reduce_scatter_block(address(sendbuf), address(recvbuf), *recvcount,
                                                    PMPI_Type_f2c(*datatype), PMPI_Op_f2c(*op),
                                                    PMPI_Comm_f2c(*comm)));
}
SPELLED(mpi_reduce_scatter_block_, mpi_reduce_scatter_block, mpi_reduce_scatter_block__,
        mpi_reduce_scatter_block_f08_, MPI_REDUCE_SCATTER_BLOCK)

STRATA_PUBLIC void mpi_scan_(void *sendbuf, void *recvbuf, const MPI_Fint *count,
                             const MPI_Fint *datatype, const MPI_Fint *op, const MPI_Fint *comm,
                             MPI_Fint *error)
{
    give(error,
         strata_preload_scan(address(sendbuf), address(recvbuf), *count, PMPI_Type_f2c(*datatype),
                             PMPI_Op_f2c(*op), PMPI_Comm_f2c(*comm)));
}
SPELLED(mpi_scan_, mpi_scan, mpi_scan__, mpi_scan_f08_, MPI_SCAN)

STRATA_PUBLIC void mpi_exscan_(void *sendbuf, void *recvbuf, const MPI_Fint *count,
                               const MPI_Fint *datatype, const MPI_Fint *op, const MPI_Fint *comm,
                               MPI_Fint *error)
{
    give(error,
         strata_preload_exscan(address(sendbuf), address(recvbuf), *count, PMPI_Type_f2c(*datatype),
                               PMPI_Op_f2c(*op), PMPI_Comm_f2c(*comm)));
}
SPELLED(mpi_exscan_, mpi_exscan, mpi_exscan__, mpi_exscan_f08_, MPI_EXSCAN)

STRATA_PUBLIC void mpi_barrier_(const MPI_Fint *comm, MPI_Fint *error)
{
    give(error, strata_preload_barrier(PMPI_Comm_f2c(*comm)));
}
SPELLED(mpi_barrier_, mpi_barrier, mpi_barrier__, mpi_barrier_f08_, MPI_BARRIER)

/* NOLINTEND(readability-function-size) */
