/* STRATA_EXPLAIN: notes what served this rank's calls, why, and how long it took, for a report in
 * MPI_Finalize. Explained calls are not remembered, so each one goes through strata_dispatch. */
#ifndef STRATA_API_CALL_EXPLAIN_H
#define STRATA_API_CALL_EXPLAIN_H

#include "api/call/call.h"
#include "api/call/expected.h"

/* Notes a finished call, with the time when it began and its waiting. Local. */
void strata_explain_call(const struct strata_call *call, double begin,
                         const struct strata_wait_tally *tally);
/* Makes the communicator's record before its first nonblocking call, if calls are explained. */
void strata_explain_meet(struct strata_process *process, struct strata_state *state);
/* Notes a nonblocking call that began, in a bucket of bytes. Under strata_states_lock. */
void strata_explain_started(const struct strata_call *call, enum strata_expected_form form,
                            int bucket);
/* The time before a call that MPI's own serves on a communicator without a state; 0: calls are not
 * explained. */
double strata_explain_first_begin(const struct strata_process *process);
/* Notes such a call when it is over, with the time when it began. */
void strata_explain_first_call(struct strata_process *process, enum strata_collective collective,
                               double begin);

/* The bucket of the call's block, or vector; where blocks differ, of the mean block. */
int strata_explained_bucket(const struct strata_signature *signature);
/* The class of the call; NULL without memory. */
struct strata_explained *strata_explained_class(struct strata_explained_communicator *communicator,
                                                const struct strata_call *call,
                                                enum strata_expected_form form, int bucket);

#endif
