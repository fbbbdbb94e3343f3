#include "core/plan/collective.h"

#include <string.h>

const struct strata_collective_info strata_collective_info[STRATA_COLLECTIVE_COUNT] = {
#define STRATA_COLLECTIVE_ROW(id, name, input, output, root, ranked, result, varying)              \
    [STRATA_##id] = {name, "STRATA_" #id, STRATA_##input,  STRATA_##output,                        \
                     root, ranked,        STRATA_##result, varying},
    STRATA_COLLECTIVE_TABLE(STRATA_COLLECTIVE_ROW)
#undef STRATA_COLLECTIVE_ROW
};

const char *strata_collective_name(enum strata_collective collective)
{
    unsigned index = (unsigned)collective;
    return index < STRATA_COLLECTIVE_COUNT ? strata_collective_info[index].name : "unknown";
}

bool strata_collective_find(const char *name, enum strata_collective *collective)
{
    int c = 0;
    while (c < STRATA_COLLECTIVE_COUNT && strcmp(strata_collective_info[c].name, name) != 0) {
        c++;
    }
    *collective = (enum strata_collective)c;
    return c < STRATA_COLLECTIVE_COUNT;
}
