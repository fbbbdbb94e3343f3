/* What the words of a test with threads mean: a level of MPI_Init_thread, and a list of numbers for
 * the ranks in turn. */
#ifndef STRATA_TESTS_MPI_THREAD_WORDS_H
#define STRATA_TESTS_MPI_THREAD_WORDS_H

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* "single", "funneled", "serialized"; all else is MPI_THREAD_MULTIPLE. */
static inline int level_of(const char *word)
{
    return strcmp(word, "single") == 0       ? MPI_THREAD_SINGLE
           : strcmp(word, "funneled") == 0   ? MPI_THREAD_FUNNELED
           : strcmp(word, "serialized") == 0 ? MPI_THREAD_SERIALIZED
                                             : MPI_THREAD_MULTIPLE;
}

/* The number of `rank` in a list such as "2,1,3". */
static inline int number_of_rank(const char *list, int rank)
{
    enum { MOST = 16 };
    int number[MOST], count = 0;
    char *end;
    for (const char *at = list; count < MOST && at; at = *end ? end + 1 : NULL) {
        number[count++] = (int)strtol(at, &end, 10);
    }
    return number[rank % count];
}

#endif
