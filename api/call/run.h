/* A call whose plan is known: bound, run, recorded. */
#ifndef STRATA_API_CALL_RUN_H
#define STRATA_API_CALL_RUN_H

#include "api/call/call.h"

/* Adds what one did to a sum. */
void strata_call_count(struct strata_traffic_count *sum, const struct strata_traffic_count *one);

/* The scratch that x needs. */
size_t strata_call_scratch_bytes(struct strata_execution *x);
/* Gives x so much scratch; and runs it. Return MPI error codes, raised already; where this rank
 * could not go on it has declined. */
int strata_call_scratch(struct strata_call *c, struct strata_execution *x, size_t bytes);
int strata_call_execute(struct strata_call *c, struct strata_execution *x, size_t scratch);
/* Runs the call's own execution, which is bound and needs as much scratch as its prepared call
 * says; by the tape where that serves, which else learns from it. */
int strata_call_execute_bound(struct strata_call *c);

/* Instead of running x, by a rank that cannot: the members of its node are told, and its later
 * calls return MPI_ERR_OTHER, for the others go on without it. Raises code and returns it. */
int strata_call_decline(struct strata_call *c, struct strata_execution *x, int code,
                        const char *text);

/* In place of a run, in all calls of a rank that is out of step. Returns an MPI error code, raised
 * already. */
int strata_call_refuse(struct strata_call *c);

/* A call that is bound, holds no memory of its own, and knows all lengths. Likewise. */
int strata_call_run_again(struct strata_call *c);

/* Binds and runs the plan of the call's entry. Returns an MPI error code, raised already. */
int strata_call_run(struct strata_call *c);
/* Where STRATA_EXPLAIN asks for it: does the work, and notes what it took. */
int strata_call_explained(struct strata_call *c, int (*work)(struct strata_call *c));

/* Notes that the call's entry, or MPI's own, serves it, and why. */
void strata_call_note(struct strata_call *c);

#endif
