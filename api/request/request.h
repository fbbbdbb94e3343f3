/* A nonblocking or persistent call: the struct behind the program's request, and the functions that
 * move it. */
#ifndef STRATA_API_REQUEST_REQUEST_H
#define STRATA_API_REQUEST_REQUEST_H

#include <stdatomic.h>

#include "api/attach/sequence.h"
#include "api/call/apart.h"
#include "api/call/bound_call.h"
#include "api/process/by_mpi.h"

enum strata_request_phase {
    STRATA_REQUEST_INACTIVE,
    STRATA_REQUEST_QUEUED,  /* an older call of the sequence has the request's place */
    STRATA_REQUEST_RUNNING, /* its plan runs */
    STRATA_REQUEST_NATIVE,  /* MPI's own serves it */
    STRATA_REQUEST_PARTS,   /* it has parts, whose calls are not all over */
    STRATA_REQUEST_COMPLETE
};

/* A bound call that is started on its own, with everything that its start needs. The request owns
 * all that it reads, except for the program's buffers and operators. */
struct strata_request {
    struct strata_bound_call bound; /* the request owns its scratch, arrays and derived types */
    struct strata_request *next, **link; /* in the list of open requests; link NULL: in no list */
    atomic_int phase;                    /* enum strata_request_phase */
    bool persistent;
    bool stays;  /* persistent, and nothing is to be done when a call is over that ended well */
    bool again;  /* when the request is over, the next call like it may take it over */
    bool agreed; /* all ranks agree on the outcome: a rank without memory is not out of step */
    MPI_Datatype *types;
    int ntypes;
    int bucket; /* the bucket of its bytes, where calls are explained */

    struct strata_sequence *sequence; /* NULL: native MPI serves it */
    MPI_Request native;               /* the native call's, where native MPI serves it */
    struct strata_apart *apart;       /* what the native call sends, where it has one memory for
                                         both sides; or NULL */
    unsigned choices;                 /* the state's `choices` when the entry was looked up */

    uint64_t number;       /* of this call in its sequence */
    bool has_memory;       /* the call has begun, and uses a node memory of the sequence */
    unsigned memory_index; /* the index of that node memory */
    struct strata_still still;
    size_t *lengths; /* [ranks] gatherv, scatterv: the lengths of all blocks, known before the
                        start; or NULL */

    struct strata_parts *parts; /* api/request/parts.h: the calls that this request stands for, and
                                   what is above is theirs; NULL: it is a call of its own */

    int code;         /* an MPI error code, when it is complete */
    const char *text; /* the message that goes with `code` */
};

/* Threads that do not hold the lock read the phase, too. The acquire pairs with the release in
 * strata_request_enter, so a thread that sees a complete request also sees what it received. */
static inline int strata_request_phase(const struct strata_request *request)
{
    return atomic_load_explicit(&request->phase, memory_order_acquire);
}

/* Whether the call is one of a thread that may not call MPI as it likes. */
static inline bool strata_request_guarded(const struct strata_request *request)
{
    return request->sequence && request->sequence->group->thread && strata_mpi_guarded();
}

static inline void strata_request_enter(struct strata_request *request,
                                        enum strata_request_phase phase)
{
    atomic_store_explicit(&request->phase, phase, memory_order_release);
}

/* Creates an inactive request: checks the call, finds its plan, and binds it. Returns an MPI error
 * code, raised already; then there is no request. */
int strata_request_create(const struct strata_signature *call, bool persistent, MPI_Info info,
                          struct strata_request **request);
/* Begins the call. Returns an MPI error code, raised already; then the request stays inactive. */
int strata_request_start(struct strata_request *request);
/* Begins MPI's own call of a request that no plan serves. Returns MPI's error code. */
int strata_request_start_native(struct strata_request *request);
/* api/request/destroy.c. The request is inactive or complete. */
void strata_request_destroy(struct strata_request *request);
/* Destroys a request that its sequence does not count. */
void strata_request_forget(struct strata_request *request);
/* Creates and starts the request of a nonblocking call. */
int strata_request_begin(const struct strata_signature *call, struct strata_request **request);

/* What a new request is made of: a call, and what all ranks have found out about it. */
struct strata_described {
    size_t *lengths; /* as in struct strata_request, which takes them over; or NULL */
    double bytes;    /* bytes of a mean block, if `sized` */
    size_t longest;  /* bytes of the longest block, where `sized` */
    int degree;      /* the key's, where `sized` */
    bool sized;      /* all ranks know the sizes */
    bool mapped;     /* persistent calls: the memory that ranks expose to each other is mapped */
    bool excluded;   /* persistent calls: a rank excludes the call from plans */
    struct strata_request *request;
    const struct strata_plan_key *key; /* the key of its plan, if it is known; or NULL */
    struct strata_plan_key measured;
};

