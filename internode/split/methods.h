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

/* Methods in this order; NULL behind the last. */
const struct strata_split_method *strata_split_method_at(int index);
/* "NAME" or "cheng:items=NUMBER"; "auto" and NULL give no method. */
int strata_split_method_parse(const char *text, struct strata_split_input *input,
                              struct strata_diagnostic *message);
/* By size and whether ranks are reordered. */
const struct strata_split_method *strata_split_choose(const struct strata_split_shape *shape);

#endif
