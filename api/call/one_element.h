/* Short reductions to a root that MPI's own nonblocking collective makes as those of one element.
 *
 * Programs rely on it that ranks wait for no others than those of a tree in such a call
 * (docs/decisions/crossed-calls.md). MPI_Reduce is made by a tree. MPI_Ireduce of Open MPI halves
 * the vector between all ranks if it has as many elements as there are ranks, even if it is short.
 * One element cannot be halved. */
#ifndef STRATA_API_CALL_ONE_ELEMENT_H
#define STRATA_API_CALL_ONE_ELEMENT_H

#include <stdbool.h>

#include "api/call/signature.h"

/* Whether this is such a call. The same on all ranks. */
bool strata_one_element_due(const struct strata_signature *signature);
/* Makes the call while requests move. Returns MPI's code. */
int strata_one_element_reduce(const struct strata_signature *signature);

#endif
