/* The layout of slots, lanes and messages in memory: the headers and tables that come before the
 * blocks. The engine writes and reads them. Their sizes decide how much memory a plan needs
 * (core/plan/plan_sizes.h). */
#ifndef STRATA_CORE_PLAN_FORMATS_H
#define STRATA_CORE_PLAN_FORMATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STRATA_LINE       128 /* two cache lines: the adjacent-line prefetch joins neighbours */
#define STRATA_CACHE_LINE 64  /* bytes that one transfer between cores carries */

/* Where the block of a shared store begins in its member's slot: on the line after the signal's,
 * unless the block fits in the signal's line. */
#define STRATA_SHARED_HEAD STRATA_CACHE_LINE
/* Where a block that fits in the signal's line begins: behind the first fields of the slot header,
 * aligned for any operand. */
#define STRATA_SHARED_FIRST 16

/* Bytes that a slot has at least behind the table of exposed blocks. A local peer copies blocks
 * there where the system does not let others read its memory. */
#define STRATA_LEAST_ASKED 1024

/* Messages of items, and slots, are shorter than this, because a length word has only so many bits
 * for bytes (core/engine/engine_format.h). */
#define STRATA_MOST_ITEM ((uint32_t)1 << 29)

/* A load is one word of what a rank sends in an alltoallv: above, the bytes of all its blocks;
 * below, its degree, which is the number of other ranks to which it sends bytes, or from which it
 * receives bytes, whichever is more. Larger numbers stand as the largest ones there is room for.
 *
 * Between nodes whose members meet in node memory a load is a node's: above, the bytes of all its
 * members, divided by the members of the largest node; below, their largest degree. */
enum { STRATA_DEGREE_BITS = 24 };
#define STRATA_DEGREES (((uint64_t)1 << STRATA_DEGREE_BITS) - 1)

static inline uint64_t strata_load(uint64_t bytes, uint64_t degree)
{
    const uint64_t most = UINT64_MAX >> STRATA_DEGREE_BITS;
    return (bytes < most ? bytes : most) << STRATA_DEGREE_BITS |
           (degree < STRATA_DEGREES ? degree : STRATA_DEGREES);
}

static inline uint64_t strata_load_bytes(uint64_t load)
{
    return load >> STRATA_DEGREE_BITS;
}

static inline uint64_t strata_load_degree(uint64_t load)
{
    return load & STRATA_DEGREES;
}

/* Whether each rank exchanges bytes with fewer than half of the others. */
static inline bool strata_degree_is_few(uint64_t degree, int ranks)
{
    return degree < (uint64_t)ranks / 2;
}

/* The larger bytes and the larger degree of two loads. */
static inline uint64_t strata_load_most(uint64_t a, uint64_t b)
{
    const uint64_t above = a > b ? a : b, below = a & STRATA_DEGREES, other = b & STRATA_DEGREES;
    return (above & ~STRATA_DEGREES) | (below > other ? below : other);
}

/* Each slot begins with this header. In plans over items, offset[nodes * lanes + 1] follows: where
 * the part for each node and lane begins in the data. The data come last. Where a lane may have
 * several destinations on a node, or the lengths are checked, two more tables lie before the data:
 * expect[ranks] (bytes that this member expects from each position) and length[ranks] (bytes of
 * each block in slot order). */
struct strata_slot_header {
    uint64_t signal; /* the owner's signal: core/engine/node_memory.h */
    union {
        uint64_t largest; /* where ranks agree on sizes: bytes of the owner's largest block */
        /* Other plans over blocks: the length that the blocks have (core/engine/engine_said.c). */
        uint64_t total;
    };
    uint64_t load; /* of the owner */
};

/* A lane's memory begins with this header. Then come entry[nodes] and the landing areas of its
 * messages. */
struct strata_lane_header {
    uint64_t largest; /* bytes of the largest block that any rank sends */
    uint64_t load;    /* the most of all nodes */
    int32_t status;   /* STRATA_OK, or the error that the lane's leader found */
    uint32_t unused;  /* fills the header up to a multiple of 8 bytes */
};

/* An entry of SLOAV's element index table. An item that no message has brought lies where it came
 * from. */
struct strata_entry {
    uint64_t offset; /* where the item lies, from the lane's beginning */
    uint32_t length; /* the item's length word */
    uint32_t landed; /* 1: a message has brought the item */
};

/* A message of items begins with this header. Then come length[items], padded to 8 bytes, and the
 * items. */
struct strata_message_header {
    uint64_t largest; /* bytes of the largest block that the sender has heard of */
    uint64_t load;    /* the most of the nodes that it has heard of, or of ranks in a flat plan */
};

/* One block that a member exposes: where its bytes lie in the owner's address space. */
struct strata_loan {
    uint64_t address;    /* the block's first byte; of a block in pieces, their list */
    uint64_t bytes : 48; /* bytes of the block */
    /* How many pieces (struct strata_range) the list has; 0: the block is in one piece. */
    uint64_t pieces : 16;
};

static inline size_t strata_align(size_t bytes, size_t to)
{
    return (bytes + to - 1) / to * to;
}

/* Where the data of a slot, `bytes` bytes, begin: behind the tables if the data fit in the signal's
 * line, else on a line of their own. */
static inline size_t strata_slot_data(size_t tables, size_t bytes)
{
    size_t at = strata_align(tables, 8);
    return at + bytes <= STRATA_CACHE_LINE ? at : strata_align(tables, STRATA_CACHE_LINE);
}

static inline size_t strata_message_data(size_t items)
{
    return strata_align(sizeof(struct strata_message_header) + items * sizeof(uint32_t), 8);
}

#endif
