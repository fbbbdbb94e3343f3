/* A block of a layout as MPI takes it: count and datatype. */
#ifndef STRATA_INTERNODE_MPI_DESCRIBE_MPI_H
#define STRATA_INTERNODE_MPI_DESCRIBE_MPI_H

#include <mpi.h>
#include <stdbool.h>

#include "core/engine/layout.h"

struct strata_description {
    MPI_Datatype type;
    int count;
    bool made; /* strata_forget frees the type */
};

/* Returns MPI's error code. The count is an int; a block of more elements gets a datatype of its
 * own. */
int strata_describe(const struct strata_layout *layout, int block,
                    struct strata_description *description);
/* The same of `elements` elements of a datatype, and of `bytes` bytes. */
int strata_describe_elements(MPI_Datatype type, size_t elements,
                             struct strata_description *description);
int strata_describe_bytes(size_t bytes, struct strata_description *description);
/* Call it right after the message is posted: MPI keeps the type as long as the message needs it. */
void strata_forget(struct strata_description *description);

#endif
