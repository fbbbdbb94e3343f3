/* In which NUMA domains the pages of shared memory lie: the kernel's memory policies. They are
 * advice: where the kernel refuses, pages lie where they fall, which is slower and not wrong. The
 * advice is to memory of a file, so one process gives it for all that map the file. It holds for
 * pages that are not there yet. */
#ifndef STRATA_INTRANODE_PAGES_H
#define STRATA_INTRANODE_PAGES_H

#include <stdbool.h>
#include <stddef.h>

/* Whether there is something to advise: this process may use several domains, and has the kernel's
 * usual policy. With another one (numactl --membind, --interleave) its pages are its own matter. */
bool strata_pages_advisable(void);

/* Lays the pages in the domains that this process may use, in turn. Takes in the whole of the first
 * and the last page. */
void strata_pages_spread(void *memory, size_t bytes);

/* Lays whole pages in one domain, by the kernel's number, or elsewhere where it is full. */
void strata_pages_near(void *memory, size_t bytes, int domain);

#endif
