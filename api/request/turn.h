/* A request's turn in its sequence: its place there, and its node memory. A thread that looks at
 * them holds the lock. */
#ifndef STRATA_API_REQUEST_TURN_H
#define STRATA_API_REQUEST_TURN_H

#include "api/request/request.h"

static inline struct strata_request **strata_turn_place(const struct strata_request *r)
{
    return &r->sequence->at[strata_sequence_index(r->sequence, r->number)];
}

/* Keeps the request open: no other call takes its place or its node memory. */
static inline void strata_turn_hold(struct strata_request *r)
{
    *strata_turn_place(r) = r;
    if (r->bound.x.memory) {
        r->sequence->memories.open[r->memory_index] = r;
    }
    strata_request_enter(r, STRATA_REQUEST_RUNNING);
}

static inline void strata_turn_find_oldest(struct strata_sequence *s)
{
    uint64_t oldest = strata_sequence_oldest(s);
    while (oldest < s->begun && !s->at[strata_sequence_index(s, oldest)]) {
        oldest++;
    }
    strata_sequence_over(s, oldest);
}

static inline void strata_turn_end(struct strata_request *r)
{
    *strata_turn_place(r) = NULL;
    if (r->bound.x.memory) {
        r->sequence->memories.open[r->memory_index] = NULL;
    }
    strata_turn_find_oldest(r->sequence);
}

/* No call overtakes another of its communicator. A call that uses a node memory also waits until
 * the earlier call in that memory is over on this rank. */
static inline bool strata_turn_has_come(const struct strata_request *r)
{
    const struct strata_sequence *s = r->sequence;
    unsigned memory_index = r->has_memory ? r->memory_index : s->memories.next;
    return r->number == s->begun && r->number - strata_sequence_oldest(s) < (uint64_t)s->depth &&
           !(r->bound.x.memory && s->memories.open[memory_index]);
}

/* Calls take node memories in the order of the sequence, so all members take the same. A persistent
 * call keeps the node memory of its first start, which may still be in the cache. */
static inline void strata_turn_take_memory(struct strata_request *r)
{
    struct strata_sequence_memories *memories = &r->sequence->memories;
    if (!r->has_memory) {
        r->has_memory = true;
        r->memory_index = memories->next;
        r->bound.x.memory = &memories->memory[r->memory_index];
        memories->next = r->memory_index + 1 < memories->count ? r->memory_index + 1 : 0;
    }
}

#endif
