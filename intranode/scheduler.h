/* What Linux's scheduler grants this process, where no CPU set shows it. */
#ifndef STRATA_INTRANODE_SCHEDULER_H
#define STRATA_INTRANODE_SCHEDULER_H

#include <stddef.h>
#include <stdint.h>

enum { STRATA_BOOT_ID = 40 };

/* The boot id of the running kernel: hosts that are containers of one machine have the same. Fills
 * text with it and zeros behind it; returns its length, 0 where it cannot be read. */
size_t strata_boot_id(char text[STRATA_BOOT_ID]);

/* The same as a number, where this process may have any core of the machine that is online, if
 * `cpus` are those which its host's processes may have. Then processes of other hosts with that
 * number run on the same cores. 0: its cores may be its own. */
uint64_t strata_shared_kernel(int cpus);

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

/* Seconds between two looks of the scheduler at who has a core: so long at least keeps it who
 * neither sleeps nor hands it over. 0: not known. */
double strata_scheduling_tick(void);

#endif
