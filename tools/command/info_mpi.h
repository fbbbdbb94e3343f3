/* The part of `strata info` that needs MPI. */
#ifndef STRATA_TOOLS_COMMAND_INFO_MPI_H
#define STRATA_TOOLS_COMMAND_INFO_MPI_H

#include <stdio.h>

/* Prints this part on one rank, and returns an exit code. In builds without MPI the function does
 * not exist, and its address is NULL. */
int tool_info_mpi(FILE *file) __attribute__((weak));

#endif
