/* How the preload library serves a collective of a program that does not know of Strata. */
#ifndef STRATA_PRELOAD_SERVE_H
#define STRATA_PRELOAD_SERVE_H

#include "api/attach/state.h"
#include "api/call/explain.h"
#include "api/life/life.h"
#include "internode/mpi/traits_mpi.h"

/* Whether Strata serves the call: the state was found last, or can be found. */
static inline bool preload_serves(MPI_Comm comm)
{
    return strata_state_found(comm, strata_changes_now(&strata_process_here)) ||
           (strata_mpi_is_communicator(comm) && !strata_native_first(strata_process(), comm));
}

/* Whether strata_heard must follow MPI's own. */
static inline bool preload_hears(MPI_Comm comm)
{
    const struct strata_process *process =
        strata_mpi_is_communicator(comm) ? strata_process() : NULL;
    return process && strata_hears(process, comm);
}

/* The body of a collective. Strata serves it, or else MPI's own does, as a communicator's first
 * call. */
#define SERVE(collective, served, native)                                                          \
    if (preload_serves(comm)) {                                                                    \
        return served;                                                                             \
    }                                                                                              \
    double begin = strata_explain_first_begin(&strata_process_here);                               \
    const bool hears = preload_hears(comm);                                                        \
    int error = native;                                                                            \
    if (strata_mpi_is_communicator(comm)) {                                                        \
        strata_native_first_done(strata_process(), comm, error);                                   \
    }                                                                                              \
    if (begin > 0 && error == MPI_SUCCESS) {                                                       \
        strata_explain_first_call(&strata_process_here, collective, begin);                        \
    }                                                                                              \
    return hears ? strata_heard(comm, error) : error

#endif
