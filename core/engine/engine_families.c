/* The tables of the two families of plans. */
#include "core/engine/engine_family.h"

#include "core/engine/engine_blocks.h"
#include "core/engine/engine_epochs.h"
#include "core/engine/engine_items.h"
#include "core/engine/single_copy.h"
#include "core/engine/tape_making.h"

/* Signals of plans over items describe no blocks: the slots' tables do, and they are read with the
 * blocks. */
static void say_nothing(struct strata_execution *x, struct strata_slot_header *header)
{
    (void)x;
    (void)header;
}

static void hear_nothing(struct strata_execution *x, int member, uint64_t epoch)
{
    (void)x;
    (void)member;
    (void)epoch;
}

static int read_early(struct strata_execution *x)
{
    return x->progress.exposes ? strata_take_early(x) : STRATA_PENDING;
}

/* After a failure the lanes go on, and carry the error to the other nodes. */
static int go_on(const struct strata_execution *x)
{
    (void)x;
    return STRATA_OK;
}

const struct strata_family strata_family_of_items = {
    .fixed_scratch = strata_items_fixed_scratch,
    .scratch = strata_items_scratch,
    .node_need = strata_items_node_need,
    .requests = strata_items_requests,
    .start = strata_items_start,
    .copy = strata_copy_in,
    .send = strata_send_items,
    .receive = strata_recv_items,
    .land = strata_land_items,
    .describe = say_nothing,
    .hear = hear_nothing,
    .meanwhile = read_early,
    .heard = go_on,
    .part = strata_direct_taken,
    .taping = &strata_taping_of_items,
};

static size_t no_fixed_scratch(const struct strata_plan *plan, bool check)
{
    (void)plan;
    (void)check;
    return 0;
}

static int wait_idly(struct strata_execution *x)
{
    (void)x;
    return STRATA_PENDING;
}

static int stop_at_failure(const struct strata_execution *x)
{
    return x->progress.peer_failed ? STRATA_ERR_TRANSPORT
           : x->progress.parted    ? STRATA_ERR_TRUNCATE
                                   : STRATA_OK;
}

/* A rank that only reads direct blocks, and exposes none, need not stay. */
static int wait_for_readers(struct strata_execution *x)
{
    bool only_reads = x->long_blocks && strata_layout_regular(&x->long_blocks[0]);
    return only_reads ? STRATA_OK : strata_call_departed(x);
}

const struct strata_family strata_family_of_blocks = {
    .fixed_scratch = no_fixed_scratch,
    .scratch = strata_blocks_scratch,
    .node_need = strata_blocks_node_need,
    .requests = strata_blocks_requests,
    .start = strata_blocks_start,
    .copy = strata_copy_blocks,
    .send = strata_send_blocks,
    .receive = strata_recv_blocks,
    .land = strata_land_blocks,
    .describe = strata_describe_blocks,
    .hear = strata_compare_blocks,
    .meanwhile = wait_idly,
    .heard = stop_at_failure,
    .part = wait_for_readers,
    .taping = &strata_taping_of_blocks,
};
