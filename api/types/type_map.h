/* A growing list of a datatype's pieces; neighbours that touch are merged as they come. And one
 * function for each constructor of derived datatypes, which adds to it from the constructor's
 * arguments. */
#ifndef STRATA_API_TYPES_TYPE_MAP_H
#define STRATA_API_TYPES_TYPE_MAP_H

#include <mpi.h>
#include <stdbool.h>

#include "core/base/error.h"
#include "core/engine/layout.h"

#define STRATA_MOST_PIECES ((size_t)1 << 20) /* beyond: packing as a whole costs less memory */

struct strata_map {
    struct strata_piece *items;
    size_t used, capacity;
};

/* STRATA_OK, STRATA_ERR_MEMORY, or STRATA_ERR_UNSUPPORTED when the list is full. */
int strata_map_add(struct strata_map *list, ptrdiff_t offset, size_t length);

/* count elements, `extent` apart, the first at offset. */
int strata_map_repeat(struct strata_map *list, const struct strata_map *element, ptrdiff_t extent,
                      ptrdiff_t offset, ptrdiff_t count);

void strata_map_free(struct strata_map *list);

/* A constructor's arguments, and its (for struct: current) element type, flattened. */
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

/* A combiner that can be taken apart; `single`: one element type serves the whole type. */
struct strata_constructor {
    int combiner;
    bool single;
    int (*flatten)(struct strata_contents *c, struct strata_map *map);
};

/* NULL for what has to be probed. */
const struct strata_constructor *strata_constructor_find(int combiner);

#endif
