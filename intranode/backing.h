/* Whether the system backs shared memory. A shared mapping of a file in /dev/shm may promise more
 * than the file system holds: the first touch of such a page is SIGBUS. No MPI here. */
#ifndef STRATA_INTRANODE_BACKING_H
#define STRATA_INTRANODE_BACKING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Backs the pages of [memory, memory + bytes) without touching them. STRATA_ERR_CAPACITY when the
 * system cannot. A Linux before 5.14 cannot be asked: STRATA_OK proves nothing there. */
int strata_backing_commit(void *memory, size_t bytes);

/* Whether strata_backing_commit can ask this Linux. */
bool strata_backing_provable(void);

/* Bytes of shared memory that this process may ask for now; fewer than are free. Reads /dev/shm,
 * where MPICH and Open MPI have their shared memory too unless told otherwise. Without /dev/shm the
 * answer is SIZE_MAX if strata_backing_commit is reliable, else 0. */
size_t strata_backing_free(void);
/* The size of that file system in bytes, used or not; 0: not known. */
size_t strata_backing_size(void);

/* The number of that file system in the running kernel: processes of one kernel that find the same
 * number can share memory. 0: there is none. */
uint64_t strata_backing_place(void);

#endif
