/* The processing units that this process may run on, by the kernel and libnuma. hwloc, which looks
 * at all of the machine, takes 10 ms for it, and loads libraries into the program. */
#ifndef STRATA_INTRANODE_BINDING_MPI_H
#define STRATA_INTRANODE_BINDING_MPI_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    STRATA_BINDING_CPUS = 8192, /* as many as a kernel knows at most */
    STRATA_BINDING_WORD = sizeof(long) * CHAR_BIT,
    STRATA_BINDING_WORDS = STRATA_BINDING_CPUS / STRATA_BINDING_WORD
};

struct strata_binding {
    unsigned long word[STRATA_BINDING_WORDS]; /* a bit for each */
};

/* Those of all threads together; false where the kernel does not tell. */
bool strata_binding_find(struct strata_binding *binding);
int strata_binding_count(const struct strata_binding *binding);
/* "0-3,8", as far as it fits. */
void strata_binding_say(const struct strata_binding *binding, char *text, size_t size);

/* NUMA domains of the host. */
int strata_numa_domains(void);
/* The domain that holds all of the binding, as the kernel counts; 0 when there are several. */
int strata_numa_domain(const struct strata_binding *binding);

#endif
