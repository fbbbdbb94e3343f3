/* The algorithms as the catalogue shows them: with the parameters that selection chooses. */
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
    const char *refusal; /* why the algorithm is not applicable; NULL: it is */
};

/* Each node has two or three ranks; an algorithm that serves one node only gets one node. Returns
 * false where memory is short. */
bool tool_example_begin(struct tool_example *e, const struct strata_algorithm *algorithm,
                        enum strata_collective collective, int ranks);
void tool_example_end(struct tool_example *e);

#endif
