#include "api/process/helping.h"

#include <pthread.h>
#include <stddef.h>

#include "api/process/thread_wait.h"
#include "intranode/team.h"

void strata_help(struct strata_helpers *helpers, enum strata_wait_way way,
                 const _Atomic uint64_t *ended, uint64_t number, const char *awaited)
{
    const struct strata_thread_wait first = {.way = way, .bell = &helpers->bell};
    struct strata_thread_wait wait = first;
    atomic_fetch_add_explicit(&helpers->here, 1, memory_order_release);
    /* pairs with the release of the thread that ends it */
    while (atomic_load_explicit(ended, memory_order_acquire) < number) {
        if (strata_helpers_take(helpers)) {
            wait = first;
        } else {
            strata_thread_wait(&wait, awaited);
        }
    }
    atomic_fetch_sub_explicit(&helpers->here, 1, memory_order_relaxed);
}

/* A team is opened where it saves so many times what that costs. */
static const double WORTH = 2;

static void measure_gain(void *argument)
{
    struct strata_helping *helping = argument;
    helping->gain = strata_helpers_measure(strata_helpers_here, helping->threads);
}

static void measure(struct strata_helping *helping)
{
    strata_helped(helping, measure_gain, helping);
    helping->opening = strata_helped_opening(helping);
    if (helping->gain.least_bytes < SIZE_MAX) {
        const double saved = helping->gain.alone - helping->gain.shared;
        helping->opens_from = (size_t)(WORTH * helping->opening / saved);
    }
}

void strata_helping_find(int threads, size_t told, struct strata_helping *helping)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct strata_helping measured;
    *helping = (struct strata_helping){threads, SIZE_MAX, 0, {SIZE_MAX, 0, 0}};
    if (threads == 1 || strata_team_of_caller() > 0) {
        return;
    }
    if (told > 0) {
        helping->opens_from = helping->gain.least_bytes = told;
        return;
    }
    pthread_mutex_lock(&lock);
    if (measured.threads != threads) {
        measure(helping);
        measured = *helping;
    }
    *helping = measured;
    pthread_mutex_unlock(&lock);
}

void strata_helping_workers(size_t told, struct strata_workers *workers)
{
    strata_helpers_workers(workers, told > 0 ? told : STRATA_LEAST_SHARED);
}
