/* The memory that the members of a node share, as the engine sees it: rings of slots, and a
 * landing. intranode/ puts it in an MPI shared window, sim/ in plain memory.
 *
 * The memory of one communicator on one node, from a 128-byte aligned base:
 *   members  for each ring a struct strata_member for each member; the member alone writes it,
 *            except the bells, the answers to its questions, the count of questions, and in
 *            member 0 what a member saw that looked
 *   slots    for each ring members x depth slots of slot_bytes; each begins with its owner's signal
 *   landing  landing_bytes; lane j's table and messages begin at j * strata_lane_bytes(plan)
 *
 * One pass of a plan is an epoch of the plan's ring. Epochs of a ring are counted through a
 * communicator's life, alike on all members. Epoch u uses slot u mod `depth` of each member. A
 * signal lies in the slot that it describes, so a small block travels in the line on which its
 * reader waits. Rings share nothing. The landing belongs to the large ring. docs/slots.md says what
 * a member may overwrite, and when. */
#ifndef STRATA_CORE_ENGINE_NODE_MEMORY_H
#define STRATA_CORE_ENGINE_NODE_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/engine/peer_memory.h"
#include "core/plan/formats.h"
#include "core/plan/plan.h"

/* Bytes of a slot of the small ring, for a KiB of data. */
#define STRATA_SMALL_SLOT (1024 + STRATA_LINE)
/* Bytes of a slot of the middle ring, for 8 KiB of data and the table of exposed blocks. */
#define STRATA_MIDDLE_SLOT (8192 + 2048)

#define STRATA_LEAST_DEPTH 8 /* depth of a small ring for which there is little memory */

/* The greatest depth of a ring: a power of two. */
static inline unsigned strata_ring_depth(enum strata_ring_kind kind)
{
    return kind == STRATA_SMALL_RING ? 64 : kind == STRATA_MIDDLE_RING ? 16 : 2;
}

/* Stands in place of a signal: the member has heard of one that failed in this epoch. */
#define STRATA_SIGNAL_FAILED STRATA_SIGNALS

/* Stamps of a member only grow. A stamp is the signal of an epoch; signal 0 says that the member
 * has left all epochs before that one. So any stamp of an epoch says that the member has left the
 * epoch before. From the lowest bit on a stamp holds the signal, the mark of the call (in a slot's
 * signal), and the epoch, whose bits suffice for more than a year of calls. */
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

/* A call's mark tells it from calls of other collectives and roots. Two calls meet in one epoch
 * only if ranks make their calls in different orders. The mark then keeps a local peer from taking
 * the bytes of one call for those of another. */
static inline uint64_t strata_call_mark(const struct strata_plan *plan)
{
    return (uint64_t)plan->mark << STRATA_SIGNAL_BITS;
}

static inline unsigned strata_stamp_mark(uint64_t stamp)
{
    return (unsigned)(stamp >> STRATA_SIGNAL_BITS) & ((1u << STRATA_MARK_BITS) - 1);
}

struct strata_bell {
    _Atomic uint32_t sleepers; /* members that sleep until the signal is published */
    _Atomic uint32_t rung;     /* the word that they sleep on: it is counted up to wake them */
};

/* A member's question to another that exposes a block to it: copy these bytes of your memory into
 * my slot. Members ask where the system does not let them read the memory. The numbers of questions
 * and answers are stamps. */
struct strata_ask {
    _Alignas(STRATA_CACHE_LINE) _Atomic uint64_t asked; /* the number of the last question */
    _Atomic uint64_t answered; /* the number of the last answer, by the member that was asked */
    uint64_t epoch;            /* the epoch whose slot the bytes go to */
    uint64_t address;          /* where the exposed block lies (struct strata_loan) */
    uint64_t skip;             /* where in the block the bytes begin */
    uint32_t bytes;            /* how many bytes are asked for */
    uint32_t pieces;           /* pieces of the block, as in struct strata_loan */
    _Atomic int64_t member;    /* the member that is asked; others look at it too */
    _Atomic uint64_t asks; /* in member 0: the number of questions that all members have asked */
};

struct strata_member {
    /* A stamp: the member has left all epochs before. */
    _Alignas(STRATA_LINE) _Atomic uint64_t departed;
    /* In member 0: all members had left the epochs before this one when a member looked. Whoever
     * looks writes it. */
    _Atomic uint64_t looked;
    /* The first epoch from which on the member takes no part any more; 0: it takes part in all. A
     * member that waits looks here too, so the field is not on the line that every call writes. */
    _Alignas(STRATA_CACHE_LINE) _Atomic uint64_t broken;
    /* Whether the member's share of the memory was given back: by itself, or after its death by
     * another member. */
    _Atomic uint32_t gone;
    /* When a bell was last rung, in ns. It serves only to measure how long waking takes. */
    _Atomic uint64_t rung_at;
    /* Each signal has a bell of its own, so a member that sleeps until a leader is done is not
     * woken when the leader has arrived. Bell 0 rings when the member has left an epoch. */
    struct strata_bell bell[STRATA_SIGNALS];
    struct strata_ask ask;
};

