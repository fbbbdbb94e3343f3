/* Measures from which length on helpers make copies faster. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/cost/machine.h"
#include "core/engine/engine_common.h"
#include "intranode/helpers.h"
#include "intranode/wait.h"

/* Lengths from SHORTEST on, each twice the one before. */
enum {
    SHORTEST = STRATA_LEAST_SHARED,
    LENGTHS = 7,
    LONGEST = SHORTEST << (LENGTHS - 1),
    LOOKS = 1000
};
static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double strata_median_time(void (*work)(void *argument), void *argument, int times, long pause)
{
    const struct timespec between = {.tv_nsec = pause};
    double took[STRATA_MOST_TIMES];
    for (int i = 0; i < times; i++) {
        if (pause > 0) {
            nanosleep(&between, NULL);
        }
        const double begin = strata_seconds();
        work(argument);
        took[i] = strata_seconds() - begin;
    }
    qsort(took, (size_t)times, sizeof *took, compare);
    return took[times / 2];
}

/* A copy by so many threads. */
struct timed {
    struct strata_helpers *helpers;
    struct strata_copying_bytes copy;
    int threads;
};

static void make_copy(void *argument)
{
    struct timed *t = argument;
    if (t->threads > 1) {
        (void)strata_helpers_do(t->helpers, strata_copy_chunk, &t->copy, t->threads);
    } else {
        strata_copy_chunk(&t->copy, 0, 1);
    }
}

static double time_copy(struct timed t, int threads)
{
    t.threads = threads;
    return strata_median_time(make_copy, &t, STRATA_MOST_TIMES, 0);
}

/* From the longest copy down, as long as sharing pays. */
static struct strata_helpers_gain measure(struct strata_helpers *helpers, unsigned char *memory,
                                          int threads)
{
    struct strata_helpers_gain gain = {.least_bytes = SIZE_MAX};
    bool pays = true;
    for (size_t bytes = LONGEST; bytes >= SHORTEST && pays; bytes /= 2) {
        const struct timed t = {helpers, {memory, memory + LONGEST, bytes}, 1};
        const double alone = time_copy(t, 1), shared = time_copy(t, threads);
        pays = shared <= STRATA_SHARED_PAYS * alone;
        gain.least_bytes = pays ? bytes : gain.least_bytes;
        if (bytes == LONGEST) {
            gain.alone = alone / LONGEST;
            gain.shared = shared / LONGEST;
        }
    }
    return gain;
}

/* Waits for the helpers; returns the number of threads that are here, with the caller. */
static int await_helpers(const struct strata_helpers *helpers, int threads)
{
    struct strata_waiter waiter = {0};
    int here = 1;
    while (here < threads && waiter.attempt < LOOKS) {
        strata_wait_between_tests(&waiter);
        here = 1 + atomic_load_explicit(&helpers->here, memory_order_acquire);
    }
    return here < STRATA_MOST_PIECES ? here : STRATA_MOST_PIECES;
}

struct strata_helpers_gain strata_helpers_measure(struct strata_helpers *helpers, int threads)
{
    struct strata_helpers_gain gain = {.least_bytes = SIZE_MAX};
    const int here = await_helpers(helpers, threads);
    unsigned char *memory = here > 1 ? strata_allocate(2, LONGEST) : NULL;
    if (memory) {
        memset(memory, 1, 2 * (size_t)LONGEST);
        gain = measure(helpers, memory, here);
    }
    strata_release(memory);
    return gain;
}
