/* A call on its way, with everything that strata_dispatch has found out so far. */
#ifndef STRATA_API_CALL_CALL_H
#define STRATA_API_CALL_CALL_H

#include "api/attach/state.h"
#include "api/call/bind.h"
#include "api/call/signature.h"

struct strata_bound_call;

struct strata_call {
    struct strata_process *process;
    struct strata_signature *signature;
    struct strata_state *state;
    struct strata_selection_entry *entry; /* NULL, or without a plan: MPI's own serves the call */
    const char *why;                      /* why no entry was looked for */
    struct strata_bound_call *bound;      /* NULL: native MPI serves the call */
    struct strata_binding *binding;       /* the bound call's; NULL likewise */
    struct strata_execution *x;           /* the bound call's; NULL likewise */
    bool counted;                         /* strata_attach has counted it */
    bool failed;                          /* MPI's own raised an error, whatever it returned */
    bool refused;                         /* MPI refused the arguments to its own */
    bool moving;                          /* requests move during MPI's own, on all ranks */
    bool judged;                          /* one buffer on both sides was taken as in place */
    bool quiet;                           /* its errors are not the program's, so none is raised */
};

/* Calls with the same entry, by the counts of one side. */
struct strata_count_range {
    bool taken;        /* the counts are of the side that receives */
    MPI_Datatype type; /* the datatype of that side */
    int least;         /* the smallest count */
    uint64_t more;     /* how much larger a count may be */
};

/* api/call/execute.c: strata_raise for this call; returns code. */
int strata_call_raise(const struct strata_call *c, int code, const char *text);

/* Raises MPI_ERR_UNSUPPORTED_OPERATION for a call of threads that no plan serves, because of `why`;
 * returns it. MPI knows nothing of threads' numbers. */
int strata_call_no_plan(const struct strata_call *c, const char *why);

/* Does the work of a call. Where threads may not call MPI as they like, and the call is by a
 * thread's handle, that thread alone is in a call by it meanwhile, and what it calls by it is a
 * part of this one. Returns an MPI error code, raised already. */
int strata_call_guarded(struct strata_call *c, int (*work)(struct strata_call *c, void *argument),
                        void *argument);

/* Why a call went to MPI's own that cannot attach its communicator, and none did before. */
#define STRATA_UNATTACHED "not attached before a call in which each rank waits for all"

/* Why a call went to MPI's own that a trial times (api/call/trial.h). */
#define STRATA_TIMED_BESIDE "timed beside the plan"

/* Records the communicator's last call for the report. */
static inline void strata_call_last_is(struct strata_state *state,
                                       enum strata_collective collective,
                                       struct strata_selection_entry *entry, const char *why)
{
    state->last = entry;
    state->last_why = why;
    state->last_forced = state->forced >> collective & 1;
    state->missed_bits = false;
}

/* Looks for errors that this rank can see alone, and finds the significant arguments. MPI's own
 * checks calls on intercommunicators. Returns an MPI error code and a text. */
int strata_call_check(struct strata_call *call, const char **text);
/* Finds the key of the call's plan, on an attached communicator; the same on all ranks. Returns an
 * MPI error code, raised already. */
int strata_call_key(struct strata_call *call, struct strata_plan_key *key);

/* Serves a call: all public collectives end here. Returns an MPI error code. */
int strata_dispatch(struct strata_signature *signature);

#endif
