/* What the calls of one entry of the plan table have in common, filled in once: a call sets only
 * what its arguments say, and one with the arguments of the call before sets nothing. One call at a
 * time uses it, as it does the group's other memory. */
#ifndef STRATA_API_CALL_PREPARED_H
#define STRATA_API_CALL_PREPARED_H

#include "api/call/bind.h"
#include "api/call/kept_arrays.h"
#include "api/process/process.h"
#include "core/engine/engine.h"
#include "core/engine/tape.h"

struct strata_prepared {
    struct strata_signature asked;   /* the last call, as it was bound */
    bool again;                      /* one like it needs not be bound */
    bool varies;                     /* but what its arrays hold is to be looked at: */
    struct strata_kept_arrays *kept; /* whether it is this; NULL: whether its counts are right */
    unsigned changes;                /* until then */
    const void *remembered;          /* by which thread's memory of its last call; NULL: none */
    size_t scratch;                  /* bytes that it took */
    struct strata_tape *tape;        /* NULL: calls of this plan cannot be taped */
    bool fits;                       /* calls that are bound as the last one was fit it */
    bool proved;                     /* the last call that was bound so was right */
    bool taped;                      /* and it serves the next one */
    struct strata_binding binding;
    struct strata_execution x;
};

struct strata_group;

/* What all executions of this plan in the group have in common, but for the operator. */
void strata_execution_equip(struct strata_execution *x, struct strata_group *group,
                            const struct strata_plan *plan);

/* For calls of this plan; NULL without memory. */
struct strata_prepared *strata_prepared_create(struct strata_process *process,
                                               struct strata_group *group,
                                               const struct strata_plan *plan);
void strata_prepared_destroy(struct strata_prepared *prepared); /* accepts NULL */
/* For calls that are bound anew each time: keeps no arrays. */
void strata_prepared_forget_arrays(struct strata_prepared *prepared);

struct strata_call;

/* Binds the call's buffers to a copy of its arguments that stays here. Returns an MPI error code;
 * strata_unbind as for strata_bind. */
int strata_prepare(struct strata_call *call);

/* Finds whether the tape serves the next call, and returns it; that is bound. */
static inline bool strata_prepared_tape(struct strata_prepared *prepared)
{
    prepared->taped = prepared->fits && strata_tape_serves(prepared->tape, &prepared->x);
    return prepared->taped;
}

/* Whether the call is like the last one that was bound here. */
static inline bool strata_prepared_again(const struct strata_prepared *prepared,
                                         const struct strata_process *process,
                                         const struct strata_signature *signature)
{
    return prepared->again && strata_same_arguments(&prepared->asked, signature) &&
           strata_changes_now(process) == prepared->changes;
}

#endif
