/* The part of `strata info` that only builds with MPI have. */
#ifndef STRATA_TOOLS_COMMAND_INFO_MPI_H
#define STRATA_TOOLS_COMMAND_INFO_MPI_H

#include <stdio.h>

/* Prints the part of `info` that needs MPI, on one rank. Only in builds with MPI: elsewhere the
 * function does not exist and its address is NULL. Returns an exit code. */
int tool_info_mpi(FILE *file) __attribute__((weak));

#endif
