/* What plans do, counted: what their algorithm's formula must say. */
#ifndef STRATA_SIM_TRACE_FORMULA_COUNT_H
#define STRATA_SIM_TRACE_FORMULA_COUNT_H

#include "core/price/formula_cost.h"

struct strata_plan;

/* The figures of core/price/formula_cost.h but what is packed and what comes after, counted from the
 * plans of all ranks (plans over blocks). Rounds: a rank's clock starts at 0; a wait that completes
 * anything sets it to one more than the largest of its own and those that its messages' senders had
 * when they posted them.
 * STRATA_ERR_PLAN if the plans do not fit together, STRATA_ERR_MEMORY. */
int strata_formula_count(const struct strata_plan *const *plans, int ranks,
                         struct strata_formula *formula);

/* What one rank packs and unpacks by its plan over blocks, as above. */
void strata_formula_count_packed(const struct strata_plan *plan, double *packed, double *pieces);

/* The longest chain of line transfers between members of nodes (core/price/lines.h) that a call has
 * for blocks, or a vector, of so many bytes; of plans over items, whose blocks go through slots.
 * Errors as above. */
int strata_line_count(const struct strata_plan *const *plans, int ranks, double block_bytes,
                      int *lines);

#endif
