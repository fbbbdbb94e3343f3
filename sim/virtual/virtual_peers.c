#include "sim/virtual/virtual_peers.h"

#include <string.h>

#include "core/base/error.h"

static const void *reach(const struct strata_peer_memory *peers, int member, uint64_t address,
                         size_t bytes)
{
    (void)peers;
    (void)bytes;
    return member % 3 == 0 ? (const void *)(uintptr_t)address : NULL;
}

static int read_peer(const struct strata_peer_memory *peers, int member,
                     const struct strata_range *range, size_t count, void *into)
{
    unsigned char *to = into;
    (void)peers;
    if (member % 3 == 2) {
        return STRATA_ERR_UNSUPPORTED;
    }
    for (size_t i = 0; i < count; i++) {
        memcpy(to, (const void *)(uintptr_t)range[i].address, range[i].bytes);
        to += range[i].bytes;
    }
    return STRATA_OK;
}

const struct strata_peer_memory strata_virtual_peers = {
    .least_piece = 4, .reach = reach, .read = read_peer};
