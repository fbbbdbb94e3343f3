/* What serves a call, told to the recorder before the call runs. The recorder (preload/record/)
 * defines the function where the program runs with it. Otherwise it is NULL, and calls are told by
 * functions that nobody calls then: no call has an instruction of them.
 *
 * Calls that are like the last one of their collective on the communicator are not told. The same
 * serves them. */
#ifndef STRATA_API_PROCESS_RECORDED_H
#define STRATA_API_PROCESS_RECORDED_H

#include <mpi.h>
#include <stdbool.h>

#include "core/plan/collective.h"
#include "include/strata.h"

/* algorithm: with its parameters; NULL: MPI's own. */
STRATA_PUBLIC extern void strata_record_served(MPI_Comm comm, enum strata_collective collective,
                                               const char *algorithm) __attribute__((weak));

/* Whether calls are explained or told; set with the process. */
extern bool strata_watched __attribute__((visibility("hidden")));

#endif
