/* A call's arguments: which are significant on this rank, and what of them this rank can see to be
 * wrong. */
#ifndef STRATA_API_CALL_ARGUMENTS_H
#define STRATA_API_CALL_ARGUMENTS_H

#include "api/call/signature.h"

/* Says for each side whether it is significant on this rank, and as what. */
void strata_find_significant(struct strata_signature *signature, int rank, int ranks);

/* MPI_SUCCESS, or the MPI error class that MPI's own call would raise, and a text that says what is
 * wrong. Which sides are significant is known. Operators are checked in api/types/reduction_operator.c. */
int strata_check_arguments(const struct strata_signature *signature, const char **text);

#endif
