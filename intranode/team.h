/* The OpenMP team that shares a rank's copying. The one file with OpenMP is team_omp.c. */
#ifndef STRATA_INTRANODE_TEAM_H
#define STRATA_INTRANODE_TEAM_H

#include "core/engine/engine.h"

/* The number of threads for a rank of this host: `asked` where the user asked for any; else
 * OpenMP's number, reduced so that the threads of all processes together do not outnumber the cpus.
 * At least one; so a crowded host opens no team unless the user insists. */
int strata_team_threads(int asked, int processes, int cpus);

/* The threads of the parallel region in which the caller is; 0: it is in none. */
int strata_team_of_caller(void);

/* threads: 1 or more; without OpenMP there is one. Inside an active parallel region the team always
 * runs its chunks one after another on the calling thread. */
void strata_team_init(struct strata_team *team, int threads, size_t least_bytes);

#endif
