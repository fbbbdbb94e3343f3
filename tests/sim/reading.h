/* Reads exposed data of local peers that are all in this process. */
#ifndef STRATA_TESTS_SIM_READING_H
#define STRATA_TESTS_SIM_READING_H

#include <limits.h>
#include <string.h>

#include "core/base/error.h"
#include "core/engine/peer_memory.h"

struct reading {
    struct strata_peer_memory peers;
    bool asks;         /* the rank may not read, and has to ask */
    int left;          /* the reads until one fails */
    int member, times; /* the member it read last; the number of all reads */
};

static inline const void *reading_reach(const struct strata_peer_memory *peers, int member,
                                        uint64_t address, size_t bytes)
{
    (void)peers, (void)member, (void)address, (void)bytes;
    return NULL;
}

static inline int reading_read(const struct strata_peer_memory *peers, int member,
                               const struct strata_range *range, size_t count, void *into)
{
    struct reading *r = (void *)(uintptr_t)peers;
    if (r->asks) {
        return STRATA_ERR_UNSUPPORTED;
    }
    if (--r->left < 0) {
        return STRATA_ERR_MEMORY;
    }
    r->member = member;
    r->times++;
    for (size_t i = 0; i < count; i++) {
        memcpy(into, (const void *)(uintptr_t)range[i].address, range[i].bytes);
        into = (unsigned char *)into + range[i].bytes;
    }
    return STRATA_OK;
}

static inline struct reading reading_of(bool asks, int left)
{
    return (struct reading){{1, reading_reach, reading_read}, asks, left, -1, 0};
}

#endif
