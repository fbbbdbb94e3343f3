/* Opens teams for calls in simulated time. No thread is made: the rank does what its helpers would
 * do, and is charged for what one of them does (intranode/helpers_pieces_smpi.c). */
#include "api/process/helping.h"
#include "core/engine/simulated_work.h"

void strata_helped(const struct strata_helping *helping, void (*work)(void *argument),
                   void *argument)
{
    struct strata_helpers helpers, *outer = strata_helpers_here;
    strata_helpers_init(&helpers, helping->gain.least_bytes);
    atomic_store_explicit(&helpers.here, helping->threads - 1, memory_order_relaxed);
    strata_charge_seconds(strata_simulated_costs()->team);
    strata_helpers_here = &helpers;
    work(argument);
    strata_helpers_here = outer;
}

double strata_helped_opening(struct strata_helping *helping)
{
    (void)helping;
    return strata_simulated_costs()->team;
}
