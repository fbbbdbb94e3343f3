/* Runs a plan on real buffers. The same code runs blocking calls, virtual ranks and calls that do
 * not block: strata_engine_advance goes as far as it can and says why it stopped; who waits, and
 * how, is the caller's business (intranode/wait, sim/virtual/virtual, api/request/move). */
#ifndef STRATA_CORE_ENGINE_ENGINE_H
#define STRATA_CORE_ENGINE_ENGINE_H

#include "core/engine/engine_progress.h"
#include "core/engine/kept_lengths.h"
#include "core/engine/layout.h"
#include "core/engine/node_memory.h"
#include "core/engine/operator.h"
#include "core/engine/transport.h"
#include "core/plan/plan.h"

/* Runs body(argument, chunk, chunks) for every chunk; a NULL run means one chunk, in place. */
struct strata_team {
    int threads;        /* how many chunks a step is cut into */
    size_t least_bytes; /* a step that copies or combines less is not shared */
    void (*run)(void (*body)(void *argument, int chunk, int chunks), void *argument, int chunks);
};

/* The figure that all ranks of a call agree on when it is over (plans with lane messages or a
 * staged node; others leave `known` false). Maxima over all ranks. */
struct strata_agreed {
    bool known;       /* the other fields hold */
    uint64_t largest; /* bytes of the largest block sent */
    uint64_t busiest; /* bytes that the busiest rank sent */
};

/* How this rank took what local peers expose: out of memory that is mapped here; read by the
 * system, where it lies in one piece, or in several; or copied by the local peer, which was asked.
 * */
enum strata_way {
    STRATA_WAY_MAPPED,
    STRATA_WAY_READ,
    STRATA_WAY_PIECES,
    STRATA_WAY_ASKED,
    STRATA_WAYS
};

/* What a call did on this rank. */
struct strata_traffic_count {
    uint64_t messages;             /* messages that this rank sent to other nodes */
    uint64_t messages_node;        /* messages that it sent inside its node */
    uint64_t bytes;                /* bytes of the messages to other nodes */
    uint64_t bytes_node;           /* bytes of the messages inside the node */
    uint64_t copied;               /* bytes that went through a copy on this rank */
    uint64_t exposed[STRATA_WAYS]; /* bytes that this rank read of local peers, in each way */
};

#define STRATA_PENDING (-1) /* strata_engine_advance: something must happen first */

struct strata_tape;

struct strata_execution {
    /* What the caller sets before strata_engine_start. */
    const struct strata_plan *plan;      /* what the call does */
    const struct strata_topology *nodes; /* the communicator's: which messages stay inside a node */
    struct strata_layout input;          /* the blocks that this rank has */
    struct strata_layout output;         /* the blocks that it gets */
    bool in_place;                       /* input and output are the same memory */
    struct strata_node_memory *memory;   /* NULL for plans that are not staged */
    const struct strata_transport *transport; /* moves the messages */
    void *transport_self;                     /* the transport's first argument */
    const struct strata_team *team;           /* the threads that share copying; may be NULL */
    unsigned char *scratch; /* strata_engine_scratch bytes of private memory; 16-byte aligned */
    size_t fixed_scratch;   /* strata_engine_fixed_scratch of this plan */
    bool check;             /* items carry the length of every block */
    /* What the plan comes to in this call (core/engine/tape.h); NULL: the plan is walked. The
     * engine sets it to NULL where it leaves it. */
    const struct strata_tape *tape;
    struct strata_kept_lengths *kept; /* NULL: items travel with their lengths */
    /* Plans over blocks: the work store, without base and displs. Its type must be contiguous, or
     * that of a reduction's operands. */
    struct strata_layout work;
    const struct strata_operator *op; /* how a reduction's operands are combined */
    /* The blocks above the threshold that local peers expose in place of the plan's, which has them
     * without bytes: by rank those that leave, and those that come. NULL: neither are any. */
    const struct strata_layout *long_blocks;

    /* Results. */
    struct strata_agreed agreed;       /* the sizes that all ranks agree on */
    struct strata_traffic_count count; /* what the call did on this rank */
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

/* Of one that waits for a member: whether that has come. */
static inline bool strata_engine_come(const struct strata_execution *x)
{
    return atomic_load_explicit(x->pending_at, memory_order_acquire) >= x->pending_stamp ||
           (x->pending_zero && atomic_load_explicit(x->pending_zero, memory_order_acquire) == 0);
}

/* Plans whose blocks go in slices: the layouts of that pass; a caller sets those of pass 0, before
 * it finds how much memory the call takes. Nothing for other plans. */
void strata_engine_slice(struct strata_execution *x, int pass);
/* The engine allocates nothing from here on; its transport may. After an error the node's other
 * members have been told, and advance must not be called. */
int strata_engine_start(struct strata_execution *x);
/* How many requests of each kind a call of the plan has open at most. */
void strata_engine_requests(const struct strata_plan *plan, int requests[STRATA_TRAFFIC_KINDS]);
/* Finds places and lengths as start does, but begins nothing: start follows. Returns what was noted
 * of them. */
int strata_engine_foresee(struct strata_execution *x);
/* Instead of start, by a rank that lacks what it needs, such as scratch: the node's other members
 * are told. Returns the error; the ranks are out of step. */
int strata_engine_decline(struct strata_execution *x, int error);
/* Instead of advance, by a rank that learns that what it waits for will not come. As after an error
 * of advance; returns this one. */
int strata_engine_give_up(struct strata_execution *x, int error);
/* STRATA_OK when the call is complete, STRATA_PENDING, or an error (after which the transport is
 * clean and the node's other members have been told). */
int strata_engine_advance(struct strata_execution *x);
/* Both: start, and advance as far as it goes. Where it cannot start the ranks are out of step, for
 * others go on without this one. */
int strata_engine_begin(struct strata_execution *x);
/* The first element of the work store, once the call has begun; NULL: the plan has none. */
unsigned char *strata_engine_work(const struct strata_execution *x);

#endif
