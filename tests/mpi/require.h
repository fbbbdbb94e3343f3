/* What the MPI tests check with: a condition that does not hold ends the whole job. */
#ifndef STRATA_TESTS_MPI_REQUIRE_H
#define STRATA_TESTS_MPI_REQUIRE_H

#include <mpi.h>
#include <stdio.h>

#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            require_failed(__FILE__, __LINE__, #condition);                                        \
        }                                                                                          \
    } while (0)

static inline void require_failed(const char *file, int line, const char *condition)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "%s:%d: rank %d: does not hold: %s\n", file, line, rank, condition);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

#endif
