/* The cost of an algorithm over blocks, from its closed formulas. */
#ifndef STRATA_CORE_COST_FORMULA_COST_H
#define STRATA_CORE_COST_FORMULA_COST_H

#include "core/cost/machine_cost.h"
#include "core/plan/formula.h"

/* Charges alpha for each round, beta for each byte sent and gamma for each byte reduced. The
 * messages of a round are posted together. */
struct strata_cost strata_formula_cost(const struct strata_formula *formula, double block_bytes,
                                       const struct strata_machine *machine);
/* Adds what the ranks do beside messages: combine, copy and pack. */
void strata_formula_work(struct strata_cost *cost, const struct strata_formula *formula,
                         double block_bytes, const struct strata_machine *machine);

#endif
