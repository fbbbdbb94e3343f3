/* A bound call: the one form in which a call is remembered. It has what the call was made with,
 * what serves it, and all that running it takes. A call that blocks finds one that it is like, or
 * makes one, and runs it; one that does not block starts it (api/request/request.h); a persistent
 * call has its own. */
#ifndef STRATA_API_CALL_BOUND_CALL_H
#define STRATA_API_CALL_BOUND_CALL_H

#include "api/attach/bound_calls.h"
#include "api/call/call.h"
#include "api/call/snapshot.h"
#include "core/engine/tape.h"

enum strata_bound_state {
    STRATA_CALL_COLD,    /* its buffers are not laid out */
    STRATA_CALL_BOUND,   /* they are */
    STRATA_CALL_WALKED,  /* and its plan was walked and ended well: the next walk leaves a tape */
    STRATA_CALL_UNTAPED, /* or has left none: the plan is walked each time */
    STRATA_CALL_TAPED
};

struct strata_bound_call {
    struct strata_bound_call *next; /* of the same collective */
    enum strata_bound_state state;
    unsigned until; /* the count of changes until which calls like it run as it is bound; 0: none */
    unsigned passed; /* the same of calls that are handed over to MPI's own; 0: this is none */
    unsigned known;  /* the count when its arguments were looked at, and were right */
    bool varies;     /* its blocks differ in length, so it has arrays */
    struct strata_count_range range;   /* of the calls that are handed over with this one */
    struct strata_signature signature; /* as the program made the call, with its arrays */
    struct strata_signature own;       /* the same with the snapshot's arrays */
    struct strata_call call;           /* `own` on its way; its entry is held */
    unsigned char *arrays;             /* the binding's and the snapshot's */
    struct strata_tape *tape;
    struct strata_kept_lengths kept; /* of a persistent call's items */
    size_t scratch;                  /* bytes that it takes */
    struct strata_binding binding;
    struct strata_execution x;
};

/* All zero is a bound call of nothing, and needs no initialisation. Frees what it holds. */
void strata_bound_fini(struct strata_bound_call *b);

/* Makes the entry's plan, in this group, serve the call. Nothing is laid out. */
void strata_bound_plan(struct strata_bound_call *b, struct strata_group *group,
                       struct strata_selection_entry *entry);
/* Room for its arrays, where the collective has any. MPI_ERR_NO_MEM: there is none. */
int strata_bound_find_room(struct strata_bound_call *b, const struct strata_signature *s);
/* Makes `s`, which was checked, what it was called with, and takes a snapshot. There is room. */
void strata_bound_ask(struct strata_bound_call *b, const struct strata_signature *s);
/* Lays out its buffers. Returns an MPI error code; strata_unbind as for strata_bind. */
int strata_bound_lay_out(struct strata_bound_call *b);
/* Makes a tape of its plan, if that can be: after a walk that ended well, or before one. */
void strata_bound_tape(struct strata_bound_call *b, bool walked);

/* Puts it before all others of its collective. */
void strata_bound_push(struct strata_bound_calls *calls, struct strata_bound_call *b);
/* Takes out the one that this link names. */
struct strata_bound_call *strata_bound_pop(struct strata_bound_calls *calls,
                                           struct strata_bound_call **link);
/* The one that this link names comes before all others. */
static inline void strata_bound_hit(struct strata_bound_calls *calls,
                                    struct strata_bound_call **link)
{
    if (link != &calls->of[(*link)->own.collective]) {
        strata_bound_push(calls, strata_bound_pop(calls, link));
    }
}
/* The one longest unused; of those that have arrays, or of all. NULL: there is none. */
struct strata_bound_call **strata_bound_oldest(struct strata_bound_calls *calls, bool varies);

/* Room for one call more of a group's calls that block. Such a list is never empty from then on.
 * False: there is no memory. */
bool strata_bound_begin(struct strata_bound_calls *calls);
/* Binds a call that blocks, whose plan was found: the call goes on as its bound call, which the
 * communicator remembers. Returns an MPI error code; strata_unbind as for strata_bind. */
int strata_bound_prepare(struct strata_call *call);
/* Remembers one that was handed over, and with it all with counts in that range; NULL: what comes
 * after it is to be looked at. */
void strata_bound_pass(const struct strata_call *call, const struct strata_count_range *range);
/* From now on all calls of the collective are looked at. */
void strata_bound_pass_none(struct strata_state *state, enum strata_collective collective);

#endif
