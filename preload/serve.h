/* How the preload library serves a collective of a program that does not know of Strata. */
#ifndef STRATA_PRELOAD_SERVE_H
#define STRATA_PRELOAD_SERVE_H

#include "api/attach/state.h"
#include "api/call/explain.h"
#include "api/life/life.h"
#include "core/base/seldom.h"
#include "internode/mpi/traits_mpi.h"

/* Whether the communicator's state is the one found last. */
static inline bool preload_finds(MPI_Comm comm)
{
    return strata_state_is_found(comm, strata_changes_now(&strata_process_here));
}

/* Whether MPI's own serves all calls of the collective, by the state found last. Nobody sees that
 * Strata does not count them: the bit is set only where calls are not explained. */
static inline bool preload_passes(enum strata_collective collective)
{
    return strata_found_state.state->native >> collective & 1;
}

/* Whether Strata serves the call, once the communicator's state is found. */
static inline bool preload_serves(MPI_Comm comm)
{
    return strata_mpi_is_communicator(comm) && !strata_native_first(strata_process(), comm);
}

/* Whether strata_heard must follow MPI's own. */
static inline bool preload_hears(MPI_Comm comm)
{
    const struct strata_process *process =
        strata_mpi_is_communicator(comm) ? strata_process() : NULL;
    return process && strata_hears(process, comm);
}

/* SERVE(collective, served, name, parameters, arguments): defines MPI's function `name`. Where the
 * communicator's state is the one found last, it is a jump to another function, with the arguments
 * where they are. So a call that is passed on takes ten instructions. What needs more registers
 * stands in a function of its own: on another communicator `served` serves the call, or else MPI's
 * own does, as a communicator's first call. */
#define SERVE(collective, served, name, parameters, arguments)                                     \
    static STRATA_SELDOM int elsewhere_##name parameters                                           \
    {                                                                                              \
        if (preload_serves(comm)) {                                                                \
            return served arguments;                                                               \
        }                                                                                          \
        double begin = strata_explain_first_begin(&strata_process_here);                           \
        const bool hears = preload_hears(comm);                                                    \
        int error = P##name arguments;                                                             \
        if (strata_mpi_is_communicator(comm)) {                                                    \
            strata_native_first_done(strata_process(), comm, error);                               \
        }                                                                                          \
        if (begin > 0 && error == MPI_SUCCESS) {                                                   \
            strata_explain_first_call(&strata_process_here, collective, begin);                    \
        }                                                                                          \
        return hears ? strata_heard(comm, error) : error;                                          \
    }                                                                                              \
    STRATA_PUBLIC int name parameters                                                              \
    {                                                                                              \
        if (!preload_finds(comm)) {                                                                \
            return elsewhere_##name arguments;                                                     \
        }                                                                                          \
        return preload_passes(collective) ? P##name arguments : served arguments;                  \
    }

#endif
