/* Memory that several processes share, each at its own address, divided into regions. No MPI here.
 * A region is named by its offset from the head. Free regions form a list in order of their
 * offsets. Taking a region uses the first free one that is large enough; dropping one joins it with
 * its free neighbours. Each region begins with a line that describes it. */
#ifndef STRATA_INTRANODE_REGIONS_H
#define STRATA_INTRANODE_REGIONS_H

#include <stddef.h>
#include <stdint.h>

#define STRATA_REGION_LINE 128 /* bytes; regions are aligned to it, and the head must be too */

struct strata_regions; /* the head */

/* The bytes of memory from which one region of `bytes` bytes can be taken. */
size_t strata_regions_bytes(size_t bytes);
/* One process calls it before any other reads the memory: makes strata_regions_bytes(bytes) bytes
 * at head usable. STRATA_ERR_CAPACITY when the system does not back them. */
int strata_regions_init(struct strata_regions *head, size_t bytes);

/* Says where the pages of a region shall lie, before the system backs them. */
struct strata_region_advice {
    void (*advise)(const void *context, void *memory, size_t bytes);
    const void *context;
};

/* Any process or thread may call these; see intranode/arena.h. When take returns, the system backs
 * the region's memory: touching it is no SIGBUS. */
int strata_regions_take(struct strata_regions *head, size_t bytes, size_t zeroed, int users,
                        const struct strata_region_advice *advice, uint64_t *offset);
void strata_regions_drop(struct strata_regions *head, uint64_t offset);
size_t strata_regions_largest(struct strata_regions *head);

#endif
