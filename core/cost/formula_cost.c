#include "core/cost/formula_cost.h"

#include <math.h>
#include <stdbool.h>

/* MPI takes a shorter message at once, whatever its network still has to send. */
static const double at_once = 65536;

/* Vectors, or blocks, that arrive late because the ranks that pass them on are late. Cores that
 * move the bytes themselves send short messages one after another. */
static double late(const struct strata_formula *formula, double block_bytes,
                   const struct strata_machine *machine)
{
    bool ahead = formula->blocks * block_bytes < formula->messages * at_once;
    if (machine->ports > 0) {
        return formula->after + (ahead ? formula->ahead : 0);
    }
    return block_bytes < at_once ? 0 : formula->after;
}

/* The time that late blocks add. While a message is posted, the ones before it are on their way. */
static double seconds_late(double blocks, double block_bytes, const struct strata_machine *machine)
{
    struct strata_cost one = {0};
    strata_cost_stage(&one, 1, block_bytes, machine);
    return blocks * fmax(one.time_wire - 2 * machine->overhead, 0);
}

void strata_formula_work(struct strata_cost *cost, const struct strata_formula *formula,
                         double block_bytes, const struct strata_machine *machine)
{
    strata_cost_reduce(cost, formula->reduced * block_bytes, machine);
    strata_cost_copy(cost, formula->copied * block_bytes, formula->copied, machine);
    if (!machine->native) {
        strata_cost_copy(cost, formula->packed * block_bytes, formula->pieces, machine);
    }
}

struct strata_cost strata_formula_cost(const struct strata_formula *formula, double block_bytes,
                                       const struct strata_machine *machine)
{
    struct strata_cost cost = {0};
    double rounds = fmax(formula->rounds, 1), bytes = formula->blocks * block_bytes;
    strata_cost_stage(&cost, formula->messages / rounds, bytes / rounds, machine);
    strata_cost_scale(&cost, rounds);
    /* A rank that sends less waits for the ranks that send more. */
    if (formula->messages < rounds) {
        struct strata_cost one = {0};
        strata_cost_stage(&one, 1, bytes / fmax(formula->messages, 1), machine);
        cost.time_start = rounds * one.time_start;
    }
    cost.time_wire += seconds_late(late(formula, block_bytes, machine), block_bytes, machine);
    strata_formula_work(&cost, formula, block_bytes, machine);
    return cost;
}
