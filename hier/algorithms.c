/* The table of node-aware algorithms; a new one adds its row here. */
#include "hier/algorithms.h"

const struct strata_algorithm *const strata_hier_algorithms[] = {
    &strata_leaders,
    &strata_native,
    NULL,
};
