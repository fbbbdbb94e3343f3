/* Memory of other processes that is mapped here too: that of strata_alloc. */
#ifndef STRATA_INTRANODE_MAPPED_H
#define STRATA_INTRANODE_MAPPED_H

#include <stddef.h>
#include <stdint.h>

/* The memory of one process, and its address here. */
struct strata_mapped {
    int owner;        /* its owner's rank in MPI_COMM_WORLD; negative: strata_mapped_find ignores
                         it */
    uint64_t address; /* its first byte in the owner's address space */
    size_t bytes;
    const void *here;
};

/* Remembers them until strata_mapped_remove. Threads may call all of these functions at once.
 * STRATA_ERR_MEMORY: nothing is remembered. */
int strata_mapped_add(const struct strata_mapped *mapped, int count);
/* Forgets those with these addresses here. */
void strata_mapped_remove(const struct strata_mapped *mapped, int count);
/* The address here of the owner's bytes; NULL: not all of them are mapped here. */
const void *strata_mapped_find(int owner, uint64_t address, size_t bytes);

#endif
