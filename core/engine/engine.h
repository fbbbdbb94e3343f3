/* Runs a plan on real buffers. The same code runs blocking calls, nonblocking calls and virtual
 * ranks: strata_engine_advance goes as far as it can and says why it stopped. The caller decides
 * who waits, and how (intranode/wait, sim/virtual/virtual, api/request/move). */
#ifndef STRATA_CORE_ENGINE_ENGINE_H
#define STRATA_CORE_ENGINE_ENGINE_H

#include "core/engine/engine_progress.h"
#include "core/engine/kept_lengths.h"
#include "core/engine/layout.h"
#include "core/engine/node_memory.h"
#include "core/engine/operator.h"
#include "core/engine/transport.h"
#include "core/plan/plan.h"

/* Work that threads can share: each chunk is done once, by any thread. */
typedef void strata_chunk_body(void *argument, int chunk, int chunks);

/* The threads that share a rank's copying and combining. */
struct strata_workers {
    size_t least_bytes; /* less is never shared */
    size_t team_bytes;  /* from so many on the threads of a team that a call opens share */
    /* The number of threads that would share so many bytes now or soon, with the caller; 1: it is
     * alone. */
    int (*count)(size_t bytes);
    /* Runs body(argument, chunk, chunks) for every chunk, and returns when all are done. Returns
     * the number of chunks that other threads did. */
    int (*run)(strata_chunk_body *body, void *argument, int chunks);
};

/* The sizes on which all ranks of a call agree when it is over: maxima over all ranks. Plans with
 * lane messages or a staged node find them; others leave `known` false. */
struct strata_agreed {
    bool known;       /* the other fields hold */
    uint64_t largest; /* bytes of the largest block sent */
    uint64_t load;    /* the most of all ranks (core/plan/formats.h) */
};

/* The ways in which this rank reads blocks that local peers expose. */
enum strata_way {
    STRATA_WAY_MAPPED, /* out of memory that is mapped here */
    STRATA_WAY_READ,   /* by the system, from a block in one piece */
    STRATA_WAY_PIECES, /* by the system, from a block in several pieces */
    STRATA_WAY_ASKED,  /* the local peer was asked to copy the bytes */
    STRATA_WAYS
};

/* The work of a call on this rank. */
struct strata_traffic_count {
    uint64_t messages;             /* messages that this rank sent to other nodes */
    uint64_t messages_node;        /* messages that it sent inside its node */
    uint64_t bytes;                /* bytes of the messages to other nodes */
    uint64_t bytes_node;           /* bytes of the messages inside the node */
    uint64_t copied;               /* bytes that went through a copy on this rank */
    uint64_t exposed[STRATA_WAYS]; /* bytes that this rank read of local peers, in each way */
};

/* What threads shared; sums over the runs of an execution, which its caller clears. */
struct strata_shared_count {
    uint64_t sharable; /* bytes in pieces long enough for a team that a call opens */
    uint64_t helped;   /* chunks of work that other threads did */
};

#define STRATA_PENDING (-1) /* strata_engine_advance: the call waits for another rank */

struct strata_tape;

