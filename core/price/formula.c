#include "core/price/formula.h"

#include <math.h>

/* What is shorter MPI takes at once, whatever its network still has to send. So below that other
 * trees, too, hand on late what they would send one after another, and no price counts it. */
static const double at_once = 65536;

struct strata_cost strata_formula_cost(const struct strata_formula *formula, double block_bytes,
                                       const struct strata_machine *machine)
{
    struct strata_cost cost = {0};
    double rounds = fmax(formula->rounds, 1), bytes = formula->blocks * block_bytes;
    double path = bytes + (block_bytes < at_once ? 0 : formula->after * block_bytes);
    strata_cost_stage(&cost, formula->messages / rounds, path / rounds, machine);
    strata_cost_scale(&cost, rounds);
    if (formula->messages < rounds) { /* who sends least waits for those who send more */
        struct strata_cost one = {0};
        strata_cost_stage(&one, 1, bytes / fmax(formula->messages, 1), machine);
        cost.time_start = rounds * one.time_start;
    }
    strata_cost_reduce(&cost, formula->reduced * block_bytes, machine);
    strata_cost_copy(&cost, formula->copied * block_bytes, formula->copied, machine);
    if (!machine->native) {
        strata_cost_copy(&cost, formula->packed * block_bytes, formula->pieces, machine);
    }
    return cost;
}
