/* How slots, lanes and messages look in memory: the headers and tables that come before the blocks.
 * The engine writes and reads them. The memory that a plan needs follows from their sizes
 * (core/plan/plan_sizes.h). */
#ifndef STRATA_CORE_PLAN_FORMATS_H
#define STRATA_CORE_PLAN_FORMATS_H

#include <stddef.h>
#include <stdint.h>

#define STRATA_LINE       128 /* two cache lines: adjacent-line prefetch makes neighbours share */
#define STRATA_CACHE_LINE 64  /* what one transfer between cores carries */

/* Where the block of a shared store begins in its member's slot, at the latest: on the line after
 * the signal's, unless it fits in that. */
#define STRATA_SHARED_HEAD STRATA_CACHE_LINE
/* Where one that fits there begins, behind what every slot has; aligned for any operand. */
#define STRATA_SHARED_FIRST 16

/* So much room a slot has behind the table of lent blocks, at least: for what a mate copies there
 * where the system does not let its memory be read. */
#define STRATA_LEAST_ASKED 1024

/* Messages of items, and slots, are shorter: their lengths have so many bits of a word
 * (core/engine/engine_internal.h). */
#define STRATA_MOST_ITEM ((uint32_t)1 << 29)

/* A slot of a plan over items begins with this; then offset[nodes * lanes + 1] (where each node
 * message's part begins in the data), and the data. Where a lane may have several destinations on a
 * node, or the lengths are checked, two tables lie in between: expect[ranks] (bytes this member
 * expects from each position) and length[ranks] (bytes of each block in slot order). */
struct strata_slot_header {
    uint64_t signal; /* core/engine/node_memory.h */
    union {
        uint64_t largest; /* plans over items */
        uint64_t total;   /* plans over blocks: strata_engine_progress.blocks_total */
    };
    uint64_t busiest;
};

/* A lane's memory begins with this, then entry[nodes], then the landing areas of its messages. */
struct strata_lane_header {
    uint64_t largest, busiest;
    int32_t status; /* the leader's, STRATA_OK or what it found wrong */
    uint32_t unused;
};

/* SLOAV's element index table. An item that has not landed lies where it came from. */
struct strata_entry {
    uint64_t offset; /* from the lane's beginning */
    uint32_t length; /* word */
    uint32_t landed;
};

/* A message begins with this, then length[items], padded to 8 bytes, then the items. */
struct strata_message_header {
    uint64_t largest, busiest;
};

/* Of one lent block: where its bytes are in the lender's address space; or, where they lie in so
 * many pieces (struct strata_range), where the list of these is there. */
struct strata_loan {
    uint64_t address;
    uint64_t bytes : 48, pieces : 16; /* pieces 0: it lies in one */
};

static inline size_t strata_align(size_t bytes, size_t to)
{
    return (bytes + to - 1) / to * to;
}

/* Where so many bytes of data begin in a slot: behind the tables if they fit in the signal's line,
 * else on a line of their own. */
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
