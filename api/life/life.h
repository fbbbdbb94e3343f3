/* The library's life in a process: the setup at the first call, and the end in MPI_Finalize. */
#ifndef STRATA_API_LIFE_LIFE_H
#define STRATA_API_LIFE_LIFE_H

#include "api/process/process.h"

/* The process's one struct, set up at the first call. NULL before MPI_Init, and once MPI_Finalize
 * has begun. */
struct strata_process *strata_process(void);

#endif
