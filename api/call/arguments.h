/* A call's arguments: which are significant on this rank, and what of them this rank can see to be
 * wrong. */
#ifndef STRATA_API_CALL_ARGUMENTS_H
#define STRATA_API_CALL_ARGUMENTS_H

#include "api/call/signature.h"
#include "core/base/error.h"

/* Says for each side whether it is significant on this rank, and as what. */
void strata_find_significant(struct strata_signature *signature, int rank, int ranks);

/* The side that may be MPI_IN_PLACE on this rank; NULL: neither. */
const struct strata_side *strata_may_be_in_place(const struct strata_signature *signature);
/* Of a call that was right with one memory on both sides: the one in place. */
void strata_go_in_place(struct strata_signature *signature);

/* MPI_SUCCESS, or the MPI error class that MPI's own call would raise, and a text that says what
 * is wrong. Which sides are significant is known. Operators are checked in
 * api/types/reduction_operator.c, one buffer for both sides is in api/call/one_memory.c.
 *
 * A call that is wrong in the same way on all ranks must not leave some of them waiting. What a
 * rank cannot see, for an argument is not significant there (what only the
 * root receives or sends, what rank 0 of an exscan would receive, MPI_IN_PLACE that is right at
 * the root alone, a null buffer for no elements), or was wrong on one rank only, is an error on
 * the ranks that see it, and others may wait for them, as in MPI's own. */
int strata_check_arguments(struct strata_signature *signature, const char **text);
/* The same text with the value that is wrong, and what is allowed, where it is about one: in
 * message, which it returns. */
const char *strata_arguments_say(const struct strata_signature *signature, int class,
                                 const char *text, struct strata_diagnostic *message);
/* Of a call with counts that was right: they and the displacements may hold something else. False
 * where it is to be checked anew. */
bool strata_counts_stay_right(struct strata_signature *signature);

#endif
