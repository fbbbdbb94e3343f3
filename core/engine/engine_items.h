/* Parts of plans over items: slots with tables, lanes, and messages of items. */
#ifndef STRATA_CORE_ENGINE_ENGINE_ITEMS_H
#define STRATA_CORE_ENGINE_ENGINE_ITEMS_H

#include "core/engine/engine_common.h"
#include "core/engine/engine_format.h"

/* Where a lane's memory begins. */
static inline unsigned char *strata_lane_at(const struct strata_execution *x, int lane)
{
    return x->progress.landing + (size_t)lane * x->progress.lane_bytes;
}

static inline struct strata_entry *strata_entries(unsigned char *lane)
{
    return (struct strata_entry *)(void *)(lane + sizeof(struct strata_lane_header));
}

/* Whether lane messages consist of their items alone. */
static inline bool strata_lengths_known(const struct strata_execution *x)
{
    return x->kept && x->kept->known;
}

/* Whether the slots have length tables: a lane may have several destinations on a node, or the
 * check names the ranks that are wrong. */
static inline bool strata_slot_has_lengths(const struct strata_execution *x)
{
    return x->plan->exchange.lanes < x->plan->topology->largest || x->check;
}

/* The length word of a side's block in this pass. My own block goes through a slot only in a call
 * in place, where incoming data may lie over it. */
static inline uint32_t strata_block_word(const struct strata_execution *x,
                                         const struct strata_layout *side, int rank,
                                         bool first_source, bool first_destination)
{
    bool own = rank == x->plan->rank && !x->in_place;
    return own ? 0
               : strata_length_word(&x->plan->limits, strata_layout_bytes(side, rank),
                                    x->cursor.pass, first_source, first_destination);
}

/* The number of blocks in slot order before those of `lane` for `node`: lanes take members by
 * their turns. */
static inline int strata_lane_first(const struct strata_topology *t, int node, int lane, int lanes)
{
    int size = strata_topology_node_size(t, node);
    int longer = size % lanes;
    return t->first[node] + lane * (size / lanes) + (lane < longer ? lane : longer);
}

/* core/engine/engine_slots.c. A member's slot in this pass. */
struct strata_slot strata_slot_of(const struct strata_execution *x, int member);
/* This rank's tables for its next pass, at `at`, and the place behind them where the data would
 * lie. */
struct strata_slot strata_slot_tables(struct strata_execution *x, unsigned char *at);
/* Writes the length words that I expect of all positions. */
void strata_expected_words(const struct strata_execution *x, uint32_t *word);

/* core/engine/engine_items.c. Finds the longest blocks of this rank, and the bytes of all blocks
 * that it sends. */
void strata_measure_blocks(struct strata_execution *x);

/* The functions of plans over items for core/engine/engine_family.h. core/engine/engine_items.c:
 * the memory and the requests that a call needs, and its beginning. */
size_t strata_items_fixed_scratch(const struct strata_plan *plan, bool check);
size_t strata_items_scratch(struct strata_execution *x);
void strata_items_node_need(const struct strata_plan *plan, const struct strata_layout *work,
                            bool check, size_t *slot, size_t *landing);
void strata_items_requests(const struct strata_plan *plan, int requests[STRATA_TRAFFIC_KINDS]);
void strata_items_start(struct strata_execution *x);
/* core/engine/engine_slots.c: copies my blocks to my slot. */
int strata_copy_in(struct strata_execution *x, const struct strata_step *step);
/* core/engine/engine_messages.c, core/engine/engine_landing.c: messages of items. */
int strata_send_items(struct strata_execution *x, const struct strata_step *step);
int strata_recv_items(struct strata_execution *x, const struct strata_step *step);
int strata_land_items(struct strata_execution *x);

#endif
