/* Shared memory of a host's processes: a file in /dev/shm that one of them has open and the others
 * find. The file has no name, so nothing is left when the last process ends, however it ends. Where
 * processes do not see each other's files, the file has a name while they map it, and a job that is
 * killed in that time leaves it behind. No MPI here, and no process waits for another. */
#ifndef STRATA_INTRANODE_OPEN_FILE_H
#define STRATA_INTRANODE_OPEN_FILE_H

#include <stddef.h>
#include <stdint.h>

/* The owner tells this to the others. */
struct strata_open_file {
    int32_t owner, number;  /* process id, file descriptor; number -1: none */
    uint64_t device, inode; /* identify the file, so that no other is taken for it */
    uint64_t name; /* a random number, until its owner closes the file; 0: it has no name */
};

/* Creates a file of so many bytes. STRATA_ERR_MEMORY: the system lacks memory, or a free file
 * descriptor; STRATA_ERR_UNSUPPORTED: it has no such files. */
int strata_open_file_create(size_t bytes, struct strata_open_file *file);
/* Reserves memory for the whole file, so that no touch of it fails later. STRATA_ERR_MEMORY: there
 * is too little. */
int strata_open_file_fill(const struct strata_open_file *file, size_t bytes);
/* Gives the file a name that nobody foresees, for processes that may not see the owner's open
 * files. STRATA_ERR_UNSUPPORTED. */
int strata_open_file_name(struct strata_open_file *file);
/* Called by the owner. Processes that have mapped the file keep the memory. */
void strata_open_file_close(struct strata_open_file *file);

/* Sets *number to a new file descriptor of a file of this process or another; the caller closes it.
 * STRATA_ERR_UNSUPPORTED: the file is not found, or this process may not see it; STRATA_ERR_MEMORY:
 * no file descriptor is free. */
int strata_open_file_find(const struct strata_open_file *file, int *number);

#endif
