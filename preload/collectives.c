/* MPI's collectives as programs call them that do not know of Strata. */
#include "preload/collectives.h"

#include "api/attach/state.h"
#include "include/strata.h"

/* Fortran's calls and C's end here; C's may be caught by a tool that was loaded before. */
#define SERVE(Name, name, NAME, list)                                                              \
    int strata_preload_##name(list(PARAMETER))                                                     \
    {                                                                                              \
        return strata_left_to_mpi(comm, STRATA_##NAME) ? PMPI_##Name(list(ARGUMENT))               \
                                                       : strata_##name(list(ARGUMENT));            \
    }                                                                                              \
    STRATA_PUBLIC int MPI_##Name(list(PARAMETER)) __attribute__((alias("strata_preload_" #name)));

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
PRELOAD_TABLE(SERVE)
