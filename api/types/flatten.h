/* Finds the pieces of an MPI datatype. */
#ifndef STRATA_API_TYPES_FLATTEN_H
#define STRATA_API_TYPES_FLATTEN_H

#include <mpi.h>

#include "api/types/type_map.h"

/* Appends the pieces of one element, in the order of the type map, by taking the type apart. A
 * type that cannot be taken apart is probed. comm returns errors. STRATA_ERR_UNSUPPORTED:
 * neither works. */
int strata_flatten(MPI_Datatype type, MPI_Comm comm, struct strata_map *map);

/* Finds the pieces of any type of at most 64 MiB: it packs a buffer whose bytes hold their own
 * positions. */
int strata_probe(MPI_Datatype type, MPI_Comm comm, struct strata_map *map);

/* Makes types[index] the current element type of a constructor. */
int strata_contents_take(struct strata_contents *c, int index);

#endif
