/* The sequence of a communicator's nonblocking and persistent calls: their order, tags, plans and
 * node memories.
 *
 * A group has one sequence. A call's number, and so its tag, follows from the order of the
 * communicator's calls. Several calls of a sequence go on at the same time, in places that they
 * take in turn. A call waits while an older one has its place, so no two open calls share a tag. */
#ifndef STRATA_API_ATTACH_SEQUENCE_H
#define STRATA_API_ATTACH_SEQUENCE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "api/attach/group.h"

#define STRATA_SEQUENCE_DEPTH    16
#define STRATA_SEQUENCE_MEMORIES 2 /* at most */

struct strata_state;
struct strata_request;

/* The node memories of a sequence, which are part of the node's memory; each has rings and a
 * landing. A nonblocking call takes the next node memory in turn. A persistent call takes one at
 * its first start and keeps it. In each node memory epochs follow each other in its own order, so
 * one call at most may be open in each. */
struct strata_sequence_memories {
    bool tried;
    unsigned count; /* as many as every node has; 0: none are taken */
    uint64_t region;
    unsigned next; /* for the next call that has no node memory yet */
    struct strata_node_memory memory[STRATA_SEQUENCE_MEMORIES];
    const struct strata_request *open[STRATA_SEQUENCE_MEMORIES]; /* NULL: no open call uses this
                                                                    node memory */
};

struct strata_sequence {
    struct strata_group *group;     /* NULL until the sequence is equipped */
    struct strata_state *state;     /* NULL: the communicator was freed or detached. Threads look
                                       at it, and into it, only between strata_states_lock and
                                       unlock */
    char name[MPI_MAX_OBJECT_NAME]; /* the communicator's, for STRATA_STALL: the communicator may
                                       be gone */
    int requests;                   /* requests that exist, open or not */
    atomic_bool broken;             /* a call failed here, so this rank is out of step for good */
    struct strata_plan_table plans;
    struct strata_sequence_memories memories;
    struct strata_waiter waiter; /* for a thread that waits for one request alone */

    /* Calls that were started; no call before the oldest one is open. Written last. A thread that
     * is a member, and its rank's main thread, look at those of its sequence without the lock. */
    _Atomic uint64_t started, oldest;
    uint64_t begun;                    /* calls whose plans have begun */
    struct strata_traffic_count count; /* traffic of finished calls of this communicator */
    uint64_t helped;                   /* pieces of their work that other threads did */
    int depth;                         /* the most calls that may be open; a power of two */
    struct strata_request *at[STRATA_SEQUENCE_DEPTH]; /* the open calls that have begun, by place */
    struct strata_transport_mpi transport[STRATA_SEQUENCE_DEPTH];

    struct strata_bound_calls kept; /* finished calls: api/request/kept_requests.c */
};

/* NULL without memory. */
struct strata_sequence *strata_sequence_create(void);
void strata_sequence_destroy(
    struct strata_sequence *sequence); /* No request may exist; accepts NULL. */
/* Prepares the sequence for calls of this group, which is complete. */
void strata_sequence_equip(struct strata_sequence *sequence, struct strata_group *group);

/* Gives the state the sequence of its group, which no rank uses now. Simulated clusters have no
 * sequence, for there a rank that looks for messages blocks. */
void strata_sequence_open(struct strata_process *process, struct strata_state *state);
/* The state's communicator is gone; its calls go on. Calls no MPI function. */
void strata_sequence_close(struct strata_process *process, struct strata_state *state);

/* api/attach/sequence_memory.c. Collective over the group, in the order of its blocking calls. Asks
 * once for the sequence's node memories, and takes them where every node has some.
 * STRATA_ERR_TRANSPORT, the same on all ranks: MPI failed a rank. Then there are no node memories,
 * and a later call may ask again. */
int strata_sequence_take_memories(struct strata_sequence *sequence);
/* Takes a region for as many node memories as a sequence may have, or for fewer, up to that part of
 * the arena's largest piece. Returns their number as its status; offsets are never 0. Local. */
struct strata_taken strata_sequence_take_region(const struct strata_group *group, size_t part);
/* The number that every node has taken. */
int64_t strata_sequence_least_taken(const struct strata_group *group);
/* Lays so many node memories out there. No rank uses them before all have laid them out. Local. */
void strata_sequence_move_in(struct strata_sequence *sequence, unsigned count, uint64_t region);
/* As strata_agree, in that order. A rank that MPI fails is out of step: it knows less than the
 * others, who go on. */
int strata_sequence_agree(struct strata_sequence *sequence, void *words, int count,
                          MPI_Datatype type, MPI_Op op);
/* Marks this rank as out of step, and tells the members of its node in each node memory, from the
 * next epoch on that no open call has. The caller has the lock of requests, and may call MPI. */
void strata_sequence_break(struct strata_sequence *sequence);
/* The same for a caller without the lock that may not call MPI at any time. */
void strata_sequence_step_out(struct strata_sequence *sequence);
/* Whether a local peer has told so in this node memory, or, where a call uses none, in any. */
bool strata_sequence_lost(const struct strata_sequence *sequence,
                          const struct strata_node_memory *memory);
void strata_sequence_drop_memories(struct strata_sequence *sequence);

/* Nothing else is read because of the answer, so its order does not matter, and threads may look
 * without a lock. */
static inline bool strata_sequence_broken(const struct strata_sequence *sequence)
{
    return atomic_load_explicit(&sequence->broken, memory_order_relaxed);
}

/* The place of the call with that number, which is open or to come. */
static inline unsigned strata_sequence_index(const struct strata_sequence *sequence,
                                             uint64_t number)
{
    return (unsigned)number & (unsigned)(sequence->depth - 1);
}

static inline uint64_t strata_sequence_started(const struct strata_sequence *sequence)
{
    return atomic_load_explicit(&sequence->started, memory_order_acquire);
}

static inline uint64_t strata_sequence_oldest(const struct strata_sequence *sequence)
{
    return atomic_load_explicit(&sequence->oldest, memory_order_acquire);
}

static inline void strata_sequence_start(struct strata_sequence *sequence, uint64_t number)
{
    atomic_store_explicit(&sequence->started, number + 1, memory_order_release);
}

static inline void strata_sequence_over(struct strata_sequence *sequence, uint64_t oldest)
{
    atomic_store_explicit(&sequence->oldest, oldest, memory_order_release);
}

/* Adds a request; takes one away. */
void strata_sequence_hold(struct strata_process *process, struct strata_sequence *sequence);
void strata_sequence_drop(struct strata_process *process, struct strata_sequence *sequence);

/* api/attach/lock.c. A thread that looks at open requests, or at a sequence, holds this lock. */
void strata_requests_lock(void);
bool strata_requests_try_lock(void); /* false: a thread has it, maybe this one */
void strata_requests_unlock(void);
/* Lets go of the lock until a thread calls strata_requests_wake, with or without the lock. */
void strata_requests_sleep(void);
void strata_requests_wake(void);

#endif
