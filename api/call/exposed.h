/* Whether the blocks that the ranks of a node expose to each other lie in mapped memory
 * (strata_alloc). Each rank knows this only of its own side. So where the choice of a plan depends
 * on it, the ranks tell each other when they make the plan. This agreement stays in step, whatever
 * arguments each rank gives. */
#ifndef STRATA_API_CALL_EXPOSED_H
#define STRATA_API_CALL_EXPOSED_H

#include "api/attach/group.h"
#include "api/call/signature.h"

/* is[0]: this rank exposes mapped memory; is[1]: it exposes other memory. The significant sides of
 * its own `call` are known. */
void strata_exposed_tell(const struct strata_group *group, const struct strata_signature *call,
                         int is[2]);
/* *mapped: some rank exposes blocks in this call, and all such ranks have mapped memory. Collective
 * over the group. Returns an error. */
int strata_exposed_agree(struct strata_group *group, const struct strata_signature *call,
                         bool *mapped);

#endif
