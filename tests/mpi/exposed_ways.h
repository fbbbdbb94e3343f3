/* How blocks are taken out of local peers' memory in random calls: counted, and changed by a system
 * that begins to refuse while calls are under way. Needs _GNU_SOURCE before the first include. */
#ifndef STRATA_TESTS_MPI_EXPOSED_WAYS_H
#define STRATA_TESTS_MPI_EXPOSED_WAYS_H

#include <mpi.h>
#include <stdint.h>

#include "include/strata.h"

/* Around a call: counts it by the ways in which this rank took blocks in it. */
struct strata_report ways_before(MPI_Comm comm);
void ways_after(MPI_Comm comm, const struct strata_report *before);

/* Where STRATA_TEST_REFUSE says so many milliseconds: on some ranks, drawn from the seed, the
 * system refuses to read other processes' memory from a moment on that comes within these after
 * the rank has read some, whatever it is doing then. "reads:N": from one of its first N reads. */
void ways_refuse(uint64_t seed);

/* Collective: says on rank 0 how many calls there were of each way, on all ranks together. */
void ways_print(void);

#endif
