/* The numbers that MPI's named datatypes stand for, where an operator takes them. */
#ifndef STRATA_API_TYPES_NAMED_TYPES_H
#define STRATA_API_TYPES_NAMED_TYPES_H

#include <mpi.h>
#include <stdbool.h>

#include "core/kernels/kernels.h"

/* The groups of types for which the MPI standard allows operators. A floating-point type that C may
 * not have, such as MPI_REAL16, is in its group, too. */
enum strata_number_group {
    STRATA_GROUP_NONE, /* no type that an operator takes, or one that only MPI knows */
    STRATA_GROUP_INTEGER,
    STRATA_GROUP_OTHER_INTEGER, /* types of Fortran, or of several languages; logical operators
                                   do not take them */
    STRATA_GROUP_FLOATING,
    STRATA_GROUP_COMPLEX,
    STRATA_GROUP_LOGICAL,
    STRATA_GROUP_BYTE,
    STRATA_GROUP_PAIR,
    STRATA_GROUPS
};

struct strata_named_type {
    enum strata_number_group group;
    enum strata_number number; /* STRATA_NUMBERS: C has no such number, or none of that size here */
};

/* The type is not null. Its extent says how long Fortran's numbers are. */
struct strata_named_type strata_named_type_of(MPI_Datatype type, MPI_Aint extent);

#endif
