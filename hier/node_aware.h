/* The node-aware algorithms, and MPI's own. */
#ifndef STRATA_HIER_NODE_AWARE_H
#define STRATA_HIER_NODE_AWARE_H

#include "core/plan/algorithm.h"

/* One row for each file that defines an algorithm strata_NAME; a new one adds its row here, and
 * that is all. The order is that of `strata list`. */
#define STRATA_HIER_TABLE(ROW)                                                                     \
    ROW(leaders)                                                                                   \
    ROW(node_allgather)                                                                            \
    ROW(native)

#define STRATA_ALGORITHM_DECLARE(name) extern const struct strata_algorithm strata_##name;
STRATA_HIER_TABLE(STRATA_ALGORITHM_DECLARE)
#undef STRATA_ALGORITHM_DECLARE

extern const struct strata_algorithm *const strata_hier_algorithms[]; /* NULL at the end */

#endif
