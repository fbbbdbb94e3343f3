/* What the members of a node share, as the engine sees it: rings of slots, and a landing.
 * intranode/ puts it in an MPI shared window, sim/ in plain memory.
 *
 * Memory of one communicator on one node, from a 128-byte aligned base:
 *   members  for each ring a struct strata_member each, which its member alone writes, but for the
 *            bells
 *   slots    for each ring members x places of slot_bytes; each begins with its owner's signal
 *   landing  landing_bytes; lane j's table and messages begin at j * strata_lane_bytes(plan)
 *
 * One pass of a plan is an epoch of the plan's ring. Epochs of a ring are counted through a
 * communicator's life, alike on all members, and epoch u has place u mod `depth` of the ring. A
 * signal lies in the slot that it speaks of, so a small block travels in the line on which its
 * reader waits. Rings share nothing, and the landing belongs to the large one. What a member may
 * overwrite, and when: docs/slots.md. */
#ifndef STRATA_CORE_ENGINE_NODE_MEMORY_H
#define STRATA_CORE_ENGINE_NODE_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/engine/peer_memory.h"
#include "core/plan/formats.h"
#include "core/plan/plan.h"

#define STRATA_SMALL_SLOT (1024 + STRATA_LINE) /* bytes of a slot of the small ring: for a KiB */
/* and of the middle one: for 8, and what says who exposes */
#define STRATA_MIDDLE_SLOT (8192 + 2048)

#define STRATA_LEAST_DEPTH 8 /* of a small ring for which there is little room */

/* Places of a ring: a power of two, at most as many. */
static inline unsigned strata_ring_depth(enum strata_ring_kind kind)
{
    return kind == STRATA_SMALL_RING ? 64 : kind == STRATA_MIDDLE_RING ? 16 : 2;
}

/* Instead of a signal: the member has heard of one that failed in this epoch. */
#define STRATA_SIGNAL_FAILED STRATA_SIGNALS

/* A stamp of a member's life, which only grows: the signal of an epoch; 0: all epochs before that
 * one were left. So any stamp of an epoch says that the one before was left. From the lowest bit on
 * it holds: the signal, the mark of the call in a slot's signal, the epoch, of which there are more
 * than a year of calls has. */
#define STRATA_SIGNAL_BITS 3

static inline uint64_t strata_stamp(uint64_t epoch, unsigned signal)
{
    return (epoch << (STRATA_SIGNAL_BITS + STRATA_MARK_BITS)) + signal;
}

static inline unsigned strata_stamp_signal(uint64_t stamp)
{
    return (unsigned)(stamp & ((1u << STRATA_SIGNAL_BITS) - 1));
}

static inline uint64_t strata_stamp_epoch(uint64_t stamp)
{
    return stamp >> (STRATA_SIGNAL_BITS + STRATA_MARK_BITS);
}

/* What tells a call from those of other collectives and roots, which only a rank whose calls come
 * in another order has in the same epoch: no local peer takes the bytes of one for another's. */
static inline uint64_t strata_call_mark(const struct strata_plan *plan)
{
    return (uint64_t)plan->mark << STRATA_SIGNAL_BITS;
}

static inline unsigned strata_stamp_mark(uint64_t stamp)
{
    return (unsigned)(stamp >> STRATA_SIGNAL_BITS) & ((1u << STRATA_MARK_BITS) - 1);
}

struct strata_bell {
    _Atomic uint32_t sleepers; /* members asleep until the signal is published */
    _Atomic uint32_t rung;     /* the word that they sleep on: counted up to wake them */
};

/* What a member asks of another that exposes blocks to it: to copy so many bytes of its memory into
 * the slot of the one that asks, which the system does not let read them. Its numbers are stamps.
 * */
struct strata_ask {
    _Alignas(STRATA_CACHE_LINE) _Atomic uint64_t asked; /* the number of the last question */
    _Atomic uint64_t answered; /* the number of the last answer, by the member that was asked */
    uint64_t epoch;            /* the epoch whose slot the bytes go to */
    uint64_t address;          /* where the exposed block lies (struct strata_loan) */
    uint64_t skip;             /* where in the block the bytes begin */
    uint32_t bytes;            /* how many bytes are asked for */
    uint32_t pieces;           /* as in struct strata_loan */
    _Atomic int64_t member;    /* the member that is asked; others look at it, too */
    _Atomic uint64_t asks;     /* of member 0: how many questions all members have asked */
};

