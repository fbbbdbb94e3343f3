/* A call on its way: what dispatch has found out so far. */
#ifndef STRATA_API_CALL_CALL_H
#define STRATA_API_CALL_CALL_H

#include "api/attach/state.h"
#include "api/call/bind.h"
#include "api/call/signature.h"

struct strata_call {
    struct strata_process *process;
    struct strata_signature *signature;
    struct strata_state *state;
    struct strata_selection_entry *entry; /* NULL or without a plan: MPI's own */
    const char *why;                      /* no entry was looked for: for what reason */
    struct strata_binding *binding;       /* api/call/run.c's; NULL for MPI's own */
    struct strata_execution *x;
};

/* Binds the buffers and runs entry's plan. Returns an MPI error code, raised already. */
int strata_call_run(struct strata_call *c);

/* Gives x the scratch that it needs, and runs it. Return MPI error codes, raised already. */
int strata_call_scratch(struct strata_call *c, struct strata_execution *x);
int strata_call_execute(struct strata_call *c, struct strata_execution *x);

/* gatherv and scatterv: gives the work store the lengths of the blocks that this rank moves, see
 * api/call/lengths.c. Returns an MPI error code, raised already; in either case the caller releases
 * spare. */
struct strata_lengths {
    bool disagree;        /* what this rank receives goes to spare: MPI_ERR_TRUNCATE */
    unsigned char *spare; /* NULL: none */
};
int strata_lengths_find(struct strata_call *c, struct strata_lengths *found);

/* strata_raise for this call; returns code. */
int strata_call_raise(const struct strata_call *c, int code, const char *text);

/* What all ranks know of this call's sizes goes into the key; or sets why, alike on all ranks.
 * Returns an MPI error code. */
int strata_call_sizes(struct strata_call *c, struct strata_plan_key *key);

#endif
