/* Ranks without this library make no call of this meeting, so the others wait for ever, and MPI
 * does not return to them. A thread that never calls MPI says so. They meet in a nonblocking
 * collective: no message of a rank without this library can be taken for one of its messages, nor
 * the other way round, but those of nonblocking collectives. MPI_Comm_create's could meet those of
 * blocking ones, and in Open MPI MPI_Comm_create_group's meet those of MPI_Send and MPI_Recv. */
#include "preload/meet.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "api/process/process.h"
#include "api/process/timeout.h"

enum { PATIENCE = 10, STACK = 1 << 16 };

struct watch {
    pthread_mutex_t lock;
    pthread_cond_t over;
    bool met, strict;
    int rank, seconds;
};

static void say(const struct watch *w)
{
    fprintf(stderr,
            STRATA_STALLED
            "in MPI_Init: a rank that does not say this has not come, or runs without %s. Start "
            "all ranks of a job with it, or none, as with `strata run` before each program of "
            "mpirun's%s\n",
            w->rank, w->seconds, STRATA_PRELOAD,
            w->strict ? "; STRATA_STRICT=1 ends the program" : "");
}

/* Waits so many seconds for the others, with the lock. Returns whether they have come. */
static bool wait_for_others(struct watch *w, int seconds)
{
    struct timespec end;
    int error = 0;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += seconds;
    while (!w->met && error != ETIMEDOUT) {
        error = pthread_cond_timedwait(&w->over, &w->lock, &end);
    }
    return w->met;
}

/* By a signal: MPICH's launcher leaves the ranks of other hosts running where all of one have ended
 * with an exit code, though they are in MPI. */
static _Noreturn void end_rank(void)
{
    sigset_t term;
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    signal(SIGTERM, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &term, NULL);
    raise(SIGTERM);
    _exit(EXIT_FAILURE);
}

static void *watch(void *argument)
{
    struct watch *w = argument;
    pthread_mutex_lock(&w->lock);
    if (!wait_for_others(w, w->seconds)) {
        say(w);
        if (w->strict && !wait_for_others(w, 1)) { /* the other ranks say it, too */
            end_rank();
        }
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

/* Signals are for the program's own thread. Without memory for a thread nothing is said. */
static bool begin(struct watch *w, pthread_t *thread)
{
    pthread_condattr_t clock;
    pthread_attr_t small;
    sigset_t all, before;
    pthread_mutex_init(&w->lock, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&w->over, &clock);
    pthread_condattr_destroy(&clock);
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, STACK > PTHREAD_STACK_MIN ? STACK : PTHREAD_STACK_MIN);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool begun = pthread_create(thread, &small, watch, w) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&small);
    return begun;
}

static void end(struct watch *w, const pthread_t *thread)
{
    if (thread) {
        pthread_mutex_lock(&w->lock);
        w->met = true;
        pthread_cond_signal(&w->over);
        pthread_mutex_unlock(&w->lock);
        pthread_join(*thread, NULL);
    }
    pthread_cond_destroy(&w->over);
    pthread_mutex_destroy(&w->lock);
}

static int take_word(int *word, int rank)
{
    int mine = rank == 0 ? *word : INT_MIN;
    MPI_Request request;
    int error = PMPI_Iallreduce(&mine, word, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
    return error == MPI_SUCCESS ? PMPI_Wait(&request, MPI_STATUS_IGNORE) : error;
}

int preload_meet(const struct strata_config *config, int *word)
{
    struct watch w = {.strict = config->strict != 0,
                      .seconds = config->stall > 0 ? (int)config->stall : PATIENCE};
    pthread_t thread;
    int ranks;
    PMPI_Comm_rank(MPI_COMM_WORLD, &w.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const bool watched = ranks > 1 && begin(&w, &thread);
    const int error = take_word(word, w.rank);
    end(&w, watched ? &thread : NULL);
    return error;
}
