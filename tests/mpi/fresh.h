/* Tests of what a communicator learns: each begins on one that knows nothing. */
#ifndef STRATA_TESTS_MPI_FRESH_H
#define STRATA_TESTS_MPI_FRESH_H

#include "include/strata.h"
#include "tests/mpi/require.h"

/* Runs each test with *comm a duplicate of MPI_COMM_WORLD of its own, of so many ranks, attached
 * for the collective. */
static inline void run_fresh(void (*const tests[])(void), size_t count, int ranks,
                             const char *collective, MPI_Comm *comm)
{
    int found;
    succeed(MPI_Comm_size(MPI_COMM_WORLD, &found));
    REQUIRE_CMP(found, ==, ranks);
    for (size_t i = 0; i < count; i++) {
        succeed(MPI_Comm_dup(MPI_COMM_WORLD, comm));
        succeed(strata_comm_attach(*comm, collective));
        tests[i]();
        succeed(MPI_Comm_free(comm));
    }
}

#endif
