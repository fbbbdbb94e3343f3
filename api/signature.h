/* A collective call as the user made it: one struct in place of ten arguments. */
#ifndef STRATA_API_SIGNATURE_H
#define STRATA_API_SIGNATURE_H

#include <mpi.h>
#include <stdbool.h>

#include "core/plan.h"

/* One side's buffer. Uniform collectives have counts and displs NULL and use count. */
struct strata_side {
    void *buffer;
    int count;
    const int *counts, *displs;
    MPI_Datatype type;
};

struct strata_signature {
    enum strata_collective collective;
    MPI_Comm comm;
    struct strata_side send, recv;
    bool in_place; /* the send side is to be ignored */
};

/* The public calls end here: api/dispatch.c. Returns an MPI error code. */
int strata_dispatch(struct strata_signature *signature);

/* The same call by MPI's own collective (always its PMPI entry). */
int strata_native_call(const struct strata_signature *signature);

#endif
