/* Bounded by construction: threshold, slice and passes of a plan, so that its worst case fits.
 * Pure functions of figures that all ranks know to be equal. */
#ifndef STRATA_CORE_PLAN_LIMITS_H
#define STRATA_CORE_PLAN_LIMITS_H

#include "core/plan/algorithm.h"

#define STRATA_LEAST_SLICE 8

/* The limits of a plan with this exchange: its largest slice c with slot, landing and scratch all
 * fitting, at most the threshold, and a multiple of STRATA_LEAST_SLICE unless it is the threshold;
 * as many passes as capacity->longest needs, all of them where it is not known; threshold =
 * min(capacity->threshold, passes * c). The stage is the largest group of messages that
 * a rank sends between two waits, with its items. The topology is the communicator's, for flat
 * plans too: the ranks of a node share what flat plans may use.
 * STRATA_ERR_CAPACITY when c would be below STRATA_LEAST_SLICE (or a threshold still below that).
 */
int strata_limits_find(const struct strata_topology *topology,
                       const struct strata_exchange *exchange, int stage_messages,
                       int64_t stage_items, const struct strata_capacity *capacity,
                       struct strata_limits *limits);

/* The part of it that depends on the longest block: passes and threshold, for the slice there. */
void strata_limits_pass(const struct strata_capacity *capacity, struct strata_limits *limits);

/* The figures that a plan's memory follows from. */
struct strata_exchange_shape {
    const struct strata_topology *topology; /* the communicator's */
    struct strata_exchange exchange;
    int stage_messages;  /* messages of the largest group that a rank sends between two waits */
    int64_t stage_items; /* items in these messages */
    bool check;          /* items carry the length of every block */
};

/* The bytes that such plans need of a node, at worst, for blocks of `slice` bytes; comparable with
 * struct strata_capacity. strata_need_possible says whether the engine's and MPI's own counters can
 * hold them. */
struct strata_need {
    size_t slot;    /* of each member */
    size_t landing; /* of the node, all lanes together */
    size_t scratch; /* of the node's ranks together */
    size_t message; /* of the longest message */
};

struct strata_need strata_need_of(const struct strata_exchange_shape *shape, size_t slice);
bool strata_need_possible(const struct strata_need *need);

/* The largest n <= most for which fits(argument, n) holds, 0 when there is none; whatever fits must
 * fit for smaller n too. */
typedef bool strata_fits(const void *argument, size_t n);
size_t strata_largest_fitting(size_t most, strata_fits *fits, const void *argument);

#endif
