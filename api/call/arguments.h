/* A call's arguments: which of them are significant on this rank, and which errors this rank can
 * see in them. */
#ifndef STRATA_API_CALL_ARGUMENTS_H
#define STRATA_API_CALL_ARGUMENTS_H

#include "api/call/signature.h"
#include "core/base/error.h"

/* Finds for each side whether it is significant on this rank, and which blocks it holds. */
void strata_find_significant(struct strata_signature *signature, int rank, int ranks);

/* The side that may be MPI_IN_PLACE on this rank; NULL: neither may. */
const struct strata_side *strata_may_be_in_place(const struct strata_signature *signature);
/* Makes a call with one memory on both sides, which is right, the call in place. */
void strata_go_in_place(struct strata_signature *signature);

/* Returns MPI_SUCCESS, or the MPI error class that MPI's own call would raise, and a text that says
 * what is wrong. strata_find_significant was called before. Two checks are elsewhere: operators in
 * api/types/reduction_operator.c, and one buffer on both sides in api/call/one_memory.c.
 *
 * A call with the same error on all ranks must not leave some of them waiting. But some errors are
 * seen on some ranks only: an argument is wrong on one rank, or it is not significant on the
 * others. Such arguments are a buffer that only the root needs, the receive buffer of rank 0 in an
 * exscan, MPI_IN_PLACE where only the root may give it, and a null buffer for no elements. Then the
 * ranks that see the error return it, and others may wait for them, as in MPI's own call. */
int strata_check_arguments(struct strata_signature *signature, const char **text);
/* The text, with the wrong value and the allowed ones where it is about a value. Writes it to
 * `message`, and returns it. */
const char *strata_arguments_say(const struct strata_signature *signature, int class,
                                 const char *text, struct strata_diagnostic *message);
/* For a call with counts that was right before: checks the counts and displacements, which may have
 * changed. False: the call must be checked anew. */
bool strata_counts_stay_right(struct strata_signature *signature);

#endif
