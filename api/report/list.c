/* strata_algorithm_at: the rows of the registry, by collective. */
#include "core/plan/collective.h"
#include "hier/registry.h"
#include "include/strata.h"

const char *strata_algorithm_at(const char *collective, int index)
{
    enum strata_collective wanted;
    const struct strata_algorithm *row = NULL;

    if (!collective || index < 0 || !strata_collective_find(collective, &wanted)) {
        return NULL;
    }
    for (int i = 0; (row = strata_registry_at(i)); i++) {
        if (row->collectives >> wanted & 1 && index-- == 0) {
            return row->name;
        }
    }
    return NULL;
}
