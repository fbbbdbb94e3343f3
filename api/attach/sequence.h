/* Where a communicator's calls that do not block have their messages and plans.
 *
 * A group state has one sequence: tags, plans, and numbers of calls, which follow from the order of
 * its communicator's calls.
 * Calls of a sequence go on beside each other, in places that they take in turn: a call whose place
 * has an older one waits for it, so that no two that are open have a tag in common. */
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

/* The part of the node's memory that is a sequence's own: node memories, each with rings and a
 * landing. The calls that use them take the node memories in turn, a persistent one in its first
 * start and for good, and in each node memory their epochs in their own order. So as many may be
 * open as there are node memories, and each node memory's epochs follow each other. */
struct strata_sequence_memories {
    bool tried;
    unsigned count; /* as many as all nodes have; 0: none are taken */
    uint64_t region;
    unsigned next; /* of the next call that has none */
    struct strata_node_memory memory[STRATA_SEQUENCE_MEMORIES];
    const struct strata_request *open[STRATA_SEQUENCE_MEMORIES]; /* NULL: none is */
};

struct strata_sequence {
    struct strata_group *group; /* NULL until it is equipped */
    struct strata_state *state; /* NULL: its communicator was freed or detached; looked at, and what
                                   is in it, between strata_states_lock and unlock */
    char name[MPI_MAX_OBJECT_NAME]; /* of the communicator, which may be gone: STRATA_STALL's */
    int requests;                   /* that are there, open or not */
    atomic_bool broken;             /* a call failed here, so this rank is out of step for good */
    struct strata_plan_table plans;
    struct strata_sequence_memories memories;
    struct strata_waiter waiter; /* for one that waits for a request alone */

    uint64_t started, begun;           /* calls; those that have begun their plans */
    uint64_t oldest;                   /* no call before this one is open */
    struct strata_traffic_count count; /* of those that are over, for this communicator */
    int depth;                         /* the most calls that may be open; a power of two */
    struct strata_request *at[STRATA_SEQUENCE_DEPTH]; /* the open ones that have begun */
    struct strata_transport_mpi transport[STRATA_SEQUENCE_DEPTH];

    struct strata_bound_calls kept; /* that are over: api/request/kept_requests.c */
};

/* NULL without memory. */
struct strata_sequence *strata_sequence_create(void);
void strata_sequence_destroy(
    struct strata_sequence *sequence); /* no request is there; accepts NULL */
/* For calls of that group, which is complete. */
void strata_sequence_equip(struct strata_sequence *sequence, struct strata_group *group);

/* Gives the state, whose group is set, the group's sequence, which is in use on no rank. On
 * simulated clusters, where whoever looks for messages blocks, there is none. */
void strata_sequence_open(struct strata_process *process, struct strata_state *state);
/* The state's communicator is gone; its calls go on. Calls no MPI function. */
void strata_sequence_close(struct strata_process *process, struct strata_state *state);

/* api/attach/sequence_memory.c. Collective over the group, in the order of its calls that block:
 * asks for the sequence's node memories, once, and takes them where all nodes have some.
 * STRATA_ERR_TRANSPORT, alike on all ranks, where MPI failed one of them: then there are none, and
 * they may be asked for again. */
int strata_sequence_take_memories(struct strata_sequence *sequence);
/* strata_agree in that order. A rank that MPI fails knows less than the others, who go on: it is
 * out of step. */
int strata_sequence_agree(struct strata_sequence *sequence, void *words, int count,
                          MPI_Datatype type, MPI_Op op);
/* This rank is out of step, and says so in each node memory from the next epoch on that no open
 * call has. */
void strata_sequence_break(struct strata_sequence *sequence);
/* Whether a local peer says so, in that node memory, or, where a call uses none, in any. */
bool strata_sequence_lost(const struct strata_sequence *sequence,
                          const struct strata_node_memory *memory);
void strata_sequence_drop_memories(struct strata_sequence *sequence);

/* Nothing is read because of it: so its order does not matter, and threads may look without a
 * lock. */
static inline bool strata_sequence_broken(const struct strata_sequence *sequence)
{
    return atomic_load_explicit(&sequence->broken, memory_order_relaxed);
}

/* Where the open call of that number is, or will be. */
static inline unsigned strata_sequence_index(const struct strata_sequence *sequence,
                                             uint64_t number)
{
    return (unsigned)number & (unsigned)(sequence->depth - 1);
}

/* One request more; or less. */
void strata_sequence_hold(struct strata_process *process, struct strata_sequence *sequence);
void strata_sequence_drop(struct strata_process *process, struct strata_sequence *sequence);

/* api/attach/lock.c. Whoever looks at what is under way, or at a sequence, holds the lock. */
void strata_requests_lock(void);
bool strata_requests_try_lock(void); /* false: somebody has it, maybe this thread itself */
void strata_requests_unlock(void);
/* Lets go of the lock until strata_requests_wake, also under the lock, is called. */
void strata_requests_sleep(void);
void strata_requests_wake(void);

#endif
