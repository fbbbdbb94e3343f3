/* Predefined datatypes, whose handles are never reused: a table that is read without a lock. */
#ifndef STRATA_API_TYPES_NAMED_TYPES_H
#define STRATA_API_TYPES_NAMED_TYPES_H

#include "api/types/datatype.h"

/* NULL when it is not there yet. */
const struct strata_datatype *strata_named_find(MPI_Datatype type);

/* One thread at a time (the process's lock). False when the table is full. */
bool strata_named_keep(MPI_Datatype type, const struct strata_datatype *datatype);

#endif
