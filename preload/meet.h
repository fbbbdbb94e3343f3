/* The ranks of a job meet in MPI_Init. A rank that runs without this library never comes. */
#ifndef STRATA_PRELOAD_MEET_H
#define STRATA_PRELOAD_MEET_H

#include "core/base/config.h"

/* All ranks of MPI_COMM_WORLD take rank 0's word. Collective over those that run with this library.
 * After STRATA_STALL seconds, or ten, each rank that waits says so. With STRATA_STRICT it then ends
 * the program. Returns MPI's code. */
int preload_meet(const struct strata_config *config, int *word);

#endif
