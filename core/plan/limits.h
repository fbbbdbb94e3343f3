/* Memory bounded by construction: finds threshold, slice and passes of a plan so that its worst
 * case fits. The functions are pure, and all ranks call them with equal arguments. */
#ifndef STRATA_CORE_PLAN_LIMITS_H
#define STRATA_CORE_PLAN_LIMITS_H

#include "core/plan/algorithm.h"

#define STRATA_LEAST_SLICE 8

/* Finds the limits of a plan with this exchange.
 *
 *   slice      the largest with which slot, landing and scratch all fit; at most the threshold, and
 *              a multiple of STRATA_LEAST_SLICE unless it is the threshold
 *   passes     as many as capacity->longest needs; as many as allowed where it is not known
 *   threshold  min(capacity->threshold, passes * slice)
 *
 * The stage is the largest group of messages that a rank sends between two waits, with its items.
 * The topology is the communicator's, for flat plans too, because the ranks of a node share the
 * memory that flat plans may use. STRATA_ERR_CAPACITY: the slice would be below STRATA_LEAST_SLICE
 * (or below a threshold that is still smaller). */
int strata_limits_find(const struct strata_topology *topology,
                       const struct strata_exchange *exchange, int stage_messages,
                       int64_t stage_items, const struct strata_capacity *capacity,
                       struct strata_limits *limits);

/* Finds passes and threshold, which depend on the longest block, for the slice in limits. */
void strata_limits_pass(const struct strata_capacity *capacity, struct strata_limits *limits);

/* The parameters that decide how much memory a plan needs. */
struct strata_exchange_shape {
    const struct strata_topology *topology; /* the communicator's */
    struct strata_exchange exchange;
    int stage_messages;  /* messages of the largest group that a rank sends between two waits */
    int64_t stage_items; /* items in these messages */
    bool check;          /* items carry the length of every block */
};

/* The bytes of a node that such a plan needs at worst, for blocks of `slice` bytes. They compare
 * with struct strata_capacity. strata_need_possible says whether the counters of the engine and of
 * MPI can hold them. */
struct strata_need {
    size_t slot;    /* of each member */
    size_t landing; /* of the node, all lanes together */
    size_t scratch; /* of the node's ranks together */
    size_t message; /* of the longest message */
};

struct strata_need strata_need_of(const struct strata_exchange_shape *shape, size_t slice);
bool strata_need_possible(const struct strata_need *need);

/* The largest n <= most for which fits(argument, n) holds; 0 when there is none. If n fits, every
 * smaller number must fit too. */
typedef bool strata_fits(const void *argument, size_t n);
size_t strata_largest_fitting(size_t most, strata_fits *fits, const void *argument);

#endif
