/* Calls with more than 2^31 bytes or elements: the long form of test_api_large.c. */
#ifndef STRATA_TESTS_MPI_HUGE_CALLS_H
#define STRATA_TESTS_MPI_HUGE_CALLS_H

#include <mpi.h>

/* On two ranks, by plans and by MPI's own: at most 5 GB at a time on both together. Says what it
 * does and how long that takes. */
void huge_calls(MPI_Comm comm);

#endif
