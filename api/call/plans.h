/* Finds the plan that a call runs: selected by size, built once, kept by the group. */
#ifndef STRATA_API_CALL_PLANS_H
#define STRATA_API_CALL_PLANS_H

#include "api/attach/group.h"
#include "api/call/signature.h"

/* Finds the entry for a key, for this call (NULL: for no call yet, on any rank). A missing entry is
 * made collectively over the group. A full table drops the entry that was unused for longest; all
 * ranks make the same calls, so they keep the same entries. An entry without a plan, or *entry NULL
 * (a rank has no memory): MPI's own serves the call. STRATA_ERR_PLAN, the same on all ranks: a plan
 * is not correct. */
int strata_plans_find(struct strata_group *group, const struct strata_plan_key *key,
                      const struct strata_signature *call, struct strata_selection_entry **entry,
                      struct strata_diagnostic *message);

/* Finds the entry of a nonblocking or persistent call, in its sequence's table. Local: a plan
 * follows from what all ranks know, so a rank can fail alone, and only for lack of memory. */
int strata_plans_find_nonblocking(struct strata_group *group, struct strata_plan_table *table,
                                  const struct strata_plan_key *key,
                                  struct strata_selection_entry **entry,
                                  struct strata_diagnostic *message);

#endif
