/* What differs between MPI libraries, in one table. It is asked at run time, because a program by
 * the standard ABI (MPI-5, chapter 20) runs on several MPIs as the same file. */
#ifndef STRATA_INTERNODE_MPI_TRAITS_MPI_H
#define STRATA_INTERNODE_MPI_TRAITS_MPI_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* By which handles, constants and status objects a program calls MPI: those of a family of MPIs,
 * which its old and new versions share, or those of the standard. */
enum strata_abi { STRATA_ABI_OPEN_MPI, STRATA_ABI_MPICH, STRATA_ABI_STANDARD };

/* The one that this file is compiled for, by MPI's header. An MPI of neither family counts as one
 * of MPICH, from which most others descend. */
#if defined OPEN_MPI
#define STRATA_ABI_HERE STRATA_ABI_OPEN_MPI
#elif MPI_ABI_VERSION > 0
#define STRATA_ABI_HERE STRATA_ABI_STANDARD
#else
#define STRATA_ABI_HERE STRATA_ABI_MPICH
#endif

/* A family of MPI libraries. */
struct strata_mpi_traits {
    const char *name;     /* which stands in the text of MPI_Get_library_version */
    enum strata_abi abi;  /* where it is not called by the standard's */
    bool errors_at_world; /* it reports the error of a completed request through the error handler
                             of MPI_COMM_WORLD, not of the request's communicator */
    bool may_hide_errors; /* some version of it returns MPI_SUCCESS from a call that raised an
                             error, after the program's own error handler has returned */
    bool abort_may_hang;  /* its launcher does not always survive the MPI_Abort of one rank while
                             others are in MPI_Finalize */
    int reductions_crash; /* from this version on its long reductions may crash, which
                             strata_mpi_reductions_work asks; 0: in none */
};

/* The row of the MPI that this process calls, also before MPI_Init. */
const struct strata_mpi_traits *strata_mpi_traits(void);
/* Whether this version of a family that may hide errors does. Tries it on a communicator of this
 * process alone whose errors are returned. One thread at a time. */
bool strata_mpi_hides_errors(MPI_Comm alone);
/* The first number of its version; 0: its text has none where this family has it. */
int strata_mpi_version(void);
/* By which ABI the process calls it, and the version of the standard's, or -1. */
enum strata_abi strata_mpi_abi(int *version, int *subversion);
/* "Open MPI v4.1.4", "MPICH 5.0.2 by the standard ABI 1.0". Returns `text`. */
const char *strata_mpi_name(char *text, size_t bytes);

/* Whether the handle is a communicator, so that its attributes can be asked for: MPI must report a
 * wrong handle, such as a wrong number in Fortran, under the name of the program's own call. Each
 * preloaded call asks this, so it only looks at the handle. */
static inline bool strata_mpi_is_communicator(MPI_Comm comm)
{
#if defined OPEN_MPI
    return comm != NULL;
#elif defined MPICH_VERSION
    enum { VALID = 30, KIND = 26, KINDS = 0xf, COMMUNICATOR = 1 }; /* bits of a handle */
    return (unsigned)comm >> VALID != 0 && ((unsigned)comm >> KIND & KINDS) == COMMUNICATOR;
#elif MPI_ABI_VERSION > 0
    enum { PREDEFINED = 0xfff }; /* the last handle that can be a constant of the standard */
    return (uintptr_t)comm > PREDEFINED || comm == MPI_COMM_WORLD || comm == MPI_COMM_SELF;
#else
    return comm != MPI_COMM_NULL;
#endif
}

#endif
