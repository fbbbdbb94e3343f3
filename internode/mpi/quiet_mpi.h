/* Takes the error handler of a communicator away for a while: its errors are returned to those who
 * made the calls, to another thread of the program, too. */
#ifndef STRATA_INTERNODE_MPI_QUIET_MPI_H
#define STRATA_INTERNODE_MPI_QUIET_MPI_H

#include <mpi.h>
#include <stdbool.h>

/* Several threads may be in between at once, each with any communicators: the first one takes a
 * communicator's handler away, and the last one puts it back. False: too many communicators are
 * quiet, and this one is not. */
bool strata_quiet_begin(MPI_Comm comm);
/* Only after a strata_quiet_begin that was true. */
void strata_quiet_end(MPI_Comm comm);

/* Whether errors of the communicator go to a function of the program's. */
bool strata_handler_is_own(MPI_Comm comm);

#endif
