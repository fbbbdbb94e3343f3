/* Open MPI 6 has reductions between ranks of a host, by its component xhc, which crash above a
 * length (coll_xhc_reduce_cico_max) where no rank can map the memory of another, as XPMEM does.
 * They serve a program that prefers xhc to the other components. Open MPI keeps variables only of
 * components that it uses, so a variable of xpmem's says that memory is mapped. Earlier versions of
 * xhc have no such limit and no such reductions. */
#include "internode/mpi/reductions_mpi.h"

#include <mpi.h>

#include "internode/mpi/traits_mpi.h"

/* Open MPI's variable of this name, which has the type int; or `none`. */
static int value_of(const char *name, int none)
{
    MPI_T_cvar_handle handle;
    int at = 0;
    int count = 0;
    int value = none;
    if (PMPI_T_cvar_get_index(name, &at) == MPI_SUCCESS &&
        PMPI_T_cvar_handle_alloc(at, NULL, &handle, &count) == MPI_SUCCESS) {
        if (count != 1 || PMPI_T_cvar_read(handle, &value) != MPI_SUCCESS) {
            value = none;
        }
        PMPI_T_cvar_handle_free(&handle);
    }
    return value;
}

static bool exists(const char *name)
{
    int at = 0;
    return PMPI_T_cvar_get_index(name, &at) == MPI_SUCCESS;
}

bool strata_mpi_reductions_work(void)
{
    bool work = true;
    int level = MPI_THREAD_SINGLE;
    const int crash = strata_mpi_traits()->reductions_crash;
    if (crash > 0 && strata_mpi_version() >= crash &&
        PMPI_T_init_thread(MPI_THREAD_SINGLE, &level) == MPI_SUCCESS) {
        work = value_of("coll_xhc_priority", 0) <= 0 || !exists("coll_xhc_reduce_cico_max") ||
               exists("smsc_xpmem_priority");
        PMPI_T_finalize();
    }
    return work;
}
