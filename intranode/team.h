/* Teams of OpenMP threads. The one file with OpenMP is team_omp.c. */
#ifndef STRATA_INTRANODE_TEAM_H
#define STRATA_INTRANODE_TEAM_H

#include "core/engine/engine.h"

/* The number of threads for a rank of this host: `asked` where the user asked for any; else
 * OpenMP's number, reduced so that the threads of all processes together do not outnumber the cpus.
 * At least one; so a crowded host opens no team unless the user insists. */
int strata_team_threads(int asked, int processes, int cpus);

/* The threads of the parallel region in which the caller is; 0: it is in none. */
int strata_team_of_caller(void);

/* Runs body(argument, thread, threads) on each thread of a new region, which may have fewer threads
 * than were asked for. The caller is thread 0. Inside an active region, and without OpenMP, the
 * caller is alone. */
void strata_team_open(int threads, strata_chunk_body *body, void *argument);

#endif
