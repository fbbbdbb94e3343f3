/* Choices that deserve a measurement. */
#ifndef STRATA_HIER_CANDIDATES_H
#define STRATA_HIER_CANDIDATES_H

#include "hier/select.h"

/* Finds the cheapest algorithms for the problem, each with its cheapest parameters, the cheapest
 * first: at most `most`, and none that costs more than STRATA_CANDIDATES_WITHIN times the first.
 * The native collective is not among them. Reads only what all ranks know to be equal. Returns
 * their number. */
#define STRATA_CANDIDATES_WITHIN 4
#define STRATA_MOST_CANDIDATES   8
int strata_candidates(const struct strata_problem *problem, const struct strata_machine *machine,
                      struct strata_choice *choices, int most);

#endif
