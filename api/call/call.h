/* A call on its way: what strata_dispatch has found out so far. */
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
    struct strata_selection_entry *entry; /* NULL or without a plan: MPI's own */
    const char *why;                      /* no entry was looked for: for what reason */
    struct strata_bound_call *bound;      /* NULL: native MPI serves the call */
    struct strata_binding *binding;       /* the bound call's; NULL likewise */
    struct strata_execution *x;           /* the bound call's; NULL likewise */
    bool counted;                         /* it came to strata_attach */
    bool quiet;                           /* its errors are not the program's: none is raised */
};

/* Calls that come to one entry: their counts, of one side. */
struct strata_count_range {
    bool taken;        /* of the side that receives */
    MPI_Datatype type; /* of that side */
    int least;         /* the smallest count */
    uint64_t more;     /* how much larger a count may be */
};

/* api/call/execute.c: strata_raise for this call; returns code. */
int strata_call_raise(const struct strata_call *c, int code, const char *text);

/* What the report says of the communicator's last call. */
static inline void strata_call_last_is(struct strata_state *state,
                                       enum strata_collective collective,
                                       struct strata_selection_entry *entry, const char *why)
{
    state->last = entry;
    state->last_why = why;
    state->last_forced = state->forced >> collective & 1;
    state->missed_bits = false;
}

/* Errors that this rank can see by itself; finds what is significant on the way. Intercommunicators
 * are left to MPI's own check. Returns an MPI error code and a text. */
int strata_call_check(struct strata_call *call, const char **text);
/* What decides on the plan of a call whose communicator is attached; alike on all ranks. Returns an
 * MPI error code, raised already. */
int strata_call_key(struct strata_call *call, struct strata_plan_key *key);

/* The public calls end here. Returns an MPI error code. */
int strata_dispatch(struct strata_signature *signature);

#endif
