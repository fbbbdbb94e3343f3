/* A soak: a program goes on with its random calls for STRATA_TEST_SOAK seconds, and what its
 * process holds stays as it was: the heap of Strata and the test, that of the MPI and all others,
 * mappings, those of shared memory among them, and open files. The first half of the time, and the
 * rounds that a program asks for, is for warming up: pools, tables of plans and of bound calls, and
 * the MPI's own pools fill. After it the most that was seen may be exceeded by the bounds below
 * alone. Resident memory is not looked at: the C library keeps pages that were given back, and
 * returns them as it likes.
 *
 *   soak_begin(rounds);
 *   do { calls } while (soak_goes_on());
 *   soak_end();                the verdict; rank 0 prints the figures
 *
 * With STRATA_TEST_LEAK=BYTES each round loses so much, and the verdict must say so. */
#ifndef STRATA_TESTS_MPI_SOAK_H
#define STRATA_TESTS_MPI_SOAK_H

#include <stdbool.h>

/* What a rank may hold more after the warm-up than within it. The tables of plans fill for
 * thousands of calls, ever more slowly, and the MPI's pools grow by large pieces: UCX takes 8 MiB
 * at once. 4096 rounds fill them. A run that warmed up for fewer, which is half of its rounds, may
 * take more of the heap, and of what others took in one round a piece like that is not counted. */
enum {
    SOAK_MORE_OWN = 512, /* KiB */
    SOAK_MORE_OWN_EARLY = 2048,
    SOAK_EARLY_ROUNDS = 8192,
    SOAK_MORE_OTHERS = 256,
    SOAK_MORE_OTHERS_EARLY = 1024,
    SOAK_PIECE = 8256, /* with what describes it */
    SOAK_MORE_MAPPINGS = 4,
    SOAK_MORE_SHARED = 0,
    SOAK_MORE_FILES = 0
};

/* Returns false where there is no soak; the other functions do nothing then. The warming up takes
 * so many rounds at least, and what follows as many again. */
bool soak_begin(long rounds_to_warm);

/* Collective over MPI_COMM_WORLD: rank 0's clock decides. Looks at what the process holds. */
bool soak_goes_on(void);
void soak_end(void);

#endif
