/* Measures from which length on helpers make copies faster. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/memory.h"
#include "core/engine/engine_common.h"
#include "intranode/helpers.h"
#include "intranode/wait.h"

/* Lengths from SHORTEST on, each twice the one before. */
enum {
    SHORTEST = STRATA_LEAST_SHARED,
    LENGTHS = 7,
    LONGEST = SHORTEST << (LENGTHS - 1),
    TIMES = 7,
    LOOKS = 1000
};
/* A shared copy pays if it takes at most so much of the time of one thread. */
static const double PAYS = 0.85;

struct copy {
    unsigned char *to;
    const unsigned char *from;
    size_t bytes;
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void copy_part(void *argument, int chunk, int chunks)
{
    const struct copy *c = argument;
    const size_t from = (size_t)strata_chunk_begin((int64_t)c->bytes, chunk, chunks);
    const size_t to = (size_t)strata_chunk_begin((int64_t)c->bytes, chunk + 1, chunks);
    memcpy(c->to + from, c->from + from, to - from);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of copies by so many threads. */
static double time_copy(struct strata_helpers *helpers, struct copy *c, int threads)
{
    double times[TIMES];
    for (int i = 0; i < TIMES; i++) {
        const double begin = now();
        if (threads > 1) {
            (void)strata_helpers_do(helpers, copy_part, c, threads);
        } else {
            copy_part(c, 0, 1);
        }
        times[i] = now() - begin;
    }
    qsort(times, TIMES, sizeof *times, compare);
    return times[TIMES / 2];
}

/* From the longest copy down, as long as sharing pays. */
static struct strata_helpers_gain measure(struct strata_helpers *helpers, unsigned char *memory,
                                          int threads)
{
    struct strata_helpers_gain gain = {.least_bytes = SIZE_MAX};
    bool pays = true;
    for (size_t bytes = LONGEST; bytes >= SHORTEST && pays; bytes /= 2) {
        struct copy c = {memory, memory + LONGEST, bytes};
        const double alone = time_copy(helpers, &c, 1), shared = time_copy(helpers, &c, threads);
        pays = shared <= PAYS * alone;
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
