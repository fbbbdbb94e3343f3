/* From which length on helpers make copies faster in simulated time: it follows from the costs of
 * the host, without a measurement. */
#include "core/engine/simulated_work.h"
#include "intranode/helpers.h"
#include "intranode/helpers_smpi.h"

struct strata_helpers_gain strata_helpers_measure(struct strata_helpers *helpers, int threads)
{
    const struct strata_simulated_costs *cost = strata_simulated_costs();
    const size_t from = strata_helpers_pay_from(threads, cost->copy, cost->flag);
    (void)helpers;
    if (from == SIZE_MAX) {
        return (struct strata_helpers_gain){.least_bytes = SIZE_MAX};
    }
    return (struct strata_helpers_gain){from, cost->copy, cost->copy / threads};
}
