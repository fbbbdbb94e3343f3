/* MPI's operators as the engine's: what a reduction combines its operands with. */
#ifndef STRATA_API_TYPES_REDUCTION_OPERATOR_H
#define STRATA_API_TYPES_REDUCTION_OPERATOR_H

#include <mpi.h>
#include <stdbool.h>

#include "api/types/packed_operands.h"
#include "core/engine/operator.h"

struct strata_process;

/* An operator with its operands' datatype; `base` is what the engine is given. */
struct strata_combination {
    struct strata_operator base;
    MPI_Op op;
    MPI_Datatype type;
    MPI_Aint extent;
    strata_kernel *kernel; /* of elements as they lie; NULL: MPI combines them */
    struct strata_packed_operands packed;
};

/* A communicator of this process alone that returns errors, for one thread at a time: until the
 * end. MPI_COMM_NULL: there is none to be had. */
MPI_Comm strata_alone_begin(struct strata_process *process);
void strata_alone_end(struct strata_process *process);

/* MPI's own check of operator and operands' datatype: MPI_SUCCESS or its error code. */
int strata_operator_check(struct strata_process *process, MPI_Op op, MPI_Datatype type);

/* MPI_SUM and the like. */
bool strata_operator_predefined(MPI_Op op);

/* Whether the operands' order may be changed. */
bool strata_operator_commutes(MPI_Op op);

/* Combines as MPI_Reduce_local does, without MPI; extent is the type's. NULL: left to MPI. */
strata_kernel *strata_kernel_of(MPI_Op op, MPI_Datatype type, MPI_Aint extent);

/* Fills *c, all zero or filled before, which must stay where it is while it is used. Both are
 * valid. */
void strata_operator_init(struct strata_combination *c, MPI_Op op, MPI_Datatype type,
                          MPI_Aint extent);
/* The same, of operands that are packed; their datatype was found, and comm returns errors.
 * Returns an MPI error code. */
int strata_operator_init_packed(struct strata_combination *c, MPI_Op op, MPI_Datatype type,
                                const struct strata_datatype *datatype, MPI_Comm comm);
/* Frees what the latter took; of one that was not filled, too. */
void strata_operator_fini(struct strata_combination *c);

/* Frees what checks need. */
void strata_operators_finish(struct strata_process *process);

#endif
