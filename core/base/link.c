#include "core/base/link.h"

#include <stdalign.h>

#include "core/base/error.h"
#include "core/base/memory.h"

void strata_link_init(struct strata_link *link, const struct strata_wire *wire, void *self,
                      int address, int addresses)
{
    *link = (struct strata_link){
        .wire = wire, .self = self, .address = address, .addresses = addresses, .allocations = -1};
}

int strata_link_exchange(struct strata_link *link, struct strata_round *round)
{
    if (link->broken) {
        return STRATA_ERR_TRANSPORT;
    }
    link->usage.rounds++;
    for (int i = 0; i < STRATA_ROUND_MESSAGES; i++) {
        if (round->send[i].peer != STRATA_NOBODY) {
            link->usage.messages++;
            link->usage.bytes += round->send[i].size;
        }
    }
    int error = link->wire->exchange(link->self, round);
    link->broken = error != STRATA_OK;
    return error;
}

void strata_link_count(struct strata_link *link, ptrdiff_t bytes)
{
    struct strata_usage *usage = &link->usage;
    usage->memory += (size_t)bytes;
    usage->peak = usage->memory > usage->peak ? usage->memory : usage->peak;
}

/* What precedes each block: its size, so that releasing counts too. */
struct header {
    alignas(max_align_t) size_t bytes;
};

void *strata_link_allocate(struct strata_link *link, size_t bytes)
{
    if (link->allocations == 0 || bytes > SIZE_MAX - sizeof(struct header)) {
        return NULL;
    }
    link->allocations -= link->allocations > 0;
    struct header *header = strata_allocate(1, sizeof *header + bytes);
    if (!header) {
        return NULL;
    }
    header->bytes = bytes;
    strata_link_count(link, (ptrdiff_t)bytes);
    return header + 1;
}

void strata_link_release(struct strata_link *link, void *memory)
{
    if (memory) {
        struct header *header = (struct header *)memory - 1;
        strata_link_count(link, -(ptrdiff_t)header->bytes);
        strata_release(header);
    }
}
