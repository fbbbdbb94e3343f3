#include "hier/registry.h"

#include <string.h>

#include "internode/algorithms.h"

#define ADDRESS(name) &strata_##name,
static const struct strata_algorithm *const hier_algorithms[] = {STRATA_HIER_TABLE(ADDRESS) NULL};

static const struct strata_algorithm *const *const tables[] = {strata_internode_algorithms,
                                                               hier_algorithms};

const struct strata_algorithm *strata_registry_at(int index)
{
    for (size_t table = 0; index >= 0 && table < sizeof tables / sizeof *tables; table++) {
        for (const struct strata_algorithm *const *algorithm = tables[table]; *algorithm;
             algorithm++) {
            if (index-- == 0) {
                return *algorithm;
            }
        }
    }
    return NULL;
}

int strata_registry_number(const struct strata_algorithm *algorithm)
{
    int number = algorithm ? 0 : -1;
    while (algorithm && strata_registry_at(number) != algorithm) {
        number++;
    }
    return number;
}

const struct strata_algorithm *strata_registry_find(const char *name)
{
    const struct strata_algorithm *algorithm = NULL;
    for (int i = 0; (algorithm = strata_registry_at(i)); i++) {
        if (strcmp(algorithm->name, name) == 0) {
            break;
        }
    }
    return algorithm;
}
