/* A block of a layout in MPI's words: count and datatype. */
#ifndef STRATA_INTERNODE_MPI_DESCRIBE_MPI_H
#define STRATA_INTERNODE_MPI_DESCRIBE_MPI_H

#include <mpi.h>
#include <stdbool.h>

#include "core/engine/layout.h"

struct strata_description {
    MPI_Datatype type;
    int count;
    bool made; /* the type is to be freed */
};

/* Returns MPI's error code. An int counts elements, so more of them get a type of their own. */
int strata_describe(const struct strata_layout *layout, int block,
                    struct strata_description *description);
/* So many elements of a datatype; so many bytes. */
int strata_describe_elements(MPI_Datatype type, size_t elements,
                             struct strata_description *description);
int strata_describe_bytes(size_t bytes, struct strata_description *description);
/* At once after the message was posted: MPI keeps the type as long as the message needs it. */
void strata_forget(struct strata_description *description);

#endif
