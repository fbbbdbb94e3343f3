/* From an MPI datatype to its pieces. */
#ifndef STRATA_API_TYPES_FLATTEN_H
#define STRATA_API_TYPES_FLATTEN_H

#include <mpi.h>

#include "api/types/type_map.h"

/* Appends one element's pieces, in type-map order, by taking the type apart. What cannot be taken
 * apart is probed. comm returns errors. STRATA_ERR_UNSUPPORTED: neither can be done. */
int strata_flatten(MPI_Datatype type, MPI_Comm comm, struct strata_map *map);

/* The same for any type of at most 64 MiB by packing a buffer that holds its own positions. */
int strata_probe(MPI_Datatype type, MPI_Comm comm, struct strata_map *map);

/* Makes types[index] the element type of a constructor. */
int strata_contents_take(struct strata_contents *c, int index);

#endif
