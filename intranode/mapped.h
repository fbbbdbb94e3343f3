/* Memory of other processes that is mapped here, too: what strata_alloc gave them. */
#ifndef STRATA_INTRANODE_MAPPED_H
#define STRATA_INTRANODE_MAPPED_H

#include <stddef.h>
#include <stdint.h>

/* What one process has, and where it is here. */
struct strata_mapped {
    int owner;        /* its rank in MPI_COMM_WORLD; less than 0: it is not found */
    uint64_t address; /* where it begins, as its owner sees it */
    size_t bytes;
    const void *here;
};

/* Remembers them until they are forgotten; threads may do all of this at once. STRATA_ERR_MEMORY,
 * with nothing remembered. */
int strata_mapped_add(const struct strata_mapped *mapped, int count);
/* Those at this place here. */
void strata_mapped_remove(const struct strata_mapped *mapped, int count);
/* Where bytes of the owner's are here; NULL: they are not, or not all of them. */
const void *strata_mapped_find(int owner, uint64_t address, size_t bytes);

#endif
