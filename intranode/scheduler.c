#include "intranode/scheduler.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define TEXT_SIZE 4096

static int cores(double quota, double period)
{
    if (quota <= 0 || period <= 0 || quota / period > 1e6) {
        return INT_MAX;
    }
    int whole = (int)(quota / period);
    return whole < quota / period ? whole + 1 : whole;
}

int strata_quota_parse(const char *text)
{
    double quota, period;
    return sscanf(text, "%lf %lf", &quota, &period) == 2 ? cores(quota, period) : INT_MAX;
}

static bool read_text(const char *path, char *text)
{
    FILE *file = fopen(path, "re");
    if (!file) {
        return false;
    }
    size_t length = fread(text, 1, TEXT_SIZE - 1, file);
    text[length] = 0;
    fclose(file);
    return length > 0;
}

/* The limit of the group and of the groups around it: the lowest one holds. In a container the path
 * of /proc/self/cgroup may not exist below its /sys; then the topmost group is the container's own.
 */
static int version_2(void)
{
    char group[TEXT_SIZE], path[TEXT_SIZE + 64], text[TEXT_SIZE];
    int least = INT_MAX;
    char *name = read_text("/proc/self/cgroup", group) ? strstr(group, "0::/") : NULL;
    if (!name) {
        return least;
    }
    name += strlen("0::");
    name[strcspn(name, "\n")] = 0;
    for (char *end = name + strlen(name); end; end = strrchr(name, '/')) {
        *end = 0;
        snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.max", name);
        int cpus = read_text(path, text) ? strata_quota_parse(text) : INT_MAX;
        least = cpus < least ? cpus : least;
    }
    return least;
}

static int version_1(void)
{
    char quota[TEXT_SIZE], period[TEXT_SIZE], both[2 * TEXT_SIZE];
    if (!read_text("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", quota) ||
        !read_text("/sys/fs/cgroup/cpu/cpu.cfs_period_us", period)) {
        return INT_MAX;
    }
    snprintf(both, sizeof both, "%s %s", quota, period);
    return strata_quota_parse(both);
}

int strata_quota_cpus(void)
{
    int first = version_1(), second = version_2();
    return first < second ? first : second;
}

size_t strata_boot_id(char text[STRATA_BOOT_ID])
{
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    size_t length = 0;
    memset(text, 0, STRATA_BOOT_ID);
    if (file) {
        length = fread(text, 1, STRATA_BOOT_ID - 1, file);
        fclose(file);
    }
    return length;
}

/* FNV-1a; 64 bits, so that a million machines hardly ever share one. */
uint64_t strata_shared_kernel(int cpus)
{
    char text[STRATA_BOOT_ID];
    size_t length = strata_boot_id(text);
    uint64_t number = 14695981039346656037u;
    for (size_t i = 0; i < length; i++) {
        number = (number ^ (unsigned char)text[i]) * 1099511628211u;
    }
    return length > 0 && cpus >= sysconf(_SC_NPROCESSORS_ONLN) ? number : 0;
}

double strata_scheduling_tick(void)
{
    struct timespec tick;
    return clock_getres(CLOCK_MONOTONIC_COARSE, &tick) == 0
               ? (double)tick.tv_sec + 1e-9 * (double)tick.tv_nsec
               : 0;
}

int strata_scheduling_group_parse(const char *text)
{
    int group = 0;
    return sscanf(text, "/autogroup-%d", &group) == 1 && group > 0 ? group : 0;
}

int strata_scheduling_group(void)
{
    char text[TEXT_SIZE];
    if (!read_text("/proc/sys/kernel/sched_autogroup_enabled", text) || text[0] != '1' ||
        !read_text("/proc/self/autogroup", text)) {
        return 0;
    }
    return strata_scheduling_group_parse(text);
}
