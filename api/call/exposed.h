/* Whether what the ranks of a node expose to each other in a call lies in memory that they have
 * mapped (strata_alloc). Each rank knows it of its own side only, so they tell each other where a
 * plan is made, if the choice depends on it: by this, which stays in step whatever each calls with.
 * */
#ifndef STRATA_API_CALL_EXPOSED_H
#define STRATA_API_CALL_EXPOSED_H

#include "api/attach/group.h"
#include "api/call/signature.h"

/* Whether this rank exposes mapped memory, and whether other memory; `call` is its own, whose
 * significant sides were found. */
void strata_exposed_tell(const struct strata_group *group, const struct strata_signature *call,
                         int is[2]);
/* Whether all owners of this call have mapped memory, and there is one. Collective over the
 * group. Returns an error. */
int strata_exposed_agree(const struct strata_group *group, const struct strata_signature *call,
                         bool *mapped);

#endif
