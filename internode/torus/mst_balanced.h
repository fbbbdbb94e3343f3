/* The balanced rule, which looks at all ways to cut a box, and remembers the best cut of each
 * box. */
#ifndef STRATA_INTERNODE_TORUS_MST_BALANCED_H
#define STRATA_INTERNODE_TORUS_MST_BALANCED_H

#include "internode/torus/mst_partition.h"

/* Opens a scheme whose torus and rule are set. STRATA_OK or STRATA_ERR_MEMORY; close accepts a
 * scheme after both. Other rules remember nothing. */
int strata_mst_open(struct strata_mst_scheme *mst);
void strata_mst_close(struct strata_mst_scheme *mst);

/* As strata_mst_divide, for an open scheme. */
void strata_mst_balance(const struct strata_mst_scheme *mst, const struct strata_region *whole,
                        struct strata_mst_split *split);

#endif
