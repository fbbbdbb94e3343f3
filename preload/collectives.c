/* MPI's collectives as programs call them that do not know of Strata. */
#include "preload/collectives.h"

#include "api/attach/state.h"
#include "include/strata.h"

/* Whether the public call is to serve it: its state is at hand, or found. */
static inline bool serves(MPI_Comm comm, enum strata_collective collective)
{
    return strata_state_found(comm, strata_changes_now(&strata_process_here)) ||
           !strata_left_to_mpi(comm, collective);
}

/* Fortran's calls and C's end here; C's may be caught by a tool that was loaded before. */
#define SERVE(Name, name, NAME, list)                                                              \
    int strata_preload_##name(list(PARAMETER))                                                     \
    {                                                                                              \
        return serves(comm, STRATA_##NAME) ? strata_##name(list(ARGUMENT))                         \
                                           : PMPI_##Name(list(ARGUMENT));                          \
    }                                                                                              \
    STRATA_PUBLIC int MPI_##Name(list(PARAMETER)) __attribute__((alias("strata_preload_" #name)));

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
PRELOAD_TABLE(SERVE)

#if MPI_VERSION >= 4
#define SERVE_LARGE(Name, name, NAME, list)                                                        \
    STRATA_PUBLIC int MPI_##Name##_c(list(LARGE));                                                 \
    int MPI_##Name##_c(list(LARGE))                                                                \
    {                                                                                              \
        return serves(comm, STRATA_##NAME) ? strata_##name##_c(list(ARGUMENT))                     \
                                           : PMPI_##Name##_c(list(ARGUMENT));                      \
    }

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
PRELOAD_COUNTED_TABLE(SERVE_LARGE)
#endif
