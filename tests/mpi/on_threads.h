/* Some threads of a program that do the same. */
#ifndef STRATA_TESTS_MPI_ON_THREADS_H
#define STRATA_TESTS_MPI_ON_THREADS_H

#include <pthread.h>
#include <stddef.h>

/* Each of so many threads, 64 at most, runs body with its own of the arguments, which take `bytes`
 * bytes each. The first one is the caller. Returns when all have ended. */
static inline void on_threads(int threads, void *(*body)(void *argument), void *arguments,
                              size_t bytes)
{
    pthread_t other[64];
    for (int t = threads - 1; t > 0; t--) {
        pthread_create(&other[t], NULL, body, (char *)arguments + (size_t)t * bytes);
    }
    body(arguments);
    for (int t = 1; t < threads; t++) {
        pthread_join(other[t], NULL);
    }
}

#endif
