/* The algorithms as they are shown: with the parameters that selection takes. */
#ifndef STRATA_TOOLS_CATALOGUE_EXAMPLE_H
#define STRATA_TOOLS_CATALOGUE_EXAMPLE_H

#include <stdbool.h>

#include "hier/select.h"

/* One algorithm at one number of ranks. */
struct tool_example {
    const struct strata_algorithm *algorithm;
    struct strata_topology *topology, *flat;
    struct strata_problem problem;
    struct strata_selection selection;
    const char *refusal; /* NULL: it is applicable */
};

/* With two or three ranks a node; an algorithm that serves one node only on one. False: out of
 * memory. */
bool tool_example_begin(struct tool_example *e, const struct strata_algorithm *algorithm,
                        enum strata_collective collective, int ranks);
void tool_example_end(struct tool_example *e);

#endif
