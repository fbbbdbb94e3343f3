/* Copies elements of a type that has no map, with MPI's own packing. */
#ifndef STRATA_API_CALL_COPY_ELEMENTS_H
#define STRATA_API_CALL_COPY_ELEMENTS_H

#include <mpi.h>

/* Copies elements to other memory, laid out as they are. comm returns errors. Returns an MPI error
 * code. */
int strata_copy_elements(const void *from, void *into, MPI_Count count, MPI_Datatype type,
                         MPI_Comm comm);

#endif
