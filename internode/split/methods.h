/* The methods: one row and one file each. The order is that of lists and tests. */
#ifndef STRATA_INTERNODE_SPLIT_METHODS_H
#define STRATA_INTERNODE_SPLIT_METHODS_H

#include "internode/split/split.h"

#define STRATA_SPLIT_METHODS(ROW)                                                                  \
    ROW(allgather_group)                                                                           \
    ROW(allgather_mpi)                                                                             \
    ROW(gather_scatter)                                                                            \
    ROW(cheng)                                                                                     \
    ROW(bitonic)                                                                                   \
    ROW(radix)                                                                                     \
    ROW(hash)                                                                                      \
    ROW(hash64)

#define STRATA_SPLIT_DECLARE(name) extern const struct strata_split_method strata_split_##name;
STRATA_SPLIT_METHODS(STRATA_SPLIT_DECLARE)
#undef STRATA_SPLIT_DECLARE

#endif
