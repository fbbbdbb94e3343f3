/* Table-driven check of a call's arguments: what one rank can see by itself. */
#ifndef STRATA_API_CALL_ARGUMENTS_H
#define STRATA_API_CALL_ARGUMENTS_H

#include "api/call/signature.h"

/* MPI_SUCCESS, or the MPI error class that MPI's own call would raise, and a text that says what is
 * wrong. Which sides are significant is known. Operators are checked in api/types/reduction_operator.c. */
int strata_check_arguments(const struct strata_signature *signature, const char **text);

#endif
