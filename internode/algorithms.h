/* The algorithms between all ranks. Node-aware algorithms run them between nodes, too. */
#ifndef STRATA_INTERNODE_ALGORITHMS_H
#define STRATA_INTERNODE_ALGORITHMS_H

#include "core/plan/algorithm.h"

/* The algorithms that a build may leave out (STRATA_TORUS=OFF). */
#ifdef STRATA_WITHOUT_TORUS
#define STRATA_TORUS_TABLE(ROW)
#else
#define STRATA_TORUS_TABLE(ROW)                                                                    \
    ROW(mst)                                                                                       \
    ROW(mst_torus)                                                                                 \
    ROW(bucket)                                                                                    \
    ROW(long_vector)
#endif

/* A file that defines an algorithm strata_NAME adds its row here, and nothing else. `strata list`
 * has this order. */
#define STRATA_INTERNODE_TABLE(ROW)                                                                \
    ROW(sloav)                                                                                     \
    ROW(two_phase)                                                                                 \
    ROW(tuna)                                                                                      \
    ROW(pairwise)                                                                                  \
    ROW(linear)                                                                                    \
    ROW(bruck_index)                                                                               \
    ROW(modified)                                                                                  \
    ROW(bruck)                                                                                     \
    ROW(ring)                                                                                      \
    ROW(sparbit)                                                                                   \
    ROW(neighbor_exchange)                                                                         \
    ROW(locality_bruck)                                                                            \
    ROW(circulant)                                                                                 \
    ROW(swing)                                                                                     \
    ROW(bine)                                                                                      \
    ROW(binomial)                                                                                  \
    ROW(knomial)                                                                                   \
    ROW(linear_rooted)                                                                             \
    ROW(pipeline)                                                                                  \
    ROW(circulant_rooted)                                                                          \
    ROW(recursive_doubling)                                                                        \
    ROW(recursive_halving)                                                                         \
    ROW(rabenseifner)                                                                              \
    ROW(doubling_scan)                                                                             \
    ROW(fold_shares)                                                                               \
    ROW(fold_vectors)                                                                              \
    ROW(dissemination)                                                                             \
    STRATA_TORUS_TABLE(ROW)

#define STRATA_ALGORITHM_DECLARE(name) extern const struct strata_algorithm strata_##name;
STRATA_INTERNODE_TABLE(STRATA_ALGORITHM_DECLARE)
#undef STRATA_ALGORITHM_DECLARE

extern const struct strata_algorithm *const strata_internode_algorithms[]; /* NULL at the end */

#endif
