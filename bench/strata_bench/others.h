/* The share of a machine's processor time that other processes used. */
#ifndef STRATA_BENCH_STRATA_BENCH_OTHERS_H
#define STRATA_BENCH_STRATA_BENCH_OTHERS_H

#include <mpi.h>

struct others {
    double all, busy; /* of the machine, in ticks; all is 0 where the system does not tell */
    double own;       /* seconds of this process */
};

void others_start(struct others *o);
/* The share on the worst machine since the start, from 0 to 1; -1 where the system does not tell.
 * `machine` has the ranks of this machine. Collective over MPI_COMM_WORLD. */
double others_share(const struct others *o, MPI_Comm machine);

#endif
