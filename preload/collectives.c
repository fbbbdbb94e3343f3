/* MPI's collectives as programs call them that do not know of Strata. */
#include "preload/collectives.h"

#include "api/attach/state.h"
#include "api/call/explain.h"
#include "api/life/life.h"
#include "include/strata.h"

/* Whether it may be asked for its attributes: MPI raises by the name of the program's own call what
 * is none, such as a number in Fortran that no communicator has. */
static bool is_communicator(MPI_Comm comm)
{
#if defined OPEN_MPI
    return comm != NULL;
#elif defined MPICH_VERSION
    enum { VALID = 30, KIND = 26, KINDS = 0xf, COMMUNICATOR = 1 }; /* bits of a handle */
    return (unsigned)comm >> VALID != 0 && ((unsigned)comm >> KIND & KINDS) == COMMUNICATOR;
#else
    return comm != MPI_COMM_NULL;
#endif
}

/* Whether the public call is to serve it: its state is at hand, or found. */
static inline bool serves(MPI_Comm comm)
{
    return strata_state_found(comm, strata_changes_now(&strata_process_here)) ||
           (is_communicator(comm) && !strata_left_to_mpi(strata_process(), comm));
}

/* By Strata, or by MPI's own, as a communicator's first call is. */
#define CALL(served, native, collective)                                                           \
    if (serves(comm)) {                                                                            \
        return served;                                                                             \
    }                                                                                              \
    double begin = strata_explain_first_begin(&strata_process_here);                               \
    int error = native;                                                                            \
    if (is_communicator(comm)) {                                                                   \
        strata_left_to_mpi_once(strata_process(), comm, error);                                    \
    }                                                                                              \
    if (begin > 0 && error == MPI_SUCCESS) {                                                       \
        strata_explain_first_call(&strata_process_here, collective, begin);                        \
    }                                                                                              \
    return error

/* Fortran's calls and C's end here; C's may be caught by a tool that was loaded before. */
#define SERVE(Name, name, NAME, list)                                                              \
    int strata_preload_##name(list(PARAMETER))                                                     \
    {                                                                                              \
        CALL(strata_##name(list(ARGUMENT)), PMPI_##Name(list(ARGUMENT)), STRATA_##NAME);           \
    }                                                                                              \
    STRATA_PUBLIC int MPI_##Name(list(PARAMETER)) __attribute__((alias("strata_preload_" #name)));

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
PRELOAD_TABLE(SERVE)

#if MPI_VERSION >= 4
#define SERVE_LARGE(Name, name, NAME, list)                                                        \
    STRATA_PUBLIC int MPI_##Name##_c(list(LARGE));                                                 \
    int MPI_##Name##_c(list(LARGE))                                                                \
    {                                                                                              \
        CALL(strata_##name##_c(list(ARGUMENT)), PMPI_##Name##_c(list(ARGUMENT)), STRATA_##NAME);   \
    }

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
PRELOAD_COUNTED_TABLE(SERVE_LARGE)
#endif
