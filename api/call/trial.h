/* The trial of a choice: early calls of one kind are made by it, by MPI's own collective and by
 * other plans, in turn, and timed. The fastest serves such calls from then on, where it is clearly
 * faster than the choice. Costs know nothing of the algorithms that an MPI has, nor of the
 * libraries that it is told to use, and what they know of a network may be wrong.
 *
 * A survey of a few calls ends most trials. The series after it has four parts: choice, rival,
 * choice, rival. The rival has to win both pairs. The ranks agree on all times: at once where each
 * rank waits for all anyway, else they tell each other and look some calls later. So every rank
 * makes the same calls by the same means.
 *
 * Reductions have a trial only where STRATA_TRIAL says so, or all plans give the same bits. The two
 * ways may round differently, and calls with the same data should give the same bits. */
#ifndef STRATA_API_CALL_TRIAL_H
#define STRATA_API_CALL_TRIAL_H

#include "api/attach/group.h"
#include "api/call/call.h"

static inline bool strata_trial_goes_on(const struct strata_selection_entry *entry)
{
    return entry->trial.stage != STRATA_TRIAL_OVER;
}

/* Counts a call that all ranks count, by an entry that is not on trial. Its trial begins again
 * after thousands of calls: what was the fastest may no longer be. */
static inline void strata_trial_count(struct strata_selection_entry *entry)
{
    if (--entry->left == 0) {
        entry->trial.stage = STRATA_TRIAL_SURVEY;
        entry->asks = true;
    }
}

/* Begins the trial of a new entry's choice, if it should have one; the same on all ranks. */
void strata_trial_prepare(const struct strata_group *group, struct strata_selection_entry *entry);
/* Makes a call whose entry is on trial, by a plan or as `native` makes it. Returns an MPI error
 * code, raised already. */
int strata_trial_run(struct strata_call *c, int (*native)(struct strata_call *c));

#endif
