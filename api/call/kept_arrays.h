/* What a call's arrays held when it was bound, where more was made of them than a plan reads in
 * place: alltoallw's types become blocks of bytes, reduce_scatter's counts say where blocks begin,
 * those of gatherv and scatterv how long the blocks of the work store are. A call whose arrays hold
 * the same may run as that one was bound. */
#ifndef STRATA_API_CALL_KEPT_ARRAYS_H
#define STRATA_API_CALL_KEPT_ARRAYS_H

#include "api/call/signature.h"

struct strata_kept_arrays {
    bool all;              /* that counts is kept; else no call is like it */
    unsigned char *arrays; /* what is bound has its arrays here: STRATA_ARRAY_BYTES for each rank */
    unsigned char held[];  /* one array behind another */
};

/* For calls of the collective on so many ranks; NULL: it keeps no arrays, or there is no memory.
 * Then the binding's arrays are the group's. */
struct strata_kept_arrays *strata_kept_arrays_create(enum strata_collective collective, int ranks);
void strata_kept_arrays_destroy(struct strata_kept_arrays *kept); /* accepts NULL */

/* Keeps what they hold; nothing of large ones. */
void strata_keep_arrays(struct strata_kept_arrays *kept, const struct strata_signature *signature);
/* Whether they hold what is kept. The call has the same arguments otherwise. */
bool strata_arrays_kept(const struct strata_kept_arrays *kept,
                        const struct strata_signature *signature);

#endif
