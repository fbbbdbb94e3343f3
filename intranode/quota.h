/* How much processor time a container grants: cgroup quotas, which no CPU set shows. */
#ifndef STRATA_INTRANODE_QUOTA_H
#define STRATA_INTRANODE_QUOTA_H

/* Cores' worth of time that this process's control group may use, rounded up; INT_MAX: no limit is
 * set, or none is known. */
int strata_quota_cpus(void);

/* The same from the text of a version 2 `cpu.max` ("QUOTA PERIOD" or "max PERIOD", microseconds).
 */
int strata_quota_parse(const char *text);

#endif
