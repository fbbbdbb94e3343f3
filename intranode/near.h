/* Which pages of a node memory lie in which NUMA domain: those that only members of one domain
 * write lie there. No system call here (pages.h). */
#ifndef STRATA_INTRANODE_NEAR_H
#define STRATA_INTRANODE_NEAR_H

#include <stddef.h>

#include "core/engine/node_memory.h"

/* The members of a node, and each one's domain by the kernel's number; STRATA_SEVERAL (hardware.h):
 * it lies in several, or nobody knows where. */
struct strata_near {
    int members;
    const int *domain;  /* [members] */
    const int *by_turn; /* [members] the same, of the members in the order of their turns */
    size_t page;        /* bytes */
};

/* Whole pages that shall lie in a domain. */
typedef void strata_near_lay(void *memory, size_t bytes, int domain);

/* Lays the pages of a node memory, in the order of their addresses and as few pieces as possible.
 * Other pages are left alone: those on which members of several domains write, and those of members
 * in none. */
void strata_near_owners(const struct strata_near *near, void *base,
                        const struct strata_node_memory_sizes *sizes, strata_near_lay *lay);

#endif
