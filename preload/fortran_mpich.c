/* MPICH's Fortran bindings call MPI in C and are caught there. Only the barrier of mpi_f08, which
 * has no buffer, calls PMPI. */
#include "include/strata.h"
#include "preload/collectives.h"
#include "preload/fortran.h"

STRATA_PUBLIC void mpi_barrier_f08_(const MPI_Fint *comm, MPI_Fint *error);

void mpi_barrier_f08_(const MPI_Fint *comm, MPI_Fint *error)
{
    PRELOAD_SITE;
    int result = strata_preload_barrier(PMPI_Comm_f2c(*comm));
    PRELOAD_DONE;
    if (error) {
        *error = result;
    }
}
