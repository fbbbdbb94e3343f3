/* A call's buffers as the engine's layouts. */
#ifndef STRATA_API_BIND_H
#define STRATA_API_BIND_H

#include "api/datatype.h"
#include "api/signature.h"

/* One side. Where its datatype has no map, `packed` is a contiguous copy of all blocks. */
struct strata_bound {
    const struct strata_side *side;
    const struct strata_datatype *datatype;
    struct strata_layout layout;
    unsigned char *packed; /* NULL: the caller's buffer is used as it is */
    int *displs;           /* of the blocks in it, in elements */
};

struct strata_binding {
    MPI_Comm comm; /* private: packs and returns errors */
    int ranks;
    struct strata_bound send, recv; /* in place: only recv is used */
};

/* Returns an MPI error code; strata_unbind frees what is held, in either case. */
int strata_bind(struct strata_process *process, const struct strata_signature *signature,
                struct strata_binding *binding);
/* Takes what was received to the caller's buffer. Returns an MPI error code. */
int strata_deliver(struct strata_binding *binding);
void strata_unbind(struct strata_binding *binding);

#endif
