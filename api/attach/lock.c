/* The lock of requests: a thread that looks at open requests, or at sequences, holds it. */
#include <pthread.h>

#include "api/attach/sequence.h"
#include "api/process/process.h"
#include "api/process/thread_wait.h"

/* MPI is called under this lock, so no callback of MPI's may take it. Where threads may not call
 * MPI at any time (api/process/by_mpi.h), one that calls MPI under it takes it only when it may. It
 * is needed below MPI_THREAD_MULTIPLE, too, for programs call from several threads all the same. */
static pthread_mutex_t moving = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t woken = PTHREAD_COND_INITIALIZER;

bool strata_requests_try_lock(void)
{
    return pthread_mutex_trylock(&moving) == 0;
}

/* A thread that waits for requests has the lock most of the time, but lets go of it between any two
 * looks. One that slept would miss these moments. Where threads share cores it sleeps, for the core
 * is of more use to the other one. */
static void lock_soon(void)
{
    enum { TRIES = 1000 };
    int left = strata_threads_share_cores() ? 0 : TRIES;
    while (left > 0 && !strata_requests_try_lock()) {
        left--;
    }
    if (left == 0) {
        pthread_mutex_lock(&moving);
    }
}

/* A thread that holds the lock while it waits alone looks whether another thread has come. */
void strata_requests_lock(void)
{
    if (!strata_requests_try_lock()) {
        strata_thread_comes(&strata_process_here);
        lock_soon();
    }
}

void strata_requests_unlock(void)
{
    pthread_mutex_unlock(&moving);
}

void strata_requests_sleep(void)
{
    pthread_cond_wait(&woken, &moving);
}

void strata_requests_wake(void)
{
    pthread_cond_signal(&woken);
}
