/* A growing list of a datatype's pieces, in which neighbours that touch are merged. Each
 * constructor of derived datatypes has a function that adds pieces from the constructor's
 * arguments. */
#ifndef STRATA_API_TYPES_TYPE_MAP_H
#define STRATA_API_TYPES_TYPE_MAP_H

#include <mpi.h>
#include <stdbool.h>

#include "core/base/error.h"
#include "core/engine/layout.h"

#define STRATA_MOST_PIECES ((size_t)1 << 20) /* with more, packing as a whole takes less memory */

struct strata_map {
    struct strata_piece *items;
    size_t used, capacity;
};

/* STRATA_OK, STRATA_ERR_MEMORY, or STRATA_ERR_UNSUPPORTED when the list is full. */
int strata_map_add(struct strata_map *list, ptrdiff_t offset, size_t length);

/* Adds count elements, `extent` apart, the first at offset. */
int strata_map_repeat(struct strata_map *list, const struct strata_map *element, ptrdiff_t extent,
                      ptrdiff_t offset, ptrdiff_t count);

void strata_map_free(struct strata_map *list);

/* A constructor's arguments, and its element type, flattened: for a struct, the current one. */
struct strata_contents {
    int combiner;
    int nints, naddresses, ntypes;
    int *ints;
    MPI_Aint *addresses;
    MPI_Datatype *types;
    MPI_Comm comm;
    struct strata_map element;
    ptrdiff_t extent;
};

/* How a combiner is taken apart. `single`: the whole type has one element type. */
struct strata_constructor {
    int combiner;
    bool single;
    int (*flatten)(struct strata_contents *c, struct strata_map *map);
};

/* NULL: the type has to be probed. */
const struct strata_constructor *strata_constructor_find(int combiner);

#endif
