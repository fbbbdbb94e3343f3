#include "core/base/station.h"

#include <stdalign.h>

#include "core/base/error.h"
#include "core/base/memory.h"

void strata_station_init(struct strata_station *station, const struct strata_wire *wire, void *self,
                         int address, int addresses)
{
    *station = (struct strata_station){
        .wire = wire, .self = self, .address = address, .addresses = addresses, .allocations = -1};
}

int strata_station_exchange(struct strata_station *station, struct strata_round *round)
{
    if (station->broken) {
        return STRATA_ERR_TRANSPORT;
    }
    station->usage.rounds++;
    for (int i = 0; i < STRATA_ROUND_MESSAGES; i++) {
        if (round->send[i].peer != STRATA_NOBODY) {
            station->usage.messages++;
            station->usage.bytes += round->send[i].size;
        }
    }
    int error = station->wire->exchange(station->self, round);
    station->broken = error != STRATA_OK;
    return error;
}

void strata_station_count(struct strata_station *station, ptrdiff_t bytes)
{
    struct strata_usage *usage = &station->usage;
    usage->memory += (size_t)bytes;
    usage->peak = usage->memory > usage->peak ? usage->memory : usage->peak;
}

/* Precedes each block of memory with its size, so that strata_station_release can count too. */
struct header {
    alignas(max_align_t) size_t bytes;
};

void *strata_station_allocate(struct strata_station *station, size_t bytes)
{
    if (station->allocations == 0 || bytes > SIZE_MAX - sizeof(struct header)) {
        return NULL;
    }
    station->allocations -= station->allocations > 0;
    struct header *header = strata_allocate(1, sizeof *header + bytes);
    if (!header) {
        return NULL;
    }
    header->bytes = bytes;
    strata_station_count(station, (ptrdiff_t)bytes);
    return header + 1;
}

void strata_station_release(struct strata_station *station, void *memory)
{
    if (memory) {
        struct header *header = (struct header *)memory - 1;
        strata_station_count(station, -(ptrdiff_t)header->bytes);
        strata_release(header);
    }
}
