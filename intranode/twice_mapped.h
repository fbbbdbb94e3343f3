/* Memory that a process has mapped twice: to write, and to read only. Processes of one host may
 * have the same memory. It has no name, so nothing of it is left when the last process ends. */
#ifndef STRATA_INTRANODE_TWICE_MAPPED_H
#define STRATA_INTRANODE_TWICE_MAPPED_H

#include <stddef.h>
#include <stdint.h>

struct strata_twice_mapped {
    unsigned char *write; /* NULL: there is none */
    const unsigned char *read;
    size_t bytes;
};

/* A file in /dev/shm, for other processes to find: as long as its owner has it open. */
struct strata_open_file {
    int32_t owner, number; /* process id, file descriptor; number -1: none */
    uint64_t inode;        /* so that no other file is taken for it */
};

/* A new file with memory for so many bytes. STRATA_ERR_MEMORY: there is not so much;
 * STRATA_ERR_UNSUPPORTED: no such file can be had. */
int strata_open_file_create(size_t bytes, struct strata_open_file *file);
/* The owner's; those who have mapped it keep the memory. */
void strata_open_file_close(struct strata_open_file *file);

/* Maps a process's file, this one's or another's. STRATA_ERR_UNSUPPORTED: it cannot be found, or
 * the system does not let this process look; STRATA_ERR_MEMORY. */
int strata_twice_mapped_find(struct strata_twice_mapped *m, const struct strata_open_file *file,
                             size_t bytes);
/* Memory of this process alone. */
int strata_twice_mapped_alone(struct strata_twice_mapped *m, size_t bytes);
void strata_twice_mapped_end(struct strata_twice_mapped *m);

#endif
