/* The share of a machine's processor time that the ranks did not use, but others did. */
#ifndef STRATA_BENCH_STRATA_BENCH_OTHERS_H
#define STRATA_BENCH_STRATA_BENCH_OTHERS_H

#include <mpi.h>

struct others {
    double all, busy; /* of the machine, in ticks; all is 0 where the system does not say */
    double own;       /* seconds of this process */
};

void others_start(struct others *o);
/* Since the start: that of the worst machine, from 0 to 1; -1 where the system does not say.
 * Collective over MPI_COMM_WORLD. machine: the ranks of this one. */
double others_share(const struct others *o, MPI_Comm machine);

#endif
