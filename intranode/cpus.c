#define _GNU_SOURCE /* sched_getaffinity */
#include "intranode/cpus.h"

#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

/* A thread that has ended since has no part in it. */
static void add_thread(struct strata_cpus *sum, int id)
{
    struct strata_cpus own = {{0}};
    if (sched_getaffinity(id, sizeof own, (cpu_set_t *)own.word) == 0) {
        for (int i = 0; i < STRATA_CPUS_WORDS; i++) {
            sum->word[i] |= own.word[i];
        }
    }
}

bool strata_cpus_find(struct strata_cpus *cpus)
{
    DIR *threads = opendir("/proc/self/task");
    const struct dirent *thread;
    *cpus = (struct strata_cpus){{0}};
    add_thread(cpus, 0);
    while (threads && (thread = readdir(threads))) {
        if (thread->d_name[0] != '.') {
            add_thread(cpus, atoi(thread->d_name));
        }
    }
    if (threads) {
        closedir(threads);
    }
    return strata_cpus_count(cpus) > 0;
}

int strata_cpus_count(const struct strata_cpus *cpus)
{
    int count = 0;
    for (int i = 0; i < STRATA_CPUS_WORDS; i++) {
        count += __builtin_popcountl(cpus->word[i]);
    }
    return count;
}

bool strata_cpus_have(const struct strata_cpus *cpus, int cpu)
{
    return cpu < STRATA_MOST_CPUS &&
           cpus->word[cpu / STRATA_CPUS_WORD] >> cpu % STRATA_CPUS_WORD & 1;
}

void strata_cpus_say(const struct strata_cpus *cpus, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int first = 0, end; first < STRATA_MOST_CPUS && used < size; first = end + 1) {
        for (end = first; strata_cpus_have(cpus, end); end++) {
        }
        if (end > first) {
            used += (size_t)snprintf(text + used, size - used, "%s%d", used > 0 ? "," : "", first);
        }
        if (end > first + 1 && used < size) {
            used += (size_t)snprintf(text + used, size - used, "-%d", end - 1);
        }
    }
}
