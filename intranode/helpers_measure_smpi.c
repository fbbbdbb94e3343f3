/* From which length on helpers make copies faster in simulated time: it follows from the costs of
 * the host, without a measurement. */
#include "core/engine/simulated_work.h"
#include "intranode/helpers.h"
#include "intranode/helpers_smpi.h"

/* A flag that is seen beside others costs an eighth of a signal (docs/simulation.md). */
enum { FLAGS_OF_A_SIGNAL = 8 };
/* A shared copy pays if it takes at most so much of the time of one thread. */
static const double PAYS = 0.85;

/* The helpers see the offer after a signal, and the caller sees theirs after another one. Each
 * helper but the first adds a flag to it. */
double strata_helpers_offering(int threads)
{
    return strata_simulated_costs()->flag * (2 * FLAGS_OF_A_SIGNAL + threads - 2);
}

struct strata_helpers_gain strata_helpers_measure(struct strata_helpers *helpers, int threads)
{
    struct strata_helpers_gain gain = {.least_bytes = SIZE_MAX};
    const double copy = strata_simulated_costs()->copy;
    (void)helpers;
    if (threads > 1 && copy > 0) {
        const double saved = copy * (PAYS - 1. / threads); /* more than 0 for two threads */
        const double bytes = strata_helpers_offering(threads) / saved;
        gain = (struct strata_helpers_gain){(size_t)bytes + 1, copy, copy / threads};
    }
    if (gain.least_bytes < STRATA_LEAST_SHARED) {
        gain.least_bytes = STRATA_LEAST_SHARED;
    }
    return gain;
}
