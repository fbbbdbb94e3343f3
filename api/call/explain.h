/* STRATA_EXPLAIN: what served this rank's calls, why, and what it took, told in MPI_Finalize. Calls
 * that are explained are not remembered, so each one comes through strata_dispatch. */
#ifndef STRATA_API_CALL_EXPLAIN_H
#define STRATA_API_CALL_EXPLAIN_H

#include "api/call/call.h"

/* Seconds of the clock that the tally uses. */
double strata_explain_now(void);
/* Begins, if the configuration asks for it. */
void strata_explain_begin(struct strata_process *process);
/* A call that is over: it began then, and had waited so long before. Local. */
void strata_explain_call(const struct strata_call *call, double begin, double waited);
/* Of all waits of this process so far. */
double strata_explain_waited(const struct strata_process *process);
/* Before a call by MPI's own on a communicator without a state; 0: none is explained. */
double strata_explain_first_begin(const struct strata_process *process);
/* Such a call that is over: it began then. */
void strata_explain_first_call(struct strata_process *process, enum strata_collective collective,
                               double begin);

/* The class that the call belongs to; NULL without memory. */
struct strata_explained *strata_explained_class(struct strata_explained_communicator *communicator,
                                                const struct strata_call *call);

#endif
