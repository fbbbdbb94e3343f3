#include "core/price/formula.h"

#include <math.h>

struct strata_cost strata_formula_cost(const struct strata_formula *formula, double block_bytes,
                                       const struct strata_machine *machine)
{
    struct strata_cost cost = {0};
    double rounds = fmax(formula->rounds, 1);
    strata_cost_stage(&cost, formula->messages / rounds, formula->blocks * block_bytes / rounds,
                      machine);
    strata_cost_scale(&cost, rounds);
    if (formula->messages < rounds) { /* who sends least waits for those who send more */
        struct strata_cost one = {0};
        strata_cost_stage(&one, 1, formula->blocks * block_bytes / fmax(formula->messages, 1),
                          machine);
        cost.time_start = rounds * one.time_start;
    }
    strata_cost_reduce(&cost, formula->reduced * block_bytes, machine);
    strata_cost_copy(&cost, formula->copied * block_bytes, formula->copied, machine);
    return cost;
}
