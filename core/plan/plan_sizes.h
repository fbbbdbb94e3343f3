/* How long slots, lanes and messages are at most, from a plan's own figures. */
#ifndef STRATA_CORE_PLAN_PLAN_SIZES_H
#define STRATA_CORE_PLAN_PLAN_SIZES_H

#include "core/plan/formats.h"
#include "core/plan/plan.h"

/* The most that an item of the plan, or a message of so many of them, may be long. */
size_t strata_item_worst(const struct strata_plan *plan, bool check);
size_t strata_message_worst(const struct strata_plan *plan, bool check, int64_t items);
/* Bytes of a lane message with that many items of `bytes` bytes each: header, lengths, data. */
double strata_message_bytes(double items, double bytes);

/* Bytes of one lane in the landing store (table and messages at their worst size). */
size_t strata_lane_bytes(const struct strata_plan *plan, bool check);
/* The same, and a slot, from the figures alone: hier/capacity solves them for the slice. `blocks`
 * is the most that an item holds: ranks of the largest node x destinations of a lane on a node. */
size_t strata_lane_bytes_at(int nodes, int blocks, int64_t items, int64_t messages, size_t slice,
                            bool check);
size_t strata_slot_bytes_at(int ranks, int nodes, int lanes, size_t slice);
/* What a slot has behind that where members expose to each other direct blocks; a plan's slot with
 * it all. */
size_t strata_exposed_table_bytes(int members);
size_t strata_plan_slot_bytes(const struct strata_plan *plan);
/* Bytes of a slot before the tables that say where exposed blocks lie, and up to their end. */
size_t strata_loans_begin(const struct strata_plan *plan);
size_t strata_loans_end(const struct strata_plan *plan);

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

/* What a list has for each receive that is not waited for (core/engine/engine_format.h). */
#define STRATA_OPEN_RECV_BYTES 64
/* Of scratch: lists of open messages and, in staged plans, sums of lengths. */
size_t strata_bookkeeping_bytes(const struct strata_exchange *exchange, int ranks);

#endif
