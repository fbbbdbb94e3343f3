/* OpenMP threads that share processing units: ranks that are bound to a core each, most of all. */
#ifndef STRATA_API_EXPLAIN_THREADS_H
#define STRATA_API_EXPLAIN_THREADS_H

#include <stdbool.h>
#include <stddef.h>

/* Whether so many threads of each of a host's ranks (0: OMP_NUM_THREADS says nothing) are more than
 * the processing units that all of these ranks may run on; then a sentence of what helps. */
bool strata_threads_crowd(int threads, int ranks, int cpus, char *text, size_t size);

#endif
