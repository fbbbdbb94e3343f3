/* Charges an application's computation on simulated clusters, where computation itself takes no
 * time. A visit of a key, counter or number in memory costs the host's property "visit" in seconds
 * (sim/platforms). On real machines the function is empty. */
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
