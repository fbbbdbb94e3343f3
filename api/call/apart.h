/* Exchanges in one memory on this rank, perhaps alone. In place, MPI's own may exchange other
 * messages than ranks that are not in place expect. So this rank sends a copy of its blocks. */
#ifndef STRATA_API_CALL_APART_H
#define STRATA_API_CALL_APART_H

#include "api/call/rehearsal.h"

struct strata_apart {
    struct strata_signature call; /* receives into the program's buffer, and sends the copy */
    struct strata_rehearsal copy;
};

/* Whether MPI's own needs a copy for a call in place: each rank sends each rank a block, and
 * strata_one_memory_judge put the call in place. */
static inline bool strata_apart_due(const struct strata_signature *signature, bool judged)
{
    return judged && signature->in_place && strata_collective_transposes(signature->collective);
}

/* Makes room for the copy of a call in place. The call's arrays and datatypes must stay. NULL:
 * there is no memory, an int cannot count the bytes, or counts are large. */
struct strata_apart *strata_apart_create(const struct strata_signature *signature);
/* Accepts NULL. */
void strata_apart_destroy(struct strata_apart *apart);
/* Copies the blocks as they are now. Returns the call to make with MPI's own. */
const struct strata_signature *strata_apart_copy(struct strata_apart *apart);

/* Makes a call for which a copy is due with MPI's own. The call stays in place where
 * strata_apart_create makes none. Returns what MPI returns. */
int strata_apart_native(const struct strata_signature *signature, bool moving);

#endif