struct strata_member {
    _Alignas(STRATA_LINE) _Atomic uint64_t departed; /* a stamp: it has left all epochs before */
    /* Who waits looks here, too, so it is not on the line that is written in each call. */
    _Alignas(STRATA_CACHE_LINE) _Atomic uint64_t broken; /* the first epoch that it takes no part in
                                                            for good; 0: in all */
    _Atomic uint64_t rung_at; /* when a bell was, in ns; only to measure how long waking takes */
    /* Each signal has a bell of its own: who sleeps until a leader is done is not woken when it
     * has arrived. Bell 0 is rung when an epoch was left. */
    struct strata_bell bell[STRATA_SIGNALS];
    struct strata_ask ask;
};

struct strata_ring;
/* After this stamp of mine was published. */
typedef void strata_ring_wake(struct strata_ring *ring, uint64_t stamp);

struct strata_ring {
    int members;       /* the node's members */
    int me;            /* this rank among them */
    size_t depth;      /* slots of each member: a power of two */
    size_t depth_mask; /* places - 1 */
    /* A member says once in leaves + 1 epochs that it has left them. This is a power of two. In all
     * but the large ring it is more than 1: else whoever waits for that, and looks, would take the
     * line away from the member in each epoch. */
    uint64_t leaves;
    size_t slot_bytes;            /* bytes of a slot */
    struct strata_member *member; /* [members] what members publish; NULL: there is no such ring */
    unsigned char *slots;         /* [members * places] */
    /* Each slot's signal. It lies where the slot begins, unless signals travel in another way
     * (intranode/signals.h). */
    unsigned char *signals;
    size_t signal_bytes;    /* from one of them to the next */
    uint64_t epoch;         /* the next epoch; equal on all members between calls */
    uint64_t asks;          /* questions that this member has looked at */
    uint64_t all_departed;  /* all members are known to have left all epochs before this one */
    strata_ring_wake *wake; /* called when this member has published a stamp; may be NULL */
};

struct strata_node_memory {
    struct strata_ring ring[STRATA_RINGS];  /* the rings, by enum strata_ring_kind */
    unsigned char *landing;                 /* the landing, behind the slots of all rings */
    size_t landing_bytes;                   /* its size */
    const struct strata_peer_memory *peers; /* NULL: members cannot read each other's memory */
    bool denied;                            /* the system does not let me any more: I ask */
};

/* Bytes of it: of a slot of each ring (0: there is no such ring), and of the landing. */
struct strata_node_memory_sizes {
    size_t slot[STRATA_RINGS], landing;
    unsigned depth; /* of the small ring; 0: as many as can be */
};

/* Places of a ring there. */
static inline unsigned strata_ring_depth_of(const struct strata_node_memory_sizes *sizes,
                                            enum strata_ring_kind kind)
{
    return kind == STRATA_SMALL_RING && sizes->depth > 0 ? sizes->depth : strata_ring_depth(kind);
}

/* Bytes of the memory above. */
size_t strata_node_memory_bytes(int members, const struct strata_node_memory_sizes *sizes);
/* Points its parts into base, and clears what member `me` publishes: nobody may begin before all
 * members are through. */
void strata_node_memory_init(struct strata_node_memory *s, void *base, int members, int me,
                             const struct strata_node_memory_sizes *sizes);

/* Of all rings. */
static inline void strata_node_memory_wake(struct strata_node_memory *s, strata_ring_wake *wake)
{
    for (int kind = 0; kind < STRATA_RINGS; kind++) {
        s->ring[kind].wake = wake;
    }
}

static inline size_t strata_ring_index(const struct strata_ring *r, int member, uint64_t epoch)
{
    return (size_t)member * r->depth + (epoch & r->depth_mask);
}

static inline unsigned char *strata_ring_slot(const struct strata_ring *r, int member,
                                              uint64_t epoch)
{
    return r->slots + strata_ring_index(r, member, epoch) * r->slot_bytes;
}

/* The member's signal of that epoch. */
static inline _Atomic uint64_t *strata_ring_signal(const struct strata_ring *r, int member,
                                                   uint64_t epoch)
{
    return (_Atomic uint64_t *)(void *)(r->signals +
                                        strata_ring_index(r, member, epoch) * r->signal_bytes);
}

/* Pairs with the acquire of whoever looks: what was written before is seen after. */
static inline void strata_ring_publish(struct strata_ring *r, _Atomic uint64_t *at, uint64_t stamp)
{
    atomic_store_explicit(at, stamp, memory_order_release);
    if (r->wake) {
        r->wake(r, stamp);
    }
}

/* Whether the member takes no part in that epoch any more. */
static inline bool strata_ring_lost(const struct strata_ring *r, int member, uint64_t epoch)
{
    uint64_t from = atomic_load_explicit(&r->member[member].broken, memory_order_acquire);
    return from > 0 && from <= epoch;
}

/* Whether some member is out of step for good. */
bool strata_node_memory_broken(const struct strata_node_memory *s);
/* I take no part from each ring's next epoch on, and so say to those that wait for me, or will. */
void strata_node_memory_break(struct strata_node_memory *s);

#endif
