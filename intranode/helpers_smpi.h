/* What sharing costs in simulated time. */
#ifndef STRATA_INTRANODE_HELPERS_SMPI_H
#define STRATA_INTRANODE_HELPERS_SMPI_H

/* Seconds that an offer to the helpers of so many threads takes, with the caller. */
double strata_helpers_offering(int threads);

#endif
