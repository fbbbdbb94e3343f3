/* The checks of programs that know nothing of Strata. The program goes on after a failed check, and
 * prints at the end whether all checks held.
 *
 * EXPECT(what, x, ==, y)      one comparison; prints both sides where it does not hold
 * say_all_right(comm)         on all ranks of comm; rank 0 prints where no rank found a mistake */
#ifndef STRATA_TESTS_PRELOAD_EXPECT_H
#define STRATA_TESTS_PRELOAD_EXPECT_H

#include <mpi.h>
#include <stdio.h>

#include "tests/compare.h"

static int wrong; /* this rank's failed checks */

#define EXPECT(what, x, compare, y)                                                                \
    do {                                                                                           \
        const char *what_ = (what);                                                                \
        COMPARE(x, compare, y, EXPECT_FAILED);                                                     \
    } while (0)
#define EXPECT_FAILED(check, values) expect_failed(what_, check, values)

/* Prints the first ten failures only. */
static inline void expect_failed(const char *what, const char *check, const char *values)
{
    if (wrong++ < 10) {
        printf("wrong: %s: %s (%s)\n", what, check, values);
    }
}

static inline void say_all_right(MPI_Comm comm)
{
    int rank, all = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, comm);
    if (rank == 0 && all == 0) {
        printf("all right\n");
    }
}

#endif
