/* Finds OpenMP threads that share processing units, above all where each rank is bound to one
 * core. */
#ifndef STRATA_API_EXPLAIN_THREADS_H
#define STRATA_API_EXPLAIN_THREADS_H

#include <stdbool.h>
#include <stddef.h>

/* Whether so many threads in each rank of a host (0: OMP_NUM_THREADS says nothing) need more
 * processing units than all these ranks may run on. Then `text` gets a sentence of advice. */
bool strata_threads_crowd(int threads, int ranks, int cpus, char *text, size_t size);

#endif
