/* Parts of plans over blocks: their stores, and what is said of how long blocks are. */
#ifndef STRATA_CORE_ENGINE_ENGINE_BLOCKS_H
#define STRATA_CORE_ENGINE_ENGINE_BLOCKS_H

#include "core/engine/engine_common.h"
#include "core/engine/engine_format.h"

/* Whether a plan over blocks brings the sizes that plans over items bring. */
static inline bool strata_agrees_on_sizes(const struct strata_plan *plan)
{
    return plan->blocks.exposes && strata_collective_transposes(plan->collective);
}

/* Whether block 0 of the side is the only one, this rank's own. */
static inline bool strata_one_input(const struct strata_plan *plan)
{
    return strata_input_of(plan->collective, plan->rank, plan->root) == STRATA_ONE;
}

static inline bool strata_one_output(const struct strata_plan *plan)
{
    return strata_output_of(plan->collective, plan->rank, plan->root) == STRATA_ONE;
}

/* How many blocks of the input lie in memory. */
static inline int strata_input_blocks(const struct strata_plan *plan)
{
    enum strata_held held = strata_input_of(plan->collective, plan->rank, plan->root);
    return held == STRATA_ALL ? plan->blocks.count : held == STRATA_ONE ? 1 : 0;
}

/* core/engine/engine_said.c. Whether the root says how long the blocks of all members are, which it
 * writes into their slots; else each member says it of its own. */
static inline bool strata_says_of_all(const struct strata_plan *plan)
{
    return strata_lengths_told(plan) && strata_plan_root_writes(plan);
}
/* How long I say that a position's block is. */
uint64_t strata_said_of(const struct strata_execution *x, int position);
/* The most of that, of all blocks that I expose, or write. */
uint64_t strata_said_of_longest(const struct strata_execution *x);
/* The member whose slot says how long the block is that I read of a member. */
static inline int strata_said_in(const struct strata_execution *x, int member)
{
    return strata_says_of_all(x->plan) ? x->ring->me : member;
}
/* How long I expect that block to be. */
uint64_t strata_expected_of(const struct strata_execution *x, int member);
/* Writes how long blocks are beside my first signal of an epoch. */
void strata_describe_blocks(struct strata_execution *x, struct strata_slot_header *header);
/* Compares what a member says of that with what I expect. That it has other lengths is noted. */
void strata_compare_blocks(struct strata_execution *x, int member, uint64_t epoch);

/* core/engine/engine_stores.c. Divides scratch, and saves the input where it has to be. */
void strata_stores_begin(struct strata_execution *x);
/* Bytes of scratch before the packed messages. */
size_t strata_stores_bytes(struct strata_execution *x);

/* core/engine/engine_slices.c. Sets the layouts and stores of the pass that begins, in a plan whose
 * blocks go in slices. */
void strata_next_slice(struct strata_execution *x);

/* What core/engine/engine_family.h asks of plans over blocks. core/engine/engine_block_sizes.c: the
 * memory and the requests that a call needs. */
size_t strata_blocks_scratch(struct strata_execution *x);
void strata_blocks_node_need(const struct strata_plan *plan, const struct strata_layout *work,
                             bool check, size_t *slot, size_t *landing);
void strata_blocks_requests(const struct strata_plan *plan, int requests[STRATA_TRAFFIC_KINDS]);

/* core/engine/engine_blocks.c: its beginning, and its messages. */
void strata_blocks_start(struct strata_execution *x);
int strata_send_blocks(struct strata_execution *x, const struct strata_step *step);
int strata_recv_blocks(struct strata_execution *x, const struct strata_step *step);
int strata_land_blocks(struct strata_execution *x);

/* core/engine/engine_copy.c: its copies from store to store. */
int strata_copy_blocks(struct strata_execution *x, const struct strata_step *step);

#endif
