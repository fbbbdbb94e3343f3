/* The table of between-node algorithms; a new one adds its row here. */
#include "internode/algorithms.h"

const struct strata_algorithm *const strata_internode_algorithms[] = {
    &strata_sloav,
    &strata_pairwise,
    NULL,
};
