/* Counts of plans, which their algorithm's formula must match. */
#ifndef STRATA_SIM_TRACE_FORMULA_COUNT_H
#define STRATA_SIM_TRACE_FORMULA_COUNT_H

#include "core/cost/formula_cost.h"

struct strata_plan;

/* Counts the members of struct strata_formula but `packed` and `after`, from the plans over blocks
 * of all ranks. Rounds: a rank's clock starts at 0. A wait that completes any message sets it to
 * one more than the largest of its own clock and those of its messages' senders when they posted
 * them. STRATA_ERR_PLAN if the plans do not fit together, STRATA_ERR_MEMORY. */
int strata_formula_count(const struct strata_plan *const *plans, int ranks,
                         struct strata_formula *formula);

/* Counts the blocks that one rank packs and unpacks in its plan over blocks, and their pieces. */
void strata_formula_count_packed(const struct strata_plan *plan, double *packed, double *pieces);

/* Finds the longest chain of line transfers between members of nodes (core/cost/lines.h) in a call
 * with blocks, or a vector, of block_bytes bytes; in plans over items, whose blocks go through
 * slots. Returns errors as strata_formula_count. */
int strata_line_count(const struct strata_plan *const *plans, int ranks, double block_bytes,
                      int *lines);

#endif
