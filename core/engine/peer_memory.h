/* How bytes that another member of the node exposes are read where they lie: in its own memory.
 *
 * intranode/ reads them through the kernel or, where the member's memory is mapped here, at once;
 * virtual ranks share one memory. */
#ifndef STRATA_CORE_ENGINE_PEER_MEMORY_H
#define STRATA_CORE_ENGINE_PEER_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Bytes in a member's own address space. */
struct strata_range {
    uint64_t address, bytes;
};

/* So many at most make up one exposed block, and are read at once. */
#define STRATA_MOST_EXPOSED 1024

struct strata_peer_memory {
    /* A block in pieces as long as that in the mean is read as it lies; others are packed first. */
    size_t least_piece;
    /* Where `bytes` bytes at that address of the member's are in this rank's own address space;
     * NULL: nowhere. */
    const void *(*reach)(const struct strata_peer_memory *peers, int member, uint64_t address,
                         size_t bytes);
    /* Copies `count` of them, one behind the other. STRATA_OK; STRATA_ERR_UNSUPPORTED: the system
     * does not allow it, or not any more; STRATA_ERR_ARGUMENT: they are not all there, or may not
     * all be written here; STRATA_ERR_TRANSPORT: the member is gone. */
    int (*read)(const struct strata_peer_memory *peers, int member,
                const struct strata_range *range, size_t count, void *into);
};

#endif
