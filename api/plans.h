/* Which plan a call runs: selected by size, built once, kept by the group state. */
#ifndef STRATA_API_PLANS_H
#define STRATA_API_PLANS_H

#include "api/group.h"

struct strata_process;

/* The entry for blocks of about `bytes` bytes, a figure that all ranks hold alike. Where it is not
 * there yet it is made collectively over the group. An entry without a plan, or *entry NULL (no
 * memory on some rank), means MPI's own collective. STRATA_ERR_PLAN, alike on all ranks, when a
 * plan is not correct. */
int strata_plans_find(struct strata_group *group, enum strata_collective collective, double bytes,
                      const struct strata_selection_entry **entry, struct strata_message *message);
void strata_entries_destroy(struct strata_selection_entry *first);

/* Says what is wrong with STRATA_ALLTOALLV and the like, STRATA_TOPO and STRATA_MACHINE. */
void strata_choices_check(const struct strata_process *process, strata_complain *complain);
/* Reads them for the group; what is wrong takes its default. STRATA_OK or STRATA_ERR_MEMORY. */
int strata_choices_read(struct strata_group *group);

#endif
