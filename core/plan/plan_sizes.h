/* The largest sizes of slots, lanes and messages, computed from a plan's parameters. */
#ifndef STRATA_CORE_PLAN_PLAN_SIZES_H
#define STRATA_CORE_PLAN_PLAN_SIZES_H

#include "core/plan/formats.h"
#include "core/plan/plan.h"

/* The most bytes of an item of the plan, and of a message of `items` items. */
size_t strata_item_worst(const struct strata_plan *plan, bool check);
size_t strata_message_worst(const struct strata_plan *plan, bool check, int64_t items);
/* Bytes of a lane message with `items` items of `bytes` bytes each: header, lengths, data. */
double strata_message_bytes(double items, double bytes);

/* Bytes of one lane in the landing: its table, and messages at their worst size. */
size_t strata_lane_bytes(const struct strata_plan *plan, bool check);
/* Bytes of a lane, and of a slot, from the parameters alone: hier/capacity finds the slice from
 * them. `blocks` is the most blocks that an item holds: ranks of the largest node x destinations of
 * a lane on a node. */
size_t strata_lane_bytes_at(int nodes, int blocks, int64_t items, int64_t messages, size_t slice,
                            bool check);
size_t strata_slot_bytes_at(int ranks, int nodes, int lanes, size_t slice);
/* Bytes that a slot has in addition where members expose direct blocks to each other. */
size_t strata_exposed_table_bytes(int members);
/* Bytes of a slot of the plan, with everything in it. */
size_t strata_plan_slot_bytes(const struct strata_plan *plan);
/* Bytes of a slot up to the beginning, and up to the end, of the tables that say where exposed
 * blocks lie. */
size_t strata_loans_begin(const struct strata_plan *plan);
size_t strata_loans_end(const struct strata_plan *plan);

/* The number of lines behind the signal's line that a reader reads one after another until it finds
 * a block of the slot: none where the block lies beside the signal. bytes: of a block that goes
 * through the slot in a pass. */
int strata_slot_lines(const struct strata_plan *plan, double bytes);
/* The same for a slot without tables; bytes: of all blocks in it. */
static inline int strata_plain_slot_lines(double bytes)
{
    return bytes > STRATA_SHARED_HEAD - STRATA_SHARED_FIRST;
}
/* The same for a slot with a table of `words` words. */
int strata_table_slot_lines(size_t words, double bytes);

/* Bytes of an entry in the list of receives that are not waited for
 * (core/engine/engine_format.h). */
#define STRATA_OPEN_RECV_BYTES 64
/* Bytes of scratch for lists of open messages and, in staged plans, for sums of lengths. */
size_t strata_bookkeeping_bytes(const struct strata_exchange *exchange, int ranks);

#endif
