/* Datatypes as the engine sees them. Each is made once, and kept on the MPI datatype. */
#ifndef STRATA_API_TYPES_DATATYPE_H
#define STRATA_API_TYPES_DATATYPE_H

#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "api/process/process.h"
#include "core/engine/layout.h"

struct strata_datatype {
    /* The flattened type. A type that cannot be flattened is `packed`: then this is the
     * contiguous type of one packed element, and buffers are packed and unpacked as a whole
     * around the call. */
    struct strata_type flat;
    bool packed;
    MPI_Datatype handle; /* the contiguous type of a packed element in MPI; null if the type is
                            not packed */
    atomic_bool whole;   /* set when it is made: another thread gets it from MPI alone */
    struct strata_datatype *next, **link; /* in the process's list */
};

/* *found stays valid as long as the MPI datatype. comm returns errors. Returns an MPI error code:
 * MPI_ERR_TYPE if the type was not committed, as MPI itself finds, or MPI_ERR_NO_MEM. */
int strata_datatype_find(struct strata_process *process, MPI_Datatype type, MPI_Comm comm,
                         const struct strata_datatype **found);

/* Finds a datatype that was made before; NULL if it was not. The type is not null. */
const struct strata_datatype *strata_datatype_peek(const struct strata_process *process,
                                                   MPI_Datatype type);

/* Whether the type is predefined, such as MPI_INT. */
bool strata_datatype_is_named(MPI_Datatype type);

int strata_datatype_deleted(MPI_Datatype type, int key, void *value, void *extra);
void strata_datatypes_finish(struct strata_process *process);

#endif
