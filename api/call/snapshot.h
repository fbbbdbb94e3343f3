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

/* The rest of strata_snapshot_same_call. */
bool strata_snapshot_same_rest(const struct strata_signature *own,
                               const struct strata_signature *call, bool checked);

/* Whether the side has the count of `own`. Counts of an array, one of which is a reduce_scatter's
 * own count, are compared with the arrays. */
static inline bool strata_snapshot_same_count(const struct strata_side *own,
                                              const struct strata_side *call)
{
    return own->part == STRATA_NONE || strata_side_has_counts(call) || own->count == call->count;
}

/* Whether `call` has the arguments of `own`, wherever arrays lie. The communicator and buffers must
 * be the same; where `call` was checked, they may differ. Root and counts come first, for most
 * calls differ in them. */
static inline bool strata_snapshot_same_call(const struct strata_signature *own,
                                             const struct strata_signature *call, bool checked)
{
    return own->root == call->root && strata_snapshot_same_count(&own->recv, &call->recv) &&
           strata_snapshot_same_count(&own->send, &call->send) &&
           strata_snapshot_same_rest(own, call, checked);
}

#endif
