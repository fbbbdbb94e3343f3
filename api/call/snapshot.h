/* A snapshot holds the contents of a call's arrays: counts, displacements and datatypes of the
 * blocks on this rank. A program may change its arrays as soon as a blocking call is over, or a
 * nonblocking call has begun. */
#ifndef STRATA_API_CALL_SNAPSHOT_H
#define STRATA_API_CALL_SNAPSHOT_H

#include "api/call/signature.h"

/* The most bytes of a snapshot for each rank. */
#define STRATA_SNAPSHOT_BYTES (2 * (sizeof(MPI_Count) + sizeof(MPI_Aint) + sizeof(void *)))

/* Copies the arrays of a checked call into `room`, which is aligned as malloc aligns. The signature
 * names the copies from then on. */
void strata_snapshot_take(struct strata_signature *signature, unsigned char *room);
/* Whether the arrays of `call`, which exist, have the contents of those of `own`. */
bool strata_snapshot_same(const struct strata_signature *own, const struct strata_signature *call);

/* Whether `call` may have the arguments of `own`: a short look that passes most others by. */
static inline bool strata_snapshot_may_be(const struct strata_signature *own,
                                          const struct strata_signature *call)
{
    return own->root == call->root &&
           (own->recv.part == STRATA_NONE || strata_side_has_counts(&call->recv) ||
            own->recv.count == call->recv.count) &&
           (own->send.part == STRATA_NONE || strata_side_has_counts(&call->send) ||
            own->send.count == call->send.count);
}

/* Whether `call` has the arguments of `own`, wherever arrays lie. The communicator and buffers must
 * be the same; where `call` was checked, they may differ. */
bool strata_snapshot_same_call(const struct strata_signature *own,
                               const struct strata_signature *call, bool checked);

#endif
