/* Memory of a host's processes: a file in /dev/shm that one of them has open and the others find.
 * It has no name, so nothing of it is left when the last process ends, however that is; but where
 * processes do not see each other's files it has one while they map it, and a job that is killed
 * just then leaves that. No MPI here, and no process waits for another. */
#ifndef STRATA_INTRANODE_OPEN_FILE_H
#define STRATA_INTRANODE_OPEN_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What its owner tells the others. */
struct strata_open_file {
    int32_t owner, number;  /* process id, file descriptor; number -1: none */
    uint64_t device, inode; /* so that no other file is taken for it */
    bool named;             /* it has a name after all, until its owner closes it */
};

/* A new file of so many bytes. STRATA_ERR_MEMORY: there is not so much, or not one more file;
 * STRATA_ERR_UNSUPPORTED: no such file can be had. */
int strata_open_file_create(size_t bytes, struct strata_open_file *file);
/* Memory for all of it, so no touch of it fails later. STRATA_ERR_MEMORY: there is not so much. */
int strata_open_file_fill(const struct strata_open_file *file, size_t bytes);
/* A name, for processes that may not look at what the owner has open. STRATA_ERR_UNSUPPORTED. */
int strata_open_file_name(struct strata_open_file *file);
/* The owner's; those who have mapped it keep the memory. */
void strata_open_file_close(struct strata_open_file *file);

/* *number becomes a file descriptor of a process's file, this one's or another's; the caller's.
 * STRATA_ERR_UNSUPPORTED: it cannot be found, or the system does not let this process look;
 * STRATA_ERR_MEMORY: not one more file can be open. */
int strata_open_file_find(const struct strata_open_file *file, int *number);

#endif
