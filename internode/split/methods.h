/* The methods of splitting: one row and one file each. Lists and tests have this order. */
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

/* The methods in this order; NULL behind the last. */
const struct strata_split_method *strata_split_method_at(int index);
/* Reads "NAME" or "cheng:items=NUMBER"; for "auto" and NULL the method stays NULL. */
int strata_split_method_parse(const char *text, struct strata_split_input *input,
                              struct strata_diagnostic *message);
/* Chooses by size, and by whether ranks are reordered. */
const struct strata_split_method *strata_split_choose(const struct strata_split_shape *shape);

#endif
