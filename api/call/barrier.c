#include "api/call/signature.h"
#include "include/strata.h"

int strata_barrier(MPI_Comm comm)
{
    struct strata_signature signature = {.collective = STRATA_BARRIER, .comm = comm};

    return strata_dispatch(&signature);
}
