/* The engine's form of MPI's operators, with which reductions combine operands. */
#ifndef STRATA_API_TYPES_REDUCTION_OPERATOR_H
#define STRATA_API_TYPES_REDUCTION_OPERATOR_H

#include <mpi.h>
#include <stdbool.h>

#include "api/types/packed_operands.h"
#include "core/engine/operator.h"

struct strata_process;

/* An operator with the datatype of its operands; the engine gets `base`. */
struct strata_combination {
    struct strata_operator base;
    MPI_Op op;
    MPI_Datatype type;
    MPI_Aint extent;
    strata_kernel *kernel; /* combines elements where they lie; NULL: MPI combines them */
    struct strata_packed_operands packed;
};

/* A communicator of this process alone, which returns errors. One thread at a time has it, until
 * strata_alone_end. MPI_COMM_NULL: it could not be made. */
MPI_Comm strata_alone_begin(struct strata_process *process);
void strata_alone_end(struct strata_process *process);

/* MPI's own check of operator and operands' datatype: MPI_SUCCESS or its error code. */
int strata_operator_check(struct strata_process *process, MPI_Op op, MPI_Datatype type);

/* Whether the operator is predefined, such as MPI_SUM. */
bool strata_operator_predefined(MPI_Op op);

/* Whether operands may be combined in any order. */
bool strata_operator_commutes(MPI_Op op);

/* A kernel that combines as MPI_Reduce_local does, without MPI; extent is the type's. NULL: MPI
 * combines. */
strata_kernel *strata_kernel_of(MPI_Op op, MPI_Datatype type, MPI_Aint extent);

/* Fills *c, which was all zero or filled before, for a valid operator and type. *c must stay where
 * it is while it is used. */
void strata_operator_init(struct strata_combination *c, MPI_Op op, MPI_Datatype type,
                          MPI_Aint extent);
/* Fills *c for operands that are packed. Their datatype was found, and comm returns errors. Returns
 * an MPI error code. */
int strata_operator_init_packed(struct strata_combination *c, MPI_Op op, MPI_Datatype type,
                                const struct strata_datatype *datatype, MPI_Comm comm);
/* Frees what strata_operator_init_packed took; accepts a struct that was never filled. */
void strata_operator_fini(struct strata_combination *c);

/* Frees the communicator that checks use. */
void strata_operators_finish(struct strata_process *process);

#endif
