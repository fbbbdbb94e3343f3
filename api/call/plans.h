/* Which plan a call runs: selected by size, built once, kept by the group state. */
#ifndef STRATA_API_CALL_PLANS_H
#define STRATA_API_CALL_PLANS_H

#include "api/attach/group.h"
#include "api/call/signature.h"

/* The entry for a key, of that call (NULL: none was made yet, on no rank). Where it is not there
 * yet it is made collectively over the group, and where the table is full the one longest unused
 * makes room: all ranks make the same calls, so they keep the same entries. An entry without a
 * plan, or *entry NULL (no memory on some rank), means MPI's own collective. STRATA_ERR_PLAN,
 * alike on all ranks, when a plan is not correct. */
int strata_plans_find(struct strata_group *group, const struct strata_plan_key *key,
                      const struct strata_signature *call, struct strata_selection_entry **entry,
                      struct strata_diagnostic *message);

/* The same of a call that does not block, in a table of its communicator's own. Local: a plan
 * follows from what all ranks know, so only this rank can fail, without memory. */
int strata_plans_find_nonblocking(struct strata_group *group, struct strata_plan_table *table,
                                  const struct strata_plan_key *key,
                                  struct strata_selection_entry **entry,
                                  struct strata_diagnostic *message);

#endif
