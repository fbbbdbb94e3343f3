/* The part of `strata info` that needs MPI. */
#include <mpi.h>

#include "tools/command/info_mpi.h"

#include "include/strata.h"
#include "tools/command/command.h"

int tool_info_mpi(FILE *file)
{
    int provided, rank;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) {
        return TOOL_FAILED;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int status = strata_comm_describe(MPI_COMM_WORLD, rank == 0 ? file : NULL);
    MPI_Finalize();
    return status == MPI_SUCCESS ? TOOL_OK : TOOL_FAILED;
}
