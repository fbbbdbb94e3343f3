/* STRATA_STALL: how long a wait has stood still. */
#ifndef STRATA_API_PROCESS_TIMEOUT_H
#define STRATA_API_PROCESS_TIMEOUT_H

#include <stdbool.h>

/* The beginning of the report of a process that has waited long: its rank of MPI_COMM_WORLD, and
 * seconds. */
#define STRATA_STALLED "strata: rank %d of MPI_COMM_WORLD has waited %d s "

struct strata_stall {
    unsigned looks;
    int complete; /* how many were complete at the last look */
    double since; /* the time of the last change; 0: there was no look yet */
    bool said;
    int patience; /* seconds where the configuration says none; 0: for ever */
};

/* Called after a look that found so many complete. Returns, once in a wait, the seconds for which
 * nothing has changed, if they are as many as the configuration says; otherwise 0. */
int strata_stall_seconds(struct strata_stall *stall, int complete);
/* The next look asks the clock: after a sleep this costs nothing, and looks are few. */
void strata_stall_ask(struct strata_stall *stall);
/* Reports a wait for MPI that has stood still for so long. */
void strata_stall_say_mpi(int seconds);
/* The same of a communicator's first call, to which ranks may not come that do not call Strata. */
void strata_stall_say_first(int seconds);

#endif
