/* The part of `strata info` that needs MPI. */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>

#include "tools/command/info_mpi.h"

#include "include/strata.h"
#include "tools/command/words.h"

/* Rank 0 alone has the file. All ranks know whether it could open it. */
static int draw(const struct tool_command *command, const char *picture, int rank)
{
    FILE *file = rank == 0 ? fopen(picture, "w") : NULL;
    int opened = file != NULL;
    MPI_Bcast(&opened, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (!opened) {
        if (rank == 0) {
            tool_complain(command, "cannot write \"%s\"", picture);
        }
        return TOOL_FAILED;
    }
    bool done = strata_comm_draw(MPI_COMM_WORLD, file) == MPI_SUCCESS;
    const bool failed = file && ferror(file);
    if (file && (fclose(file) != 0 || failed || !done)) {
        tool_complain(command, "nothing was drawn in \"%s\"", picture);
        return TOOL_FAILED;
    }
    return done ? TOOL_OK : TOOL_FAILED;
}

int tool_info_mpi(const struct tool_command *command, const char *picture)
{
    int provided, rank;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) {
        return TOOL_FAILED;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int described = strata_comm_describe(MPI_COMM_WORLD, rank == 0 ? stdout : NULL) == MPI_SUCCESS;
    MPI_Allreduce(MPI_IN_PLACE, &described, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    int code = described ? TOOL_OK : TOOL_FAILED;
    if (picture && described) {
        code = draw(command, picture, rank);
    }
    MPI_Finalize();
    return code;
}
