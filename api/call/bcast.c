#include "api/call/signature.h"
#include "include/strata.h"

int strata_bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm)
{
    struct strata_signature signature = {
        .collective = STRATA_BCAST,
        .comm = comm,
        .recv = {.buffer = buffer, .count = count, .type = datatype},
        .root = root,
    };
    return strata_dispatch(&signature);
}
