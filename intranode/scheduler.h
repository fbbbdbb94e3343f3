/* What Linux's scheduler grants this process, where no CPU set shows it. */
#ifndef STRATA_INTRANODE_SCHEDULER_H
#define STRATA_INTRANODE_SCHEDULER_H

/* Cores' worth of time that this process's control group may use (a container's quota), rounded up;
 * INT_MAX: no limit is set, or none is known. */
int strata_quota_cpus(void);

/* The same from the text of a version 2 `cpu.max` ("QUOTA PERIOD" or "max PERIOD", microseconds).
 */
int strata_quota_parse(const char *text);

/* A number that processes share when they are scheduled as one group. Linux makes a group of each
 * session (sched_autogroup); sched_yield hands the core to the own group only. MPICH's launcher
 * starts every rank in a session of its own, Open MPI's all of them in one. 0: no such groups. */
int strata_scheduling_group(void);

/* The same from the text of /proc/self/autogroup ("/autogroup-8 nice 0"). */
int strata_scheduling_group_parse(const char *text);

#endif
