/* The sides of a signature, from a call's arguments. */
#ifndef STRATA_API_CALL_CALL_SIDES_H
#define STRATA_API_CALL_CALL_SIDES_H

#include "api/call/signature.h"

#define BLOCKS(b, n, t)                                                                            \
    {                                                                                              \
        .form = STRATA_SIDE_EQUAL, .buffer = strata_read_only(b), .count = (n), .type = (t)        \
    }
#define VARYING(b, n, d, t)                                                                        \
    {                                                                                              \
        .form = STRATA_SIDE_VARYING, .buffer = strata_read_only(b), .counts = (n), .displs = (d),  \
        .type = (t)                                                                                \
    }
#define TYPED(b, n, d, t)                                                                          \
    {                                                                                              \
        .form = STRATA_SIDE_TYPED, .buffer = strata_read_only(b), .counts = (n), .displs = (d),    \
        .types = (t)                                                                               \
    }

#endif
