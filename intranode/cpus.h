/* The processing units that this process may run on, from the kernel, in 0.1 ms. */
#ifndef STRATA_INTRANODE_CPUS_H
#define STRATA_INTRANODE_CPUS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    STRATA_MOST_CPUS = 8192, /* the most that a kernel supports */
    STRATA_CPUS_WORD = sizeof(long) * CHAR_BIT,
    STRATA_CPUS_WORDS = STRATA_MOST_CPUS / STRATA_CPUS_WORD
};

struct strata_cpus {
    unsigned long word[STRATA_CPUS_WORDS]; /* one bit for each unit */
};

/* The units of all threads together; false where the kernel does not say. */
bool strata_cpus_find(struct strata_cpus *cpus);
bool strata_cpus_have(const struct strata_cpus *cpus, int cpu);
int strata_cpus_count(const struct strata_cpus *cpus);
/* Writes them as "0-3,8", as far as the text has room. */
void strata_cpus_say(const struct strata_cpus *cpus, char *text, size_t size);

#endif
