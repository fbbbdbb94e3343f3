#include "internode/algorithms.h"

#define ADDRESS(name) &strata_##name,
const struct strata_algorithm *const strata_internode_algorithms[] = {
    STRATA_INTERNODE_TABLE(ADDRESS) NULL};
