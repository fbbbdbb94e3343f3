/* The part of `strata info` that needs MPI. */
#ifndef STRATA_TOOLS_COMMAND_INFO_MPI_H
#define STRATA_TOOLS_COMMAND_INFO_MPI_H

#include "tools/command/command.h"

/* Prints this part on one rank, and draws it into the file `picture` unless that is NULL. Returns
 * an exit code. In builds without MPI the function does not exist, and its address is NULL. */
int tool_info_mpi(const struct tool_command *command, const char *picture) __attribute__((weak));

#endif
