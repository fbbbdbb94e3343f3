/* All algorithms: the rows of internode/ and hier/, and MPI's own. */
#ifndef STRATA_HIER_REGISTRY_H
#define STRATA_HIER_REGISTRY_H

#include "core/plan/algorithm.h"

/* The rows of hier/, node-aware ones and MPI's own: one for each file that defines an algorithm
 * strata_NAME; a new one adds its row here, and
 * that is all. The order is that of `strata list`. */
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

/* All rows, those of internode/ first, in the order they are listed; NULL after the last. */
const struct strata_algorithm *strata_registry_at(int index);
const struct strata_algorithm *strata_registry_find(const char *name); /* NULL: no such name */

#endif
