/* MPI's own collectives with large counts, which is MPI-4's _c forms. An MPI that has none does it
 * by the calls that it has: of datatypes that stand for many elements, and of vectors in parts. */
#ifndef STRATA_API_CALL_LARGE_H
#define STRATA_API_CALL_LARGE_H

#include "api/call/signature.h"

/* Of a call with large counts. Returns an MPI error code. */
int strata_native_large(const struct strata_signature *signature);
/* The same by the form that does not block, of an MPI that has it. */
#define STRATA_STARTS_LARGE (MPI_VERSION >= 4)
int strata_native_start_large(const struct strata_signature *signature, MPI_Request *request);

/* For an MPI without _c forms. Blocks of equal length by the same collective; those of others by
 * MPI_Alltoallw, whose datatypes may say where each begins. So all ranks call the same, whatever
 * their counts are. */
int strata_large_blocks(const struct strata_signature *signature);
int strata_large_varying(const struct strata_signature *signature);
/* Vectors of more elements than an int counts, which all ranks know alike, in parts. */
int strata_large_vector(const struct strata_signature *signature);
/* reduce_scatter, reduce_scatter_block: of so many elements together, block by block. */
int strata_large_scattered(const struct strata_signature *signature);

#endif
