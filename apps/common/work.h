/* What an application computes, told to simulated clusters, where computation itself takes no time:
 * `visits` of a key, counter or number in memory, one after another, cost as many times the host's
 * property "visit" in seconds (sim/platforms). Elsewhere empty. */
#ifndef STRATA_APPS_COMMON_WORK_H
#define STRATA_APPS_COMMON_WORK_H

#ifdef STRATA_SIMULATED
void app_work(double visits);
#else
static inline void app_work(double visits)
{
    (void)visits;
}
#endif

#endif
