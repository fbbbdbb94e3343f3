/* The trial of a plan: early calls of one kind are made by the plan and by MPI's own collective, in
 * turn, and timed. Where MPI's own is clearly faster it serves such calls from then on. Costs know
 * nothing of the algorithms that an MPI has, nor of the libraries that it is told to use.
 *
 * A survey of a few calls ends most trials. The series after it has four parts: plan, MPI's own,
 * plan, MPI's own. MPI's own has to win both pairs. The ranks agree on all times: at once where
 * each rank waits for all anyway, else they tell each other and look some calls later. So every
 * rank makes the same calls by the same means.
 *
 * Reductions have no trial. The two ways may round differently, and calls with the same data should
 * give the same bits. */
#ifndef STRATA_API_CALL_TRIAL_H
#define STRATA_API_CALL_TRIAL_H

#include "api/attach/group.h"
#include "api/call/call.h"

static inline bool strata_trial_goes_on(const struct strata_selection_entry *entry)
{
    return entry->trial.stage != STRATA_TRIAL_OVER;
}

/* Begins the trial of a new entry's plan, if it should have one; the same on all ranks. */
void strata_trial_prepare(const struct strata_group *group, struct strata_selection_entry *entry);
/* Makes a call whose entry is on trial, by its plan or as `native` makes it. Returns an MPI error
 * code, raised already. */
int strata_trial_run(struct strata_call *c, int (*native)(struct strata_call *c));

#endif
