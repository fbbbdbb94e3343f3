/* A rank's local work in a split: its station counts it, and simulated clusters charge it. */
#ifndef STRATA_INTERNODE_SPLIT_WORK_H
#define STRATA_INTERNODE_SPLIT_WORK_H

#include "core/base/station.h"
#include "core/engine/simulated_work.h"

/* Two items that have `bytes` bytes together. */
static inline void strata_split_compared(struct strata_station *station, size_t bytes)
{
    station->usage.compared++;
    station->usage.touched += bytes;
    strata_charge_compare(bytes);
}

static inline void strata_split_hashed(struct strata_station *station, size_t bytes)
{
    station->usage.hashed += bytes;
    strata_charge_hash(bytes);
}

static inline void strata_split_copied(struct strata_station *station, size_t bytes, size_t pieces)
{
    station->usage.pieces += pieces;
    station->usage.touched += bytes;
    strata_charge_copy(bytes, pieces);
}

#endif
