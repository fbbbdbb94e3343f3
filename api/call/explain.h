/* STRATA_EXPLAIN: what served this rank's calls, why, and what it took, told in MPI_Finalize. Calls
 * that are explained are not remembered, so each one comes through strata_dispatch. */
#ifndef STRATA_API_CALL_EXPLAIN_H
#define STRATA_API_CALL_EXPLAIN_H

#include "api/call/call.h"
#include "api/call/expected.h"

/* A call that is over: it began then, and waited so. Local. */
void strata_explain_call(const struct strata_call *call, double begin,
                         const struct strata_wait_tally *tally);
/* The communicator, where some are explained, before its first call that does not block; and such a
 * call that began, of that bucket of bytes. The second under strata_states_lock. */
void strata_explain_meet(struct strata_process *process, struct strata_state *state);
void strata_explain_started(const struct strata_call *call, enum strata_expected_form form,
                            int bucket);
/* Before a call by MPI's own on a communicator without a state; 0: none is explained. */
double strata_explain_first_begin(const struct strata_process *process);
/* Such a call that is over: it began then. */
void strata_explain_first_call(struct strata_process *process, enum strata_collective collective,
                               double begin);

/* The bucket of the call's block, or vector; of blocks that differ of the mean. */
int strata_explained_bucket(const struct strata_signature *signature);
/* The class that the call belongs to; NULL without memory. */
struct strata_explained *strata_explained_class(struct strata_explained_communicator *communicator,
                                                const struct strata_call *call,
                                                enum strata_expected_form form, int bucket);

#endif
