/* STRATA_STALL: how long a wait has stood still. */
#ifndef STRATA_API_PROCESS_TIMEOUT_H
#define STRATA_API_PROCESS_TIMEOUT_H

#include <stdbool.h>

/* What a process that has waited long says first: its rank of MPI_COMM_WORLD, seconds. */
#define STRATA_STALLED "strata: rank %d of MPI_COMM_WORLD has waited %d s "

struct strata_stall {
    unsigned looks;
    int complete; /* when something was last complete, at */
    double since; /* of MPI_Wtime; 0: not looked at yet */
    bool said;
};

/* After a look that found so many complete: where nothing has changed for as long as the
 * configuration says, for how many seconds, once in a wait; else 0. */
int strata_stall_seconds(struct strata_stall *stall, int complete);
/* Says of a wait for MPI that it has stood still so long. */
void strata_stall_say_mpi(int seconds);

#endif
