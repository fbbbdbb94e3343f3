/* The limits that Linux's scheduler sets for this process beyond its CPU set. */
#ifndef STRATA_INTRANODE_SCHEDULER_H
#define STRATA_INTRANODE_SCHEDULER_H

#include <stddef.h>
#include <stdint.h>

enum { STRATA_BOOT_ID = 40 };

/* The boot id of the running kernel: hosts that are containers of one machine have the same. Writes
 * it to text, with zeros behind it; returns its length, 0 where it cannot be read. */
size_t strata_boot_id(char text[STRATA_BOOT_ID]);

/* The boot id as a number, if this process may use all online cores of the machine; `cpus` is the
 * number of cores that its host's processes may use. Processes of other hosts with the same number
 * run on the same cores. 0: its cores may be its own. */
uint64_t strata_shared_kernel(int cpus);

/* The cores' worth of time that this process's control group may use (a container's quota), rounded
 * up; INT_MAX: there is no limit, or none is known. */
int strata_quota_cpus(void);

/* The same from the text of a version 2 `cpu.max` ("QUOTA PERIOD" or "max PERIOD", microseconds).
 */
int strata_quota_parse(const char *text);

/* A number that processes share if Linux schedules them as one group. With sched_autogroup each
 * session is a group, and sched_yield hands the core over within the group only. MPICH's launcher
 * starts each rank in a session of its own, Open MPI's starts all ranks in one. 0: there are no
 * such groups. */
int strata_scheduling_group(void);

/* The same from the text of /proc/self/autogroup ("/autogroup-8 nice 0"). */
int strata_scheduling_group_parse(const char *text);

/* Seconds between two decisions of the scheduler: a process that neither sleeps nor yields keeps
 * its core at least so long. 0: not known. */
double strata_scheduling_tick(void);

#endif
