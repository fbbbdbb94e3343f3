/* The processing units that this process may run on, by the kernel and libnuma. hwloc, which looks
 * at all of the machine, takes 10 ms for it, and loads libraries into the program. */
#ifndef STRATA_INTRANODE_CPUS_MPI_H
#define STRATA_INTRANODE_CPUS_MPI_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    STRATA_MOST_CPUS = 8192, /* as many as a kernel knows at most */
    STRATA_CPUS_WORD = sizeof(long) * CHAR_BIT,
    STRATA_CPUS_WORDS = STRATA_MOST_CPUS / STRATA_CPUS_WORD
};

struct strata_cpus {
    unsigned long word[STRATA_CPUS_WORDS]; /* a bit for each */
};

/* Those of all threads together; false where the kernel does not tell. */
bool strata_cpus_find(struct strata_cpus *cpus);
int strata_cpus_count(const struct strata_cpus *cpus);
/* "0-3,8", as far as it fits. */
void strata_cpus_say(const struct strata_cpus *cpus, char *text, size_t size);

/* NUMA domains of the host. */
int strata_numa_domains(void);
/* The domain that holds all of the cpus, as the kernel counts; 0 when there are several. */
int strata_numa_domain(const struct strata_cpus *cpus);

#endif
