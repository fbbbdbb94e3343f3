/* Charges an application's computation on simulated clusters, where computation itself takes no
 * time. A visit of a key, counter or number in memory costs the host's property "visit" in seconds,
 * and opening a team of threads costs "team" (sim/platforms). One real thread does the work of all
 * there. On real machines nothing is charged. */
#ifndef STRATA_APPS_COMMON_WORK_H
#define STRATA_APPS_COMMON_WORK_H

#include <stdint.h>

/* Charges a parallel region of so many threads, one of which makes so many visits, and no other
 * more. One thread opens no team. */
#ifdef STRATA_SIMULATED
void app_work_shared(double visits, int threads);
#else
static inline void app_work_shared(double visits, int threads)
{
    (void)visits;
    (void)threads;
}
#endif

/* Charges what one thread does alone. */
static inline void app_work(double visits)
{
    app_work_shared(visits, 1);
}

/* The largest share of items that threads divide evenly. */
static inline double app_largest_share(int64_t items, int threads)
{
    const int64_t share = (items + threads - 1) / threads;
    return (double)share;
}

/* The threads that really run where a rank has so many. */
static inline int app_real_threads(int threads)
{
#ifdef STRATA_SIMULATED
    (void)threads;
    return 1;
#else
    return threads;
#endif
}

#endif
