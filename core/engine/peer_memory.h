/* Reads bytes that another member of the node exposes where they lie: in the member's own memory.
 *
 * intranode/ reads them through the kernel or, where the member's memory is mapped here, directly.
 * Virtual ranks share one memory. */
#ifndef STRATA_CORE_ENGINE_PEER_MEMORY_H
#define STRATA_CORE_ENGINE_PEER_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Bytes in a member's own address space. */
struct strata_range {
    uint64_t address, bytes;
};

/* The most ranges of one exposed block. They are read in one call. */
#define STRATA_MOST_EXPOSED 1024

struct strata_peer_memory {
    /* The least mean length of a block's pieces with which the block is read as it lies. A block in
     * shorter pieces is packed first. */
    size_t least_piece;
    /* The address in this rank's own address space of `bytes` bytes at the member's address; NULL:
     * there is none. */
    const void *(*reach)(const struct strata_peer_memory *peers, int member, uint64_t address,
                         size_t bytes);
    /* Copies `count` ranges, one behind the other. STRATA_OK; STRATA_ERR_UNSUPPORTED: the system
     * does not allow it, or no longer does; STRATA_ERR_ARGUMENT: some of the bytes are not there,
     * or may not be written here; STRATA_ERR_TRANSPORT: the member is gone. */
    int (*read)(const struct strata_peer_memory *peers, int member,
                const struct strata_range *range, size_t count, void *into);
};

#endif
