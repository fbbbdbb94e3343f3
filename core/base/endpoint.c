#include "core/base/endpoint.h"

#include <stdalign.h>

#include "core/base/error.h"
#include "core/base/memory.h"

void strata_endpoint_init(struct strata_endpoint *endpoint, const struct strata_wire *wire,
                          void *self, int address, int addresses)
{
    *endpoint = (struct strata_endpoint){
        .wire = wire, .self = self, .address = address, .addresses = addresses, .allocations = -1};
}

int strata_endpoint_exchange(struct strata_endpoint *endpoint, struct strata_round *round)
{
    if (endpoint->broken) {
        return STRATA_ERR_TRANSPORT;
    }
    endpoint->usage.rounds++;
    for (int i = 0; i < STRATA_ROUND_MESSAGES; i++) {
        if (round->send[i].peer != STRATA_NOBODY) {
            endpoint->usage.messages++;
            endpoint->usage.bytes += round->send[i].size;
        }
    }
    int error = endpoint->wire->exchange(endpoint->self, round);
    endpoint->broken = error != STRATA_OK;
    return error;
}

void strata_endpoint_count(struct strata_endpoint *endpoint, ptrdiff_t bytes)
{
    struct strata_usage *usage = &endpoint->usage;
    usage->memory += (size_t)bytes;
    usage->peak = usage->memory > usage->peak ? usage->memory : usage->peak;
}

/* What precedes each block: its size, so that releasing counts too. */
struct header {
    alignas(max_align_t) size_t bytes;
};

void *strata_endpoint_allocate(struct strata_endpoint *endpoint, size_t bytes)
{
    if (endpoint->allocations == 0 || bytes > SIZE_MAX - sizeof(struct header)) {
        return NULL;
    }
    endpoint->allocations -= endpoint->allocations > 0;
    struct header *header = strata_allocate(1, sizeof *header + bytes);
    if (!header) {
        return NULL;
    }
    header->bytes = bytes;
    strata_endpoint_count(endpoint, (ptrdiff_t)bytes);
    return header + 1;
}

void strata_endpoint_release(struct strata_endpoint *endpoint, void *memory)
{
    if (memory) {
        struct header *header = (struct header *)memory - 1;
        strata_endpoint_count(endpoint, -(ptrdiff_t)header->bytes);
        strata_release(header);
    }
}
