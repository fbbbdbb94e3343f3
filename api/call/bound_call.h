/* A bound call is the one form in which Strata remembers a call: its arguments, what serves it,
 * and everything that a run takes. A blocking call finds a bound call that it is like, or makes
 * one, and runs it. A nonblocking call starts one (api/request/request.h). A persistent call
 * owns one. */
#ifndef STRATA_API_CALL_BOUND_CALL_H
#define STRATA_API_CALL_BOUND_CALL_H

#include "api/attach/bound_calls.h"
#include "api/call/call.h"
#include "api/call/snapshot.h"
#include "core/engine/tape.h"

enum strata_bound_state {
    STRATA_CALL_COLD,    /* its buffers are not laid out */
    STRATA_CALL_BOUND,   /* its buffers are laid out */
    STRATA_CALL_WALKED,  /* its plan was walked once and ended well: the next walk leaves a tape */
    STRATA_CALL_UNTAPED, /* that walk left no tape, so the plan is walked each time */
    STRATA_CALL_TAPED,
    STRATA_CALL_TAPED_LONG /* the same, and some copies are long enough for several threads */
};

static inline bool strata_bound_taped(enum strata_bound_state state)
{
    return state >= STRATA_CALL_TAPED;
}

struct strata_bound_call {
    struct strata_bound_call *next; /* of the same collective */
    enum strata_bound_state state;
    unsigned until;  /* count of changes until which calls like it run as it is bound; 0: none
                        does */
    unsigned passed; /* count of changes until which MPI's own serves calls like it; 0: none is
                        known */
    unsigned known;  /* count of changes when its arguments were checked and right */
    uint64_t used;   /* its entry's last use when another call took the first place of its list */
    bool varies;     /* its blocks differ in length, so it has arrays */
    struct strata_count_range range;   /* the counts of calls that MPI's own serves as it serves
                                          this one */
    struct strata_signature signature; /* as the program made the call, with the program's arrays */
    struct strata_signature own;       /* the same call with the snapshot's arrays */
    struct strata_call call;           /* `own` on its way; it holds its entry */
    unsigned char *arrays;             /* the arrays of the binding and of the snapshot */
    struct strata_tape *tape;
    struct strata_kept_lengths kept; /* lengths of a persistent call's items */
    size_t scratch;                  /* bytes of scratch that a run needs */
    struct strata_binding binding;
    struct strata_execution x;
};

/* Frees everything that the bound call holds. A struct of zeros is a bound call of nothing, and
 * needs no initialisation. */
void strata_bound_fini(struct strata_bound_call *b);

/* Makes the entry's plan serve the call in this group. Lays nothing out. */
void strata_bound_plan(struct strata_bound_call *b, struct strata_group *group,
                       struct strata_selection_entry *entry);
/* Makes room for the call's arrays, if the collective has any. MPI_ERR_NO_MEM: there is no room. */
int strata_bound_find_room(struct strata_bound_call *b, const struct strata_signature *s);
/* Takes over the checked call `s`, with a snapshot of its arrays, for which there is room. */
void strata_bound_ask(struct strata_bound_call *b, const struct strata_signature *s);
/* Lays out the call's buffers. Returns an MPI error code; strata_unbind as for strata_bind. */
int strata_bound_lay_out(struct strata_bound_call *b);
/* Makes a tape of the call's plan, if possible: after a walk that ended well, or before any
 * walk. */
void strata_bound_tape(struct strata_bound_call *b, bool walked);
/* Whether a call with long copies follows its tape. Threads share the copies of a walk only. */
bool strata_bound_follows_long(const struct strata_bound_call *b);
/* Whether the call follows its tape. */
static inline bool strata_bound_follows(const struct strata_bound_call *b)
{
    return b->state == STRATA_CALL_TAPED || strata_bound_follows_long(b);
}

/* Puts the call before all others of its collective. */
void strata_bound_push(struct strata_bound_calls *calls, struct strata_bound_call *b);
/* Takes out the call to which this link points. */
struct strata_bound_call *strata_bound_pop(struct strata_bound_calls *calls,
                                           struct strata_bound_call **link);
/* Puts the call to which this link points before all others of its collective. */
static inline void strata_bound_hit(struct strata_bound_calls *calls,
                                    struct strata_bound_call **link)
{
    if (link != &calls->of[(*link)->own.collective]) {
        strata_bound_push(calls, strata_bound_pop(calls, link));
    }
}
/* The link to the call that was unused for longest, of those with arrays, or of all. NULL: there is
 * none. */
struct strata_bound_call **strata_bound_oldest(struct strata_bound_calls *calls, bool varies);

/* Makes room for one more blocking call of a group. The list is never empty from then on. False:
 * there is no memory. */
bool strata_bound_begin(struct strata_bound_calls *calls);
/* Binds a blocking call whose plan was found. The call goes on as its bound call, which the
 * communicator remembers. Returns an MPI error code; strata_unbind as for strata_bind. */
int strata_bound_prepare(struct strata_call *call);
/* Remembers that MPI's own served this call, and so serves all calls with counts in that range;
 * NULL: later calls are checked. */
void strata_bound_pass(const struct strata_call *call, const struct strata_count_range *range);
/* From now on all calls of the collective are checked. */
void strata_bound_pass_none(struct strata_state *state, enum strata_collective collective);

#endif
