/* What the members of a node share, as the engine sees it: flags, slots, landing. intranode/ puts
 * it in an MPI shared window, sim/ in plain memory.
 *
 * Memory of one communicator on one node, from a 128-byte aligned base:
 *   flags    members lines of 128 bytes, one writer each
 *   slots    members x 2 halves of slot_bytes; epoch e uses half e mod 2
 *   landing  landing_bytes; lane j's table and messages begin at j * strata_lane_bytes(plan)
 * Why two halves suffice, and one landing: docs/architecture.md, "Slots are reused safely". */
#ifndef STRATA_CORE_ENGINE_NODE_MEMORY_H
#define STRATA_CORE_ENGINE_NODE_MEMORY_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "core/plan/plan.h"

#define STRATA_LINE 128 /* two cache lines: adjacent-line prefetch makes neighbours share */

struct strata_bell {
    _Atomic uint32_t sleepers; /* members asleep until the signal is published */
    _Atomic uint32_t rung;     /* what they sleep on: counted up to wake them */
    _Atomic uint64_t rung_at;  /* when, in ns; only to measure how long they take to wake up */
};

/* Each signal has a bell of its own: who sleeps until a leader is done is not woken when it has
 * arrived. */
struct strata_flag {
    _Alignas(STRATA_LINE) _Atomic uint64_t value; /* 4 * epoch + signal; only grows */
    struct strata_bell bell[STRATA_SIGNALS];
};

struct strata_node_memory {
    int members, me;
    size_t slot_bytes, landing_bytes;
    struct strata_flag *flags;
    unsigned char *slots;
    unsigned char *landing;
    uint64_t epoch;                             /* passes that I have run here; equal on all members
                                               between calls */
    void (*wake)(struct strata_node_memory *s); /* after a flag was published; may be NULL */
};

/* Bytes of the memory above, flags included. */
size_t strata_node_memory_bytes(int members, size_t slot_bytes, size_t landing_bytes);
/* Points its parts into base; the flags of fresh memory must be zero. */
void strata_node_memory_init(struct strata_node_memory *s, void *base, int members, int me,
                             size_t slot_bytes, size_t landing_bytes);

static inline unsigned char *strata_node_memory_slot(const struct strata_node_memory *s, int member,
                                                     uint64_t epoch)
{
    return s->slots + (2 * (size_t)member + (size_t)(epoch & 1)) * s->slot_bytes;
}

/* Pairs with the acquire in strata_node_memory_reached: what was written before is seen after. */
static inline void strata_node_memory_signal(struct strata_node_memory *s, uint64_t value)
{
    atomic_store_explicit(&s->flags[s->me].value, value, memory_order_release);
    if (s->wake) {
        s->wake(s);
    }
}

static inline int strata_node_memory_reached(const struct strata_node_memory *s, int member,
                                             uint64_t value)
{
    return atomic_load_explicit(&s->flags[member].value, memory_order_acquire) >= value;
}

/* A member that is out of step for good says so: nobody waits for its signals any more, and who
 * looks into its slot finds it without this epoch's stamp. */
#define STRATA_FLAG_BROKEN UINT64_MAX

/* Pairs with the acquire in strata_node_memory_reached. */
static inline void strata_node_memory_break(struct strata_node_memory *s)
{
    atomic_store_explicit(&s->flags[s->me].value, STRATA_FLAG_BROKEN, memory_order_release);
}

static inline int strata_node_memory_broken(const struct strata_node_memory *s)
{
    int broken = 0;
    for (int member = 0; member < s->members && !broken; member++) {
        broken = strata_node_memory_reached(s, member, STRATA_FLAG_BROKEN);
    }
    return broken;
}

#endif
