/* The memory that a call needs at its worst: a rank's private scratch, and a node's memory. */
#ifndef STRATA_CORE_ENGINE_ENGINE_SIZES_H
#define STRATA_CORE_ENGINE_ENGINE_SIZES_H

#include "core/engine/engine.h"

/* Where the block of a shared store begins in its member's slot, at the latest: on the line after
 * the signal's, unless it fits in that. */
#define STRATA_SHARED_HEAD STRATA_CACHE_LINE
/* Where one that fits there begins, behind what every slot has; aligned for any operand. */
#define STRATA_SHARED_FIRST 16

/* Of what mates lend, so many bytes at a time go through a buffer where they cannot go straight to
 * their place. Small enough for the cache next to the core. */
#define STRATA_FETCH_BYTES 131072
/* That buffer, and then the pieces that a mate's block lies in. */
#define STRATA_FETCH_SCRATCH (STRATA_FETCH_BYTES + STRATA_MOST_LENT * sizeof(struct strata_range))

/* Three times as much lies in the cache next to the core: what is copied, what is combined into
 * that, and where. */
#define STRATA_NEAR_BYTES 8192

/* So much room a slot has behind the table of lent blocks, at least: for what a mate copies there
 * where the system does not let its memory be read. */
#define STRATA_LEAST_ASKED 1024

/* Messages of items, and slots, are shorter: their lengths have so many bits of a word
 * (core/engine/engine_internal.h). */
#define STRATA_MOST_ITEM ((uint32_t)1 << 29)

/* Plans over blocks: private memory that a call needs, for the work store, lists of open messages
 * and what is packed. Asked before the call begins, which needs what is counted for it. */
size_t strata_engine_block_scratch(struct strata_execution *x);
/* What one with blocks in the node's memory needs of it for blocks as long as those of `work`: of
 * each member's slot, and of the landing. */
void strata_engine_node_need(const struct strata_plan *plan, const struct strata_layout *work,
                             size_t *slot, size_t *landing);

/* Plans over items: private memory that any call needs; walks the plan, so keep the figure. */
size_t strata_engine_fixed_scratch(const struct strata_plan *plan, bool check);
/* What a call needs on top for its direct blocks: those that leave are saved before where it is in
 * place, and where a mate could not read them as they lie; what mates lend may go by way of a
 * buffer. From plan, memory, layouts and in_place. */
size_t strata_engine_direct_scratch(const struct strata_execution *x);
/* Both together: what scratch must hold. */
size_t strata_engine_scratch(const struct strata_execution *x);

/* Bytes of one lane in the landing store (table and messages at their worst size). */
size_t strata_lane_bytes(const struct strata_plan *plan, bool check);
/* The same, and a slot, from the figures alone: hier/capacity solves them for the slice. `blocks`
 * is the most that an item holds: ranks of the largest node x destinations of a lane on a node. */
size_t strata_lane_bytes_at(int nodes, int blocks, int64_t items, int64_t messages, size_t slice,
                            bool check);
size_t strata_slot_bytes_at(int ranks, int nodes, int lanes, size_t slice);
/* What a slot has behind that where members lend each other direct blocks; a plan's slot with it
 * all. */
size_t strata_lending_bytes(int members);
size_t strata_plan_slot_bytes(const struct strata_plan *plan);

/* Lines of a slot behind its signal's that are read one after another until a block of it is found:
 * none where all lies beside the signal. bytes: of a block that goes through it in a pass. */
int strata_slot_lines(const struct strata_plan *plan, double bytes);
/* The same of a slot without tables; bytes: of all in it. */
static inline int strata_plain_slot_lines(double bytes)
{
    return bytes > STRATA_SHARED_HEAD - STRATA_SHARED_FIRST;
}
/* The same of one with a table of so many words. */
int strata_table_slot_lines(size_t words, double bytes);

/* Of scratch: lists of open messages and, in staged plans, sums of lengths. */
size_t strata_bookkeeping_bytes(const struct strata_exchange *exchange, int ranks);

/* Bytes of a lane message with that many items of `bytes` bytes each: header, lengths, data. */
double strata_message_bytes(double items, double bytes);

#endif
