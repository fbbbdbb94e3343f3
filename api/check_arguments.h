/* Table-driven check of a call's arguments: what one rank can see by itself. */
#ifndef STRATA_API_CHECK_ARGUMENTS_H
#define STRATA_API_CHECK_ARGUMENTS_H

#include "api/signature.h"

/* MPI_SUCCESS, or the MPI error class that MPI's own call would raise, and a text that says what is
 * wrong. The sides are settled. Operators are checked in api/operator.c. */
int strata_check_arguments(const struct strata_signature *signature, const char **text);

#endif
