/* The public collectives that do not block. */
#include "api/request/calls.h"
#include "api/request/request.h"
#include "include/strata.h"

#define BEGIN(name, NAME, list, sides)                                                             \
    int strata_i##name(STRATA_LISTED list MPI_Comm comm, struct strata_request **request)          \
    {                                                                                              \
        const struct strata_signature asked = {.collective = STRATA_##NAME, .comm = comm, sides};  \
        return strata_request_begin(&asked, request);                                              \
    }

/* NOLINTNEXTLINE(readability-function-size): the parameters are MPI's */
STRATA_REQUEST_TABLE(BEGIN)
