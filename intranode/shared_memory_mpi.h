/* Where the MPI puts shared windows, how much room there is, and on which NUMA domains it lies. */
#ifndef STRATA_INTRANODE_SHARED_MEMORY_MPI_H
#define STRATA_INTRANODE_SHARED_MEMORY_MPI_H

#include <stddef.h>

/* STRATA_OK when a window of `bytes` bytes fits now; STRATA_ERR_CAPACITY when not, or when nobody
 * can tell, neither now nor when it is touched. */
int strata_shared_memory_room(size_t bytes);

/* Deals the pages of a host with several NUMA domains to them in turn; otherwise all would lie in
 * the domain of the process that takes a piece. For memory that nobody has touched. */
void strata_shared_memory_spread(void *memory, size_t bytes);

#endif
