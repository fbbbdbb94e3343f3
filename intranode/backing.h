/* Whether shared memory is really there. A shared mapping of a file in /dev/shm may promise more
 * than the file system holds: the first touch of such a page is SIGBUS. No MPI here. */
#ifndef STRATA_INTRANODE_BACKING_H
#define STRATA_INTRANODE_BACKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Backs the pages of [memory, memory + bytes) without touching them. STRATA_ERR_CAPACITY when the
 * system cannot; STRATA_OK, unproven, on a Linux before 5.14, which cannot be asked. */
int strata_backing_commit(void *memory, size_t bytes);

/* Whether this Linux can be asked. */
bool strata_backing_provable(void);

/* Bytes of shared memory that may be asked for now; less than there are. Looks at /dev/shm, where
 * shared memory of MPICH and Open MPI is, too, unless told otherwise; where there is none, the
 * answer is SIZE_MAX if strata_backing_commit can be relied on, else 0. */
size_t strata_backing_free(void);
/* Of how many that is, in use or not; 0: not known. */
size_t strata_backing_size(void);

/* Which file system that is, as the running kernel numbers them: processes of one kernel that find
 * the same number can share memory. 0: there is none. */
uint64_t strata_backing_place(void);

#endif
