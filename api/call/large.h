/* MPI's own collectives with large counts: MPI-4's _c forms. For an MPI without these, other calls
 * do their work: with datatypes that stand for many elements, and with vectors in parts. */
#ifndef STRATA_API_CALL_LARGE_H
#define STRATA_API_CALL_LARGE_H

#include "api/call/signature.h"

/* Makes MPI's own call with large counts. Returns an MPI error code. */
int strata_native_large(const struct strata_signature *signature);
/* The nonblocking form, which not every MPI has. */
#define STRATA_STARTS_LARGE (MPI_VERSION >= 4)
int strata_native_start_large(const struct strata_signature *signature, MPI_Request *request);

/* For an MPI without _c forms. Blocks of equal length go through the same collective. Blocks of
 * different lengths go through MPI_Alltoallw, whose datatypes may say where each begins. So all
 * ranks make the same call, whatever their counts are. */
int strata_large_blocks(const struct strata_signature *signature);
int strata_large_varying(const struct strata_signature *signature);
/* Vectors of more elements than an int counts go in parts; all ranks know that alike. */
int strata_large_vector(const struct strata_signature *signature);
/* reduce_scatter and reduce_scatter_block of so many elements together go block by block. */
int strata_large_scattered(const struct strata_signature *signature);

#endif
