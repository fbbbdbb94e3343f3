/* A call on its way: what dispatch has found out so far. */
#ifndef STRATA_API_CALL_H
#define STRATA_API_CALL_H

#include "api/bind.h"
#include "api/signature.h"
#include "api/state.h"

struct strata_call {
    struct strata_process *process;
    struct strata_signature *signature;
    struct strata_state *state;
    const struct strata_selection_entry *entry;
    struct strata_binding binding;
    struct strata_execution x;
};

/* Binds the buffers and runs entry's plan. Returns an MPI error code, raised already. */
int strata_call_run(struct strata_call *c);

/* strata_raise for this call; returns code. */
int strata_call_raise(const struct strata_call *c, int code, const char *text);

#endif
