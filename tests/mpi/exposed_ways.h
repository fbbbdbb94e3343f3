/* Counts the ways in which random calls take blocks out of local peers' memory, and makes the
 * system refuse reading while calls are under way. Needs _GNU_SOURCE before the first include. */
#ifndef STRATA_TESTS_MPI_EXPOSED_WAYS_H
#define STRATA_TESTS_MPI_EXPOSED_WAYS_H

#include <mpi.h>
#include <stdint.h>

#include "include/strata.h"

/* Before and after a call: counts the call by the ways in which this rank took blocks. */
struct strata_report ways_before(MPI_Comm comm);
void ways_after(MPI_Comm comm, const struct strata_report *before);

/* Makes the system refuse to read other processes' memory, on some ranks drawn from the seed.
 * STRATA_TEST_REFUSE is a number of milliseconds: refusals begin at a random time within these
 * after the rank's first read. Or it is "reads:N": refusals begin with one of the rank's first N
 * reads. */
void ways_refuse(uint64_t seed);

/* Collective: prints on rank 0 the number of calls of each way, on all ranks together. */
void ways_print(void);

#endif
