/* What the arrays of a call held: counts, displacements and datatypes of the blocks that lie on
 * this rank. A program may change its arrays as soon as a call is over, or, where the call does
 * not block, as soon as it has begun. */
#ifndef STRATA_API_CALL_SNAPSHOT_H
#define STRATA_API_CALL_SNAPSHOT_H

#include "api/call/signature.h"

/* Bytes that a snapshot takes at most, for each rank. */
#define STRATA_SNAPSHOT_BYTES (2 * (sizeof(MPI_Count) + sizeof(MPI_Aint) + sizeof(void *)))

/* Copies the arrays of a checked call into `room`, which is aligned as malloc does; the signature
 * names the copies from then on. */
void strata_snapshot_take(struct strata_signature *signature, unsigned char *room);
/* Whether the arrays of `call`, which are there, hold what those of `own` hold. */
bool strata_snapshot_same(const struct strata_signature *own, const struct strata_signature *call);

/* Whether a call is what is asked for: of the same arguments, whatever memory arrays lie in. Its
 * communicator and buffers are to be the same, or, where `call` was checked, may be any. */
bool strata_snapshot_same_call(const struct strata_signature *own,
                               const struct strata_signature *call, bool checked);

#endif
