/* Calls with more than 2^31 bytes or elements: the long form of test_api_large.c. */
#ifndef STRATA_TESTS_MPI_HUGE_CALLS_H
#define STRATA_TESTS_MPI_HUGE_CALLS_H

#include <mpi.h>

/* Makes the calls on two ranks, by plans and by MPI's own. Both ranks together have at most 5 GB at
 * a time. Prints each call and its time. */
void huge_calls(MPI_Comm comm);

#endif