/* Why plans serve no nonblocking call on this communicator, or with this operator; NULL: they do.
 * The same on all ranks: MPI requires the same operator on all ranks, and persistent calls agree on
 * it. */
const char *strata_request_excluded(const struct strata_call *call);
/* Finds the key of the plan, which is the same on all ranks. Returns an MPI error code, raised
 * already. */
int strata_request_key(struct strata_call *call, const struct strata_described *described,
                       struct strata_plan_key *key);

/* api/request/kept_requests.c: takes a kept request for a call with these arguments, which need no
 * check. NULL: there is none. */
struct strata_request *strata_request_again(const struct strata_signature *call);
/* Takes a kept request for a checked call, whose buffers may be others; *request becomes NULL where
 * there is none. Returns an MPI error code, raised already; then, too, *request is NULL. */
int strata_request_like(struct strata_call *call, struct strata_request **request);
/* Keeps a finished request that may be used `again`. */
void strata_request_keep(struct strata_request *request);
/* Binds a request to the buffers of a call that equals its own in all else. Returns an MPI error
 * code, raised already; then the request is to be destroyed. */
int strata_request_rebind(struct strata_request *request, const struct strata_call *call);
/* Makes a tape of the plan before a start, if possible, so that the next start follows the tape. */
void strata_request_foresee(struct strata_request *request);
/* Whether a start does nothing but follow the tape. One with long copies asks for helpers, too. */
static inline bool strata_request_is_plain(const struct strata_request *request)
{
    return request->bound.state == STRATA_CALL_TAPED && !request->bound.binding.holds;
}

/* Finds and binds what serves the call's request, with what all ranks have found out. Returns an
 * MPI error code, raised already; then the request is to be destroyed. */
int strata_request_make(struct strata_call *call, struct strata_described *described);
/* This rank has no memory for the request, and is out of step, for the others go on. Where all
 * ranks agree on the request, they do not go on, and this does nothing. */
void strata_request_step_out(const struct strata_request *request,
                             struct strata_sequence *sequence);
/* The same, and raises MPI_ERR_NO_MEM, which it returns. */
int strata_request_out_of_memory(const struct strata_request *request,
                                 const struct strata_call *call);

/* api/request/initialise.c. Collective, in the order of blocking calls: makes the request of a
 * persistent call, for which this rank's check returned `checked`. Returns an MPI error code,
 * raised already: all ranks have a request then, or none has. */
struct strata_checked {
    int error;
    const char *text;
};
int strata_request_initialise(struct strata_call *call, struct strata_checked checked,
                              MPI_Info info, struct strata_request **request);

/* api/request/own.c. Copies the call's significant arguments for the request. Returns an MPI error
 * code. In either case strata_request_disown gives the copies back. */
int strata_request_own(struct strata_request *request, const struct strata_signature *call);
void strata_request_disown(struct strata_request *request);

/* api/request/start.c. From now on MPI's own collectives on the communicator, too, take the form
 * beside which requests move. The same on all ranks. */
void strata_requests_expect(struct strata_state *state);

/* api/request/complete.c. Waits until a request that was begun is complete. Returns its MPI error
 * code, which is not raised. The request is inactive then. */
int strata_request_end(struct strata_request *request);

/* api/request/move.c. Rings when a call is complete of a thread that may not call MPI as it
 * likes. */
extern struct strata_thread_bell strata_requests_bell;
/* Under the lock: moves all open requests. */
void strata_requests_advance(void);
/* Without the lock: begins the request, and moves all. False: its sequence is broken, and nothing
 * has begun. */
bool strata_requests_start(struct strata_request *request);
/* Begins a request that follows its tape and packs nothing, if no other request is open. False:
 * nothing has begun. */
bool strata_requests_start_taped(struct strata_request *request);
int strata_requests_open(void); /* the number of open requests */
/* Without the lock. If the request is the only open one, its plan runs, and no other thread may
 * look at it, this brings it to its end as a blocking call. False: it is still open. */
bool strata_requests_end_alone(struct strata_request *request);

/* api/request/thread.c. Under the lock: another request is open, and a thread moves it if
 * STRATA_PROGRESS asks for one. */
void strata_requests_help(const struct strata_request *request);

#endif
