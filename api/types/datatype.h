/* Datatypes as the engine sees them, made once and kept on the type. */
#ifndef STRATA_API_TYPES_DATATYPE_H
#define STRATA_API_TYPES_DATATYPE_H

#include <mpi.h>
#include <stdbool.h>

#include "api/process/process.h"
#include "core/engine/layout.h"

struct strata_datatype {
    /* The flattened type. Where that cannot be had (`packed`): the contiguous element that one
     * element packs to, and buffers are packed and unpacked as a whole around the call. */
    struct strata_type flat;
    bool packed;
    MPI_Datatype handle; /* packed: MPI's name of the contiguous element, else null */
    struct strata_datatype *next, **link; /* in the process's list */
};

/* *found stays valid as long as the type. comm returns errors. Returns an MPI error code:
 * MPI_ERR_TYPE as MPI itself finds it (a type that was not committed), MPI_ERR_NO_MEM. */
int strata_datatype_find(struct strata_process *process, MPI_Datatype type, MPI_Comm comm,
                         const struct strata_datatype **found);

/* The same, but NULL where it was not made yet. The type is not null. */
const struct strata_datatype *strata_datatype_peek(const struct strata_process *process,
                                                   MPI_Datatype type);

/* A predefined type such as MPI_INT. */
bool strata_datatype_is_named(MPI_Datatype type);

int strata_datatype_deleted(MPI_Datatype type, int key, void *value, void *extra);
void strata_datatypes_finish(struct strata_process *process);

#endif
