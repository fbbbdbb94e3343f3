/* One function for each constructor of derived datatypes, over the constructor's arguments. */
#ifndef STRATA_API_TYPES_CONSTRUCTORS_H
#define STRATA_API_TYPES_CONSTRUCTORS_H

#include <mpi.h>
#include <stdbool.h>

#include "api/types/type_map.h"

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

/* Makes types[index] the element type (api/types/flatten.c). */
int strata_contents_take(struct strata_contents *c, int index);

#endif
