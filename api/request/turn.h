/* A request's turn in its sequence: its place there, and its room of the node's memory. Whoever
 * looks at that holds the lock. */
#ifndef STRATA_API_REQUEST_TURN_H
#define STRATA_API_REQUEST_TURN_H

#include "api/request/request.h"

static inline struct strata_request **strata_turn_place(const struct strata_request *r)
{
    return &r->sequence->at[strata_sequence_place(r->sequence, r->number)];
}

/* It stays open: no call takes its place, nor one that uses the node's memory its room. */
static inline void strata_turn_hold(struct strata_request *r)
{
    *strata_turn_place(r) = r;
    if (r->bound.x.memory) {
        r->sequence->rooms.open[r->room] = r;
    }
    strata_request_enter(r, STRATA_REQUEST_RUNNING);
}

static inline void strata_turn_find_oldest(struct strata_sequence *s)
{
    while (s->oldest < s->begun && !s->at[strata_sequence_place(s, s->oldest)]) {
        s->oldest++;
    }
}

static inline void strata_turn_end(struct strata_request *r)
{
    *strata_turn_place(r) = NULL;
    strata_turn_find_oldest(r->sequence);
    if (r->bound.x.memory) {
        r->sequence->rooms.open[r->room] = NULL;
    }
}

/* No call overtakes another of its communicator; and one that uses the node's memory waits until
 * the one before it in its room is over here. */
static inline bool strata_turn_has_come(const struct strata_request *r)
{
    const struct strata_sequence *s = r->sequence;
    unsigned room = r->has_room ? r->room : s->rooms.next;

    return r->number == s->begun && r->number - s->oldest < (uint64_t)s->places &&
           !(r->bound.x.memory && s->rooms.open[room]);
}

/* In the order of the sequence's calls, so it is the same on all members. A persistent call keeps
 * the room of its first start: what it comes back to is in the cache. */
static inline void strata_turn_take_room(struct strata_request *r)
{
    struct strata_sequence_rooms *rooms = &r->sequence->rooms;

    if (!r->has_room) {
        r->has_room = true;
        r->room = rooms->next;
        r->bound.x.memory = &rooms->memory[r->room];
        rooms->next = r->room + 1 < rooms->count ? r->room + 1 : 0;
    }
}

#endif
