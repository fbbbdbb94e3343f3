/* The collectives that the preload library stands before, a row each: the name as MPI has it, as
 * Strata has it, in capitals, and the list of arguments; first those that count anything, of which
 * MPI-4 has forms with large counts, too. A list says of each argument what kind it
 * is; given the name of a macro it becomes MPI's parameters, or what hands them on, in C or in
 * Fortran. */
#ifndef STRATA_PRELOAD_COLLECTIVES_H
#define STRATA_PRELOAD_COLLECTIVES_H

#include <mpi.h>

#define PRELOAD_COUNTED_TABLE(ROW)                                                                 \
    ROW(Alltoall, alltoall, ALLTOALL, BLOCKS)                                                      \
    ROW(Alltoallv, alltoallv, ALLTOALLV, VARYING)                                                  \
    ROW(Alltoallw, alltoallw, ALLTOALLW, TYPED)                                                    \
    ROW(Allgather, allgather, ALLGATHER, BLOCKS)                                                   \
    ROW(Allgatherv, allgatherv, ALLGATHERV, COLLECTED)                                             \
    ROW(Bcast, bcast, BCAST, SPREAD)                                                               \
    ROW(Gather, gather, GATHER, ROOTED)                                                            \
    ROW(Gatherv, gatherv, GATHERV, ROOT_COLLECTS)                                                  \
    ROW(Scatter, scatter, SCATTER, ROOTED)                                                         \
    ROW(Scatterv, scatterv, SCATTERV, ROOT_DEALS)                                                  \
    ROW(Reduce, reduce, REDUCE, ROOT_REDUCES)                                                      \
    ROW(Allreduce, allreduce, ALLREDUCE, REDUCED)                                                  \
    ROW(Reduce_scatter, reduce_scatter, REDUCE_SCATTER, REDUCED_PARTS)                             \
    ROW(Reduce_scatter_block, reduce_scatter_block, REDUCE_SCATTER_BLOCK, REDUCED)                 \
    ROW(Scan, scan, SCAN, REDUCED)                                                                 \
    ROW(Exscan, exscan, EXSCAN, REDUCED)
#define PRELOAD_TABLE(ROW)                                                                         \
    PRELOAD_COUNTED_TABLE(ROW)                                                                     \
    ROW(Barrier, barrier, BARRIER, NOTHING)

#define NOTHING(A)       A(COMM, comm)
#define BLOCKS(A)        SENT(A), TAKEN(A), A(COMM, comm)
#define VARYING(A)       SENT_EACH(A), TAKEN_EACH(A), A(COMM, comm)
#define COLLECTED(A)     SENT(A), TAKEN_EACH(A), A(COMM, comm)
#define ROOTED(A)        SENT(A), TAKEN(A), A(INT, root), A(COMM, comm)
#define ROOT_COLLECTS(A) SENT(A), TAKEN_EACH(A), A(INT, root), A(COMM, comm)
#define ROOT_DEALS(A)    SENT_EACH(A), TAKEN(A), A(INT, root), A(COMM, comm)
#define TYPED(A)                                                                                   \
    A(READ, from), A(COUNTS, sent), A(PLACES, sent_at), A(SENT_TYPES, sent_types), A(WRITE, to),   \
        A(COUNTS, taken), A(PLACES, taken_at), A(TAKEN_TYPES, taken_types), A(COMM, comm)
#define SPREAD(A)        A(WRITE, to), A(COUNT, count), A(TYPE, type), A(INT, root), A(COMM, comm)
#define REDUCED(A)       OPERANDS(A, COUNT), A(COMM, comm)
#define REDUCED_PARTS(A) OPERANDS(A, COUNTS), A(COMM, comm)
#define ROOT_REDUCES(A)  OPERANDS(A, COUNT), A(INT, root), A(COMM, comm)

/* Parts of lists. */
#define SENT(A)           A(READ, from), A(COUNT, sent), A(TYPE, sent_type)
#define TAKEN(A)          A(WRITE, to), A(COUNT, taken), A(TYPE, taken_type)
#define SENT_EACH(A)      A(READ, from), A(COUNTS, sent), A(PLACES, sent_at), A(TYPE, sent_type)
#define TAKEN_EACH(A)     A(WRITE, to), A(COUNTS, taken), A(PLACES, taken_at), A(TYPE, taken_type)
#define OPERANDS(A, KIND) A(READ, from), A(WRITE, to), A(KIND, counts), A(TYPE, type), A(OP, op)

/* C's parameters, and what hands them on. */
#define PARAMETER(kind, name)       PARAMETER_##kind(name)
#define PARAMETER_READ(name)        const void *name
#define PARAMETER_WRITE(name)       void *name
#define PARAMETER_INT(name)         int name
#define PARAMETER_COUNT(name)       int name
#define PARAMETER_COUNTS(name)      const int name[]
#define PARAMETER_PLACES(name)      const int name[]
#define PARAMETER_TYPE(name)        MPI_Datatype name
#define PARAMETER_SENT_TYPES(name)  const MPI_Datatype name[]
#define PARAMETER_TAKEN_TYPES(name) const MPI_Datatype name[]
#define PARAMETER_OP(name)          MPI_Op name
#define PARAMETER_COMM(name)        MPI_Comm name
#define ARGUMENT(kind, name)        name

/* The same of the form with large counts. */
#define LARGE(kind, name)       LARGE_##kind(name)
#define LARGE_READ(name)        PARAMETER_READ(name)
#define LARGE_WRITE(name)       PARAMETER_WRITE(name)
#define LARGE_INT(name)         PARAMETER_INT(name)
#define LARGE_COUNT(name)       MPI_Count name
#define LARGE_COUNTS(name)      const MPI_Count name[]
#define LARGE_PLACES(name)      const MPI_Aint name[]
#define LARGE_TYPE(name)        PARAMETER_TYPE(name)
#define LARGE_SENT_TYPES(name)  PARAMETER_SENT_TYPES(name)
#define LARGE_TAKEN_TYPES(name) PARAMETER_TAKEN_TYPES(name)
#define LARGE_OP(name)          PARAMETER_OP(name)
#define LARGE_COMM(name)        PARAMETER_COMM(name)

/* One call: by Strata, or by MPI's own. */
#define PRELOAD_DECLARE(Name, name, NAME, list) int strata_preload_##name(list(PARAMETER));
PRELOAD_TABLE(PRELOAD_DECLARE)
#undef PRELOAD_DECLARE

#endif
