/* The library's life in a process: what its parts do at the first call, and in MPI_Finalize. */
#ifndef STRATA_API_LIFE_LIFE_H
#define STRATA_API_LIFE_LIFE_H

#include "api/process/process.h"

/* The one process, set up at the first call; NULL before MPI_Init and after MPI_Finalize has begun.
 */
struct strata_process *strata_process(void);

#endif
