/* Parts of plans over blocks: their stores, and the lengths of blocks that members say in their
 * slots. */
#ifndef STRATA_CORE_ENGINE_ENGINE_BLOCKS_H
#define STRATA_CORE_ENGINE_ENGINE_BLOCKS_H

#include "core/engine/engine_common.h"
#include "core/engine/engine_format.h"

/* Whether the ranks of a plan over blocks agree on sizes, as in plans over items. */
static inline bool strata_agrees_on_sizes(const struct strata_plan *plan)
{
    return plan->blocks.exposes && strata_collective_transposes(plan->collective);
}

/* Whether block 0 of the input, or of the output, is this rank's only block. */
static inline bool strata_one_input(const struct strata_plan *plan)
{
    return strata_input_of(plan->collective, plan->rank, plan->root) == STRATA_ONE;
}

static inline bool strata_one_output(const struct strata_plan *plan)
{
    return strata_output_of(plan->collective, plan->rank, plan->root) == STRATA_ONE;
}

/* The number of blocks of the input that lie in memory. */
static inline int strata_input_blocks(const struct strata_plan *plan)
{
    enum strata_held held = strata_input_of(plan->collective, plan->rank, plan->root);
    return held == STRATA_ALL ? plan->blocks.count : held == STRATA_ONE ? 1 : 0;
}

/* core/engine/engine_said.c. The length that I say the block of a position has. */
uint64_t strata_said_of(const struct strata_execution *x, int position);
/* The largest such length, of all blocks that I expose or write. */
uint64_t strata_said_of_longest(const struct strata_execution *x);
/* The member whose slot says the length of the block that I read of `member`. */
static inline int strata_said_in(const struct strata_execution *x, int member)
{
    return strata_says_of_all(x->plan) ? x->ring->me : member;
}
/* The length that I expect that block to have. */
uint64_t strata_expected_of(const struct strata_execution *x, int member);
/* Writes the lengths of blocks beside my first signal of an epoch. */
void strata_describe_blocks(struct strata_execution *x, struct strata_slot_header *header);
/* Compares the lengths that a member says with the ones that I expect, and notes a difference. */
void strata_compare_blocks(struct strata_execution *x, int member, uint64_t epoch);

/* core/engine/engine_stores.c. Divides scratch, and saves the input where that is necessary. */
void strata_stores_begin(struct strata_execution *x);
/* Bytes of scratch before the packed messages. */
size_t strata_stores_bytes(struct strata_execution *x);

/* core/engine/engine_slices.c. Sets the layouts and stores for the pass that begins, in a plan
 * whose blocks go in slices. */
void strata_next_slice(struct strata_execution *x);

/* The functions of plans over blocks for core/engine/engine_family.h.
 * core/engine/engine_block_sizes.c: the memory and the requests that a call needs. */
size_t strata_blocks_scratch(struct strata_execution *x);
void strata_blocks_node_need(const struct strata_plan *plan, const struct strata_layout *work,
                             bool check, size_t *slot, size_t *landing);
void strata_blocks_requests(const struct strata_plan *plan, int requests[STRATA_TRAFFIC_KINDS]);

/* core/engine/engine_blocks.c: the beginning of a call, and its messages. */
void strata_blocks_start(struct strata_execution *x);
int strata_send_blocks(struct strata_execution *x, const struct strata_step *step);
int strata_recv_blocks(struct strata_execution *x, const struct strata_step *step);
int strata_land_blocks(struct strata_execution *x);

/* core/engine/engine_copy.c: copies from store to store. */
int strata_copy_blocks(struct strata_execution *x, const struct strata_step *step);

#endif
