#include "hier/node_aware.h"

#define ADDRESS(name) &strata_##name,
const struct strata_algorithm *const strata_hier_algorithms[] = {STRATA_HIER_TABLE(ADDRESS) NULL};
