/* What sharing costs in simulated time. */
#ifndef STRATA_INTRANODE_HELPERS_SMPI_H
#define STRATA_INTRANODE_HELPERS_SMPI_H

#include <stdint.h>

#include "core/cost/machine.h"
#include "intranode/helpers.h"

/* A flag that is seen beside others costs an eighth of a signal (docs/simulation.md). */
#define STRATA_FLAGS_OF_A_SIGNAL 8

/* Seconds that an offer to the helpers of so many threads takes, with the caller, where a flag
 * takes `flag`. The helpers see the offer after a signal, and the caller sees theirs after another
 * one. Each helper but the first adds a flag to it. */
static inline double strata_helpers_offering(int threads, double flag)
{
    return flag * (2 * STRATA_FLAGS_OF_A_SIGNAL + threads - 2);
}

/* From which length on so many threads make copies faster; SIZE_MAX: they never do. copy: of a
 * byte, s. */
static inline size_t strata_helpers_pay_from(int threads, double copy, double flag)
{
    if (threads < 2 || copy <= 0) {
        return SIZE_MAX;
    }
    const double saved = copy * (STRATA_SHARED_PAYS - 1. / threads); /* more than 0 for two */
    const size_t bytes = (size_t)(strata_helpers_offering(threads, flag) / saved) + 1;
    return bytes > STRATA_LEAST_SHARED ? bytes : STRATA_LEAST_SHARED;
}

#endif
