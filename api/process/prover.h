/* The checker proves a plan for all ranks at once. It is a library of its own, libstrata_check,
 * because only STRATA_CHECK asks for it. */
#ifndef STRATA_API_PROCESS_PROVER_H
#define STRATA_API_PROCESS_PROVER_H

#include "core/base/config.h"
#include "core/check/check.h"

/* strata_check_plan of a library that is linked or preloaded, or else of the file beside libstrata
 * or where the system looks for libraries. NULL: there is none. */
strata_prove *strata_prover(void);
/* Complains if there is no checker. */
void strata_prover_check(strata_complain *complain);

#endif
