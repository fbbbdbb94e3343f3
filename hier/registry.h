/* All algorithms: those of internode/ and hier/, and the native one. */
#ifndef STRATA_HIER_REGISTRY_H
#define STRATA_HIER_REGISTRY_H

#include "core/plan/algorithm.h"

/* The algorithms of hier/, node-aware ones and the native one. A file that defines strata_NAME adds
 * its row here, and nothing else. `strata list` has this order. */
#define STRATA_HIER_TABLE(ROW)                                                                     \
    ROW(leaders)                                                                                   \
    ROW(node_allgather)                                                                            \
    ROW(node_allgather_once)                                                                       \
    ROW(node_bcast)                                                                                \
    ROW(lane_bcast)                                                                                \
    ROW(node_bcast_once)                                                                           \
    ROW(node_allreduce)                                                                            \
    ROW(node_reduce)                                                                               \
    ROW(dpml)                                                                                      \
    ROW(node_levels)                                                                               \
    ROW(node_reduce_scatter)                                                                       \
    ROW(node_gather)                                                                               \
    ROW(node_scatter)                                                                              \
    ROW(node_scan)                                                                                 \
    ROW(node_vectors)                                                                              \
    ROW(node_barrier)                                                                              \
    ROW(single_copy)                                                                               \
    ROW(native)

#define STRATA_ALGORITHM_DECLARE(name) extern const struct strata_algorithm strata_##name;
STRATA_HIER_TABLE(STRATA_ALGORITHM_DECLARE)
#undef STRATA_ALGORITHM_DECLARE

/* All algorithms in the order of `strata list`, those of internode/ first; NULL after the last. */
const struct strata_algorithm *strata_registry_at(int index);
/* The index of an algorithm there; -1: NULL has none. */
int strata_registry_number(const struct strata_algorithm *algorithm);
const struct strata_algorithm *
strata_registry_find(const char *name); /* NULL: there is no such name */

#endif
