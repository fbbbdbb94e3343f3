/* A call that goes on by itself: what the program holds of it, and what moves it. */
#ifndef STRATA_API_REQUEST_REQUEST_H
#define STRATA_API_REQUEST_REQUEST_H

#include <stdatomic.h>

#include "api/attach/sequence.h"
#include "api/call/bound_call.h"

enum strata_request_phase {
    STRATA_REQUEST_INACTIVE,
    STRATA_REQUEST_QUEUED,  /* its place is taken by an older call of the sequence */
    STRATA_REQUEST_RUNNING, /* its plan */
    STRATA_REQUEST_NATIVE,  /* MPI's own */
    STRATA_REQUEST_COMPLETE
};

/* A bound call that is started, and what its start needs besides. All that it reads lies in here,
 * but for the program's buffers and operators. */
struct strata_request {
    struct strata_bound_call bound;      /* its scratch, arrays and derived types are its own */
    struct strata_request *next, **link; /* of those that are under way; link NULL: it is not */
    atomic_int phase;                    /* enum strata_request_phase */
    bool persistent;
    bool again;  /* the next call like it may have it when it is over */
    bool agreed; /* all ranks agree on what becomes of it: one without memory is not out of step */
    MPI_Datatype *types;
    int ntypes;
    int bucket; /* of its bytes, where calls are explained */

    struct strata_sequence *sequence; /* NULL: native MPI serves it */
    MPI_Request native;               /* the native call's, where native MPI serves it */
    unsigned choices;                 /* the state's, when its entry was looked for */

    uint64_t number;       /* of the sequence's calls */
    bool has_memory;       /* it has begun, and uses a node memory of the sequence */
    unsigned memory_index; /* which one */
    struct strata_still still;
    size_t *lengths; /* [ranks] gatherv, scatterv: of all blocks, told beforehand; or NULL */

    int code;         /* an MPI error code, when it is complete */
    const char *text; /* what `code` says of it */
};

/* Threads that do not hold the lock look at it, too: whoever sees it complete sees what it brought,
 * for the acquire pairs with the release of who came to it. */
static inline int strata_request_phase(const struct strata_request *request)
{
    return atomic_load_explicit(&request->phase, memory_order_acquire);
}

static inline void strata_request_enter(struct strata_request *request,
                                        enum strata_request_phase phase)
{
    atomic_store_explicit(&request->phase, phase, memory_order_release);
}

/* The call, checked, with its plan found and bound; inactive. Returns an MPI error code, raised
 * already, and then no request. */
int strata_request_create(const struct strata_signature *call, bool persistent, MPI_Info info,
                          struct strata_request **request);
/* Begins it. Returns an MPI error code, raised already; it is inactive then. */
int strata_request_start(struct strata_request *request);
/* api/request/destroy.c. It is inactive or complete. */
void strata_request_destroy(struct strata_request *request);
/* The same of one that does not count among its sequence's. */
void strata_request_forget(struct strata_request *request);
/* Both, for the calls that do not block. */
int strata_request_begin(const struct strata_signature *call, struct strata_request **request);

/* What a new one is made of: its call, whose sizes all ranks may know by now. */
struct strata_described {
    size_t *lengths; /* as in struct strata_request, which takes them; or NULL */
    double bytes;    /* of a mean block, where `sized` */
    size_t longest;  /* bytes of the longest block, where `sized` */
    bool sized;      /* all ranks know the sizes */
    bool mapped;     /* what ranks expose to each other is: persistent calls know it */
    bool excluded;   /* some rank excludes it from plans: persistent calls know it */
    struct strata_request *request;
    const struct strata_plan_key *key; /* what its plan is for, if it is known already; or NULL */
    struct strata_plan_key measured;
};

/* Why plans serve no call of this communicator, or with this operator, that does not block. NULL:
 * they do. Alike on all ranks, for MPI asks for one operator on all; persistent calls agree. */
const char *strata_request_excluded(const struct strata_call *call);
/* What decides on the plan, which all ranks know alike. Returns an MPI error code, raised
 * already. */
int strata_request_key(struct strata_call *call, const struct strata_described *described,
                       struct strata_plan_key *key);

/* api/request/kept_requests.c: one that was kept, for the call as its arguments are, unchecked;
 * NULL: there is none. The same for a checked call, whose buffers may be others: returns an MPI
 * error code, raised already; then, too, *request becomes NULL. And keeps one that is over, which
 * may be `again`. */
struct strata_request *strata_request_again(const struct strata_signature *call);
int strata_request_like(struct strata_call *call, struct strata_request **request);
void strata_request_keep(struct strata_request *request);
/* Binds it to the buffers of the call, which is like it in all else. Returns an MPI error code,
 * raised already; the request is to be destroyed then. */
int strata_request_rebind(struct strata_request *request, const struct strata_call *call);
/* Makes a tape of it, if that can be, so that its next start goes by it. */
void strata_request_foresee(struct strata_request *request);
/* Whether a start does nothing but follow the tape. */
static inline bool strata_request_is_plain(const struct strata_request *request)
{
    return request->bound.state == STRATA_CALL_TAPED && !request->bound.binding.holds;
}

/* Finds and binds what the call's request runs; with more than its arguments, if that is known.
 * Returns an MPI error code, raised already; the request is to be destroyed then. */
int strata_request_make(struct strata_call *call, struct strata_described *described);
/* A rank without memory is out of step, for the others go on; but where all agree on the request
 * they do not. The second raises that, and returns MPI_ERR_NO_MEM. */
void strata_request_step_out(const struct strata_request *request,
                             struct strata_sequence *sequence);
int strata_request_out_of_memory(const struct strata_request *request,
                                 const struct strata_call *call);

/* api/request/initialise.c. Collective, in the order of calls that block: a persistent call whose
 * check on this rank brought `error`. Returns an MPI error code, raised already, alike whether all
 * ranks have a request now. */
struct strata_checked {
    int error;
    const char *text;
};
int strata_request_initialise(struct strata_call *call, struct strata_checked checked,
                              MPI_Info info, struct strata_request **request);

/* api/request/own.c: makes what the call names the request's own, where it is significant.
 * Returns an MPI error code; strata_request_disown gives it back, in either case. */
int strata_request_own(struct strata_request *request, const struct strata_signature *call);
void strata_request_disown(struct strata_request *request);

/* api/request/start.c: from now on MPI's own calls of the communicator, too, are made so that
 * requests move beside them. On all ranks alike. */
void strata_requests_expect(struct strata_state *state);

/* api/request/complete.c: waits for one that was begun. Returns its MPI error code, which is not
 * raised; it is inactive again. */
int strata_request_end(struct strata_request *request);

/* api/request/move.c. Under the lock: moves all that are under way. */
void strata_requests_advance(void);
/* Without it: begins the request, and moves all; false, and nothing has begun, where its sequence
 * is broken. */
bool strata_requests_start(struct strata_request *request);
/* The same of one that goes by tape and packs nothing, where nothing else is under way; else false,
 * and nothing has begun. */
bool strata_requests_start_taped(struct strata_request *request);
int strata_requests_open(void); /* that are under way */
/* Without the lock: where it is the only one under way, its plan runs, and no other thread may
 * look at it, brings it to its end, as a call that blocks. False: it is under way still. */
bool strata_requests_end_alone(struct strata_request *request);

/* api/request/thread.c. Under the lock: one more is under way, which a thread is to move where
 * STRATA_PROGRESS asks for one. */
void strata_requests_help(const struct strata_request *request);

#endif
