#include "api/explain/shm_limit.h"

#include <stdio.h>

enum { FIGURE = 32 };

/* Writes bytes as settings are written, in the largest unit that leaves at least two digits or
 * loses nothing. */
static const char *figure(uint64_t bytes, char text[FIGURE])
{
    static const char units[] = {'G', 'M', 'K'};
    int unit = 0;
    while (unit < 3 && bytes >> (30 - 10 * unit) < 10 &&
           (bytes == 0 || bytes % (UINT64_C(1) << (30 - 10 * unit)) != 0)) {
        unit++;
    }
    if (unit < 3) {
        snprintf(text, FIGURE, "%llu%c", (unsigned long long)(bytes >> (30 - 10 * unit)),
                 units[unit]);
    } else {
        snprintf(text, FIGURE, "%llu", (unsigned long long)bytes);
    }
    return text;
}

/* The free bytes of shared memory that the budget needs: arenas take at most half of the free
 * memory, and an eighth does not count. */
static uint64_t wanted_free(uint64_t budget)
{
    return budget * 2 / 7 * 8 + ((uint64_t)1 << 20);
}

void strata_shm_limit_say(const struct strata_shm_limit *limit, int64_t budget, char *text,
                          size_t size)
{
    char figures[4][FIGURE];
    const char *wanted = figure((uint64_t)budget, figures[0]);
    if (limit->apart) {
        snprintf(text, size,
                 "some ranks of a host cannot map the same memory, for one is at its limit of open "
                 "files or address space (ulimit -n, -v, -f), or may open no file in /dev/shm");
    } else if (limit->shared > 0) {
        snprintf(
            text, size,
            "enlarge /dev/shm, which has %s with %s free, where STRATA_BUDGET=%s wants %s free",
            figure(limit->shared, figures[1]), figure(limit->free / 7 * 8, figures[2]), wanted,
            figure(wanted_free((uint64_t)budget), figures[3]));
    } else {
        snprintf(text, size, "raise STRATA_BUDGET, which is %s", wanted);
    }
}