struct strata_execution {
    /* The fields that the caller sets before strata_engine_start. */
    const struct strata_plan *plan;      /* the plan of the call */
    const struct strata_topology *nodes; /* the communicator's: which messages stay inside a node */
    struct strata_layout input;          /* the blocks that this rank has */
    struct strata_layout output;         /* the blocks that it gets */
    bool in_place;                       /* input and output are the same memory */
    struct strata_node_memory *memory;   /* NULL for plans that are not staged */
    const struct strata_transport *transport; /* moves the messages */
    void *transport_self;                     /* the transport's first argument */
    const struct strata_workers *workers;     /* the threads that share copying; may be NULL */
    unsigned char *scratch; /* strata_engine_scratch bytes of private memory; 16-byte aligned */
    size_t fixed_scratch;   /* strata_engine_fixed_scratch of this plan */
    bool check;             /* items carry the length of every block */
    bool by_buckets;        /* ranks chose plans by buckets of lengths */
    /* The tape of the call (core/engine/tape.h); NULL: the plan is walked. The engine sets it to
     * NULL where it leaves the tape. */
    const struct strata_tape *tape;
    struct strata_kept_lengths *kept; /* NULL: items travel with their lengths */
    /* Plans over blocks: the work store, without base and displs. Its type must be contiguous, or
     * be the type of a reduction's operands. */
    struct strata_layout work;
    const struct strata_operator *op; /* how a reduction's operands are combined */
    /* The blocks above the threshold that local peers expose outside the plan, in which they have
     * no bytes: two layouts by rank, of blocks that leave and of blocks that come. NULL: there are
     * none. */
    const struct strata_layout *long_blocks;

    /* Results. */
    struct strata_agreed agreed;       /* the sizes that all ranks agree on */
    struct strata_traffic_count count; /* the work of the call on this rank */
    struct strata_shared_count shared; /* what its threads shared */
    struct strata_diagnostic message;  /* the first error in words */
    bool abandoned;                    /* messages were withdrawn: the ranks are out of step */

    /* Where the call stands. */
    struct strata_cursor cursor; /* the step that is run, or is to be run */
    struct strata_ring *ring;    /* the plan's ring of `memory` */

    /* Why advance returned STRATA_PENDING. */
    int pending_member;     /* the member that the call waits for; -1: it waits for messages */
    int pending_end;        /* the member after the last one that is awaited with it */
    uint64_t pending_stamp; /* the stamp that the member is to publish, or a later one */
    const _Atomic uint64_t *pending_at;   /* where it publishes it */
    const _Atomic uint64_t *pending_zero; /* where it may put 0 instead; NULL: nowhere */

    struct strata_engine_progress progress; /* the engine's own */
};

/* Whether the member has come that a pending execution waits for. */
static inline bool strata_engine_come(const struct strata_execution *x)
{
    return atomic_load_explicit(x->pending_at, memory_order_acquire) >= x->pending_stamp ||
           (x->pending_zero && atomic_load_explicit(x->pending_zero, memory_order_acquire) == 0);
}

/* Sets the layouts of a pass, in plans whose blocks go in slices; does nothing in others. A caller
 * sets the layouts of pass 0 before it finds how much memory the call needs. */
void strata_engine_slice(struct strata_execution *x, int pass);
/* From here on the engine allocates nothing; its transport may. After an error the node's other
 * members have been told, and advance must not be called. */
int strata_engine_start(struct strata_execution *x);
/* The number of requests of each kind that a call of the plan has open at most. */
void strata_engine_requests(const struct strata_plan *plan, int requests[STRATA_TRAFFIC_KINDS]);
/* Finds addresses and lengths as start does, but begins nothing: start follows. Returns the error
 * that was noted, or STRATA_OK. */
int strata_engine_foresee(struct strata_execution *x);
/* Called instead of start by a rank that lacks something, such as scratch. The node's other members
 * are told. Returns the error; the ranks are out of step. */
int strata_engine_decline(struct strata_execution *x, int error);
/* Called instead of advance by a rank that learns that the message or signal it waits for will not
 * come. The effect is the same as after an error of advance; returns the error. */
int strata_engine_give_up(struct strata_execution *x, int error);
/* STRATA_OK when the call is complete, STRATA_PENDING, or an error. After an error the transport is
 * clean and the node's other members have been told. */
int strata_engine_advance(struct strata_execution *x);
/* Starts, and advances as far as possible. If the call cannot start, the ranks are out of step,
 * because others go on without this one. */
int strata_engine_begin(struct strata_execution *x);
/* The first element of the work store, once the call has begun; NULL: the plan has none. */
unsigned char *strata_engine_work(const struct strata_execution *x);

#endif
