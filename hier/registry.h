/* All algorithms: the rows of internode/ and hier/, and MPI's own. */
#ifndef STRATA_HIER_REGISTRY_H
#define STRATA_HIER_REGISTRY_H

#include "core/plan/algorithm.h"

/* Rows in the order they are listed; NULL after the last. */
const struct strata_algorithm *strata_registry_at(int index);
const struct strata_algorithm *strata_registry_find(const char *name); /* NULL: no such name */

/* A choice as users write it: "auto", "native", "leaders", "leaders:leaders=1,radix=2". Parameters
 * that are not named keep their automatic value. algorithm is NULL for "auto".
 * STRATA_ERR_SYNTAX: message names what is wrong and lists what is right. */
struct strata_choice {
    const struct strata_algorithm *algorithm;
    int parameter[STRATA_PARAMETERS];
};

int strata_choice_parse(const char *text, enum strata_collective collective,
                        struct strata_choice *choice, struct strata_diagnostic *message);

#endif