struct strata_ring;
/* Called after this member has published the stamp. */
typedef void strata_ring_wake(struct strata_ring *ring, uint64_t stamp);

struct strata_ring {
    int members;       /* the node's members */
    int me;            /* this rank among them */
    size_t depth;      /* slots of each member: a power of two */
    size_t depth_mask; /* depth - 1 */
    /* A member says once in leaves + 1 epochs that it has left them; leaves + 1 is a power of two.
     * It is more than 1 in all but the large ring. Otherwise a member that waits for others to
     * leave, and looks, would take the line away from them in each epoch. */
    uint64_t leaves;
    size_t slot_bytes; /* bytes of a slot */
    /* [members] what the members publish; NULL: there is no such ring. */
    struct strata_member *member;
    unsigned char *slots; /* [members * depth] the slots */
    /* The slots' signals. A signal lies where its slot begins, unless signals travel in another way
     * (intranode/signals.h). */
    unsigned char *signals;
    size_t signal_bytes;    /* bytes from one signal to the next */
    uint64_t epoch;         /* the next epoch; equal on all members between calls */
    uint64_t asks;          /* questions that this member has looked at */
    uint64_t all_departed;  /* all members are known to have left the epochs before this one */
    strata_ring_wake *wake; /* called when this member has published a stamp; may be NULL */
};

struct strata_node_memory {
    struct strata_ring ring[STRATA_RINGS];  /* the rings, by enum strata_ring_kind */
    unsigned char *landing;                 /* the landing, behind the slots of all rings */
    size_t landing_bytes;                   /* its size */
    const struct strata_peer_memory *peers; /* NULL: members cannot read each other's memory */
    bool denied; /* the system no longer lets this member read others: it asks them */
};

/* Sizes of the node memory. */
struct strata_node_memory_sizes {
    /* Bytes of a slot of each ring (0: there is no such ring), and of the landing. */
    size_t slot[STRATA_RINGS], landing;
    /* The depth of the small ring; 0: the greatest. */
    unsigned depth;
};

/* The depth of a ring in a node memory of these sizes. */
static inline unsigned strata_ring_depth_of(const struct strata_node_memory_sizes *sizes,
                                            enum strata_ring_kind kind)
{
    return kind == STRATA_SMALL_RING && sizes->depth > 0 ? sizes->depth : strata_ring_depth(kind);
}

/* Bytes of a node memory. */
size_t strata_node_memory_bytes(int members, const struct strata_node_memory_sizes *sizes);
/* Who writes a part: the member of that number, or the members with turns (core/topology) up to
 * that number. */
enum strata_writers { STRATA_WRITES_ALONE, STRATA_WRITE_TURNS_UP_TO };
/* A part of a node memory, behind the last one. */
typedef void strata_node_memory_part(void *context, size_t bytes, int number,
                                     enum strata_writers writers);
/* Visits all parts in the order of their addresses. Of as many equal parts of the landing as there
 * are members, part j is written by the members with turns 0 to j: where a plan's lanes fill the
 * landing, it lies in lane j or, where there are fewer lanes, in a lane before it. */
void strata_node_memory_parts(int members, const struct strata_node_memory_sizes *sizes,
                              strata_node_memory_part *visit, void *context);
/* Points the parts into base, and clears what member `me` publishes. No member may begin a call
 * before all members have done so. */
void strata_node_memory_init(struct strata_node_memory *s, void *base, int members, int me,
                             const struct strata_node_memory_sizes *sizes);

/* Notes that the member's share of the memory is given back. False: that was done before. */
bool strata_node_memory_leave(struct strata_node_memory *s, int member);

/* Sets the wake function of all rings. */
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

/* The member's signal of the epoch. */
static inline _Atomic uint64_t *strata_ring_signal(const struct strata_ring *r, int member,
                                                   uint64_t epoch)
{
    return (_Atomic uint64_t *)(void *)(r->signals +
                                        strata_ring_index(r, member, epoch) * r->signal_bytes);
}

/* Publishes a stamp. The release pairs with the acquire of a member that looks, so that it sees all
 * that was written before. */
static inline void strata_ring_publish(struct strata_ring *r, _Atomic uint64_t *at, uint64_t stamp)
{
    atomic_store_explicit(at, stamp, memory_order_release);
    if (r->wake) {
        r->wake(r, stamp);
    }
}

/* Whether the member no longer takes part in the epoch. */
static inline bool strata_ring_lost(const struct strata_ring *r, int member, uint64_t epoch)
{
    uint64_t from = atomic_load_explicit(&r->member[member].broken, memory_order_acquire);
    return from > 0 && from <= epoch;
}

/* Whether some member is out of step for good. */
bool strata_node_memory_broken(const struct strata_node_memory *s);
/* This member takes no part from each ring's next epoch on, and tells all members that wait for it,
 * now or later. */
void strata_node_memory_break(struct strata_node_memory *s);

#endif
