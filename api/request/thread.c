/* STRATA_PROGRESS=thread: a thread that moves requests while the program does other work. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "api/process/process.h"
#include "api/request/open_requests.h"
#include "api/request/request.h"

/* Read and written under the lock of requests. */
static struct {
    pthread_t thread;
    bool runs, ends;
} helper;

/* Pauses after so many looks that completed nothing. At first the thread yields, then it sleeps
 * longer and longer, so that a long request costs almost nothing. */
static void pause_after(unsigned looks)
{
    const unsigned turns = 100, doublings = 5;
    unsigned sleeps = looks > turns ? looks - turns : 0;
    if (sleeps == 0) {
        sched_yield();
    } else {
        long nanoseconds = 16000L << (sleeps < doublings ? sleeps : doublings);
        nanosleep(&(struct timespec){.tv_nsec = nanoseconds}, NULL);
    }
}

static void *move(void *none)
{
    unsigned looks = 0;
    strata_requests_lock();
    while (!helper.ends) {
        int before = strata_requests_open();
        if (before == 0) {
            strata_requests_sleep();
            looks = 0;
            continue;
        }
        strata_requests_advance();
        looks = strata_requests_open() < before ? 0 : looks + 1;
        strata_requests_unlock();
        pause_after(looks);
        strata_requests_lock();
    }
    strata_requests_unlock();
    return none;
}

/* Starts the thread, which takes no signals, for these are meant for the program's threads. Without
 * the thread only calls move requests. */
static void begin(void)
{
    sigset_t all, usual;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &usual);
    helper.runs = pthread_create(&helper.thread, NULL, move, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &usual, NULL);
}

static bool wanted(const struct strata_request *r)
{
    const char *progress = strata_process_here.config.progress;
    return r->sequence &&
           (strcmp(progress, "always") == 0 ||
            (strcmp(progress, "thread") == 0 && !r->sequence->group->waiter.crowded));
}

void strata_requests_help(const struct strata_request *request)
{
    if (helper.runs) {
        strata_requests_wake();
    } else if (strata_process_here.multiple && !helper.ends && wanted(request)) {
        begin();
    }
}

void strata_requests_end_thread(void)
{
    strata_requests_lock();
    helper.ends = true;
    strata_requests_wake();
    strata_requests_unlock();
    if (helper.runs) {
        pthread_join(helper.thread, NULL);
    }
}
