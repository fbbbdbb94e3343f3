/* How the preload library serves a collective of a program that does not know of Strata. */
#ifndef STRATA_PRELOAD_SERVE_H
#define STRATA_PRELOAD_SERVE_H

#include "api/attach/state.h"
#include "api/call/explain.h"
#include "api/life/life.h"

/* Whether the handle is a communicator, so that its attributes can be asked for. MPI must report a
 * wrong handle, such as a wrong number in Fortran, under the name of the program's own call. */
static inline bool preload_is_communicator(MPI_Comm comm)
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

/* Whether Strata serves the call: the state was found last, or can be found. */
static inline bool preload_serves(MPI_Comm comm)
{
    return strata_state_found(comm, strata_changes_now(&strata_process_here)) ||
           (preload_is_communicator(comm) && !strata_native_first(strata_process(), comm));
}

/* The body of a collective. Strata serves it, or else MPI's own does, as a communicator's first
 * call. */
#define SERVE(collective, served, native)                                                          \
    if (preload_serves(comm)) {                                                                    \
        return served;                                                                             \
    }                                                                                              \
    double begin = strata_explain_first_begin(&strata_process_here);                               \
    int error = native;                                                                            \
    if (preload_is_communicator(comm)) {                                                           \
        strata_native_first_done(strata_process(), comm, error);                                   \
    }                                                                                              \
    if (begin > 0 && error == MPI_SUCCESS) {                                                       \
        strata_explain_first_call(&strata_process_here, collective, begin);                        \
    }                                                                                              \
    return error

#endif
