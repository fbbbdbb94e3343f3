/* Who looks at requests that are under way, and at sequences, holds this lock. */
#include <pthread.h>

#include "api/process/process.h"
#include "api/request/request.h"

/* MPI is called under this lock, so no callback of MPI's may take it. Where one thread at a time
 * calls MPI there is nobody to lock out, but this one, when it is at it already. */
static pthread_mutex_t moving = PTHREAD_MUTEX_INITIALIZER;
static bool busy;
static pthread_cond_t woken = PTHREAD_COND_INITIALIZER;

bool strata_beside_try_lock(void)
{
    if (strata_process_here.multiple) {
        return pthread_mutex_trylock(&moving) == 0;
    }
    bool was = busy;
    busy = true;
    return !was;
}

void strata_beside_lock(void)
{
    if (strata_process_here.multiple) {
        pthread_mutex_lock(&moving);
    } else {
        busy = true;
    }
}

void strata_beside_unlock(void)
{
    if (strata_process_here.multiple) {
        pthread_mutex_unlock(&moving);
    } else {
        busy = false;
    }
}

bool strata_beside_locked(void)
{
    return busy;
}

void strata_beside_sleep(void)
{
    pthread_cond_wait(&woken, &moving);
}

void strata_beside_wake(void)
{
    pthread_cond_signal(&woken);
}
