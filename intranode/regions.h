/* Memory that several processes share, each at its own address, divided into regions. No MPI here.
 *
 * Everything is named by its offset from the head. Free regions form a list in order of their
 * offsets; a region is the first free one that is large enough, and neighbours that are free are
 * joined. Each region begins with a line that describes it. */
#ifndef STRATA_INTRANODE_REGIONS_H
#define STRATA_INTRANODE_REGIONS_H

#include <stddef.h>
#include <stdint.h>

#define STRATA_REGION_LINE 128 /* every region is aligned to it, and so must the head be */

struct strata_regions; /* the head */

/* Bytes of the memory from which one region of `bytes` can be taken. */
size_t strata_regions_bytes(size_t bytes);
/* One process makes strata_regions_bytes(bytes) at head usable, before any other looks at it.
 * STRATA_ERR_CAPACITY when the system does not back them with memory. */
int strata_regions_init(struct strata_regions *head, size_t bytes);

/* From any process or thread; see intranode/arena.h. The memory of a region is backed by the system
 * when take returns it: touching it is no SIGBUS. */
int strata_regions_take(struct strata_regions *head, size_t bytes, size_t zeroed, int users,
                        uint64_t *offset);
void strata_regions_drop(struct strata_regions *head, uint64_t offset);
size_t strata_regions_room(struct strata_regions *head);

#endif
