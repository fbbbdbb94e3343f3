/* What the engine's files share: how slots, lane tables and messages look in memory. */
#ifndef STRATA_CORE_ENGINE_ENGINE_INTERNAL_H
#define STRATA_CORE_ENGINE_ENGINE_INTERNAL_H

#include "core/engine/engine_sizes.h"

/* A slot begins with this; then offset[nodes * lanes + 1] (where each node message's part begins in
 * the data), expect[ranks] (bytes this member expects from each position), length[ranks] (bytes of
 * each block in slot order), and the data. */
struct strata_slot_header {
    union {
        uint64_t largest; /* plans over items */
        uint64_t total;   /* plans over blocks: strata_shared_total */
    };
    uint64_t busiest;
    uint64_t stamp; /* 1 + the data's epoch: after a failure a flag may say "arrived" without any */
    int32_t status; /* plans over blocks: STRATA_OK, or what stopped this member */
    int32_t unused;
};

_Static_assert(sizeof(struct strata_slot_header) <= STRATA_SHARED_HEAD, "the header fits");

/* A message of blocks on its way that is unpacked at the wait. */
struct strata_open_blocks {
    struct strata_set set;
    unsigned char *packed;
    size_t bytes;
};

struct strata_slot {
    struct strata_slot_header *header;
    uint32_t *offset, *expect, *length;
    unsigned char *data;
};

/* A lane's memory begins with this, then entry[nodes], then the landing areas of its messages. */
struct strata_lane_header {
    uint64_t largest, busiest;
    uint64_t stamp; /* 1 + the epoch: after a failure a flag may say "done" over an older header */
    int32_t status; /* the leader's, STRATA_OK or what it found wrong */
    uint32_t unused;
};

/* Lengths of items and staged blocks in 32 bits: bytes, and above them a sum of the direct blocks
 * that are left out there. So words add up, and ranks of which only one takes a block for direct
 * find that out, too. A block counts once where its source is the first of its node, else twice,
 * and that once or twice for its destination among those of the lane: modulo 8 neither one block
 * goes unseen, nor all of a source or of a destination. */
static inline uint32_t strata_word_bytes(uint32_t word)
{
    return word & (STRATA_MOST_ITEM - 1);
}

static inline uint32_t strata_length_word(const struct strata_limits *limits, size_t bytes,
                                          int pass, bool first_source, bool first_destination)
{
    uint32_t direct = STRATA_MOST_ITEM << !first_source << !first_destination;
    return bytes > limits->threshold ? direct : (uint32_t)strata_slice(limits, bytes, pass);
}

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

/* A receive that is not waited for; or lengths that are there, and whose items are not. */
struct strata_open_recv {
    int32_t lane, items, peer;
    uint8_t part; /* enum strata_message_part */
    bool arrived; /* STRATA_LENGTHS: they are there */
    struct strata_set set;
    size_t head, data; /* where header and lengths lie, and the items; from the lane's beginning */
};

static inline size_t strata_align(size_t bytes, size_t to)
{
    return (bytes + to - 1) / to * to;
}

static inline size_t strata_message_data(size_t items)
{
    return strata_align(sizeof(struct strata_message_header) + items * sizeof(uint32_t), 8);
}

/* Whether the call runs on, for what has been noted leaves the ranks in step. */
static inline bool strata_in_step(const struct strata_execution *x)
{
    int status = x->progress.status;
    return status == STRATA_OK || status == STRATA_ERR_TRUNCATE || status == STRATA_ERR_ARGUMENT;
}

/* Bytes of a slot before its data. */
static inline size_t strata_slot_tables(int ranks, int nodes, int lanes)
{
    size_t words = (size_t)nodes * (size_t)lanes + 1 + 2 * (size_t)ranks;
    return strata_align(sizeof(struct strata_slot_header) + words * sizeof(uint32_t), 16);
}

/* Of the pass that the call is in. */
static inline uint64_t strata_pass_epoch(const struct strata_execution *x)
{
    return x->progress.epoch + (uint64_t)x->cursor.pass;
}

/* Where things are. */
static inline unsigned char *strata_lane_at(const struct strata_execution *x, int lane)
{
    return x->progress.landing + (size_t)lane * x->progress.lane_bytes;
}

static inline struct strata_entry *strata_entries(unsigned char *lane)
{
    return (struct strata_entry *)(void *)(lane + sizeof(struct strata_lane_header));
}

static inline int strata_my_node(const struct strata_execution *x)
{
    return x->plan->topology->node_of[x->plan->rank];
}

/* Blocks of `node` in slot order before those of `lane`: lanes take local indices in turn. */
static inline int strata_lane_first(const struct strata_topology *t, int node, int lane, int lanes)
{
    int size = strata_topology_node_size(t, node);
    int longer = size % lanes;
    return t->first[node] + lane * (size / lanes) + (lane < longer ? lane : longer);
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

/* core/engine/engine_sizes.c: the most that an item, or a message of so many of them, may be
 * long. */
size_t strata_item_worst(const struct strata_plan *plan, bool check);
size_t strata_message_worst(const struct strata_plan *plan, bool check, int64_t items);

/* core/engine/engine_node.c */
struct strata_slot strata_slot_of(const struct strata_execution *x, int member);
/* Whether all members' slots hold this pass's data, after their flags said so. */
bool strata_slots_filled(const struct strata_execution *x);
/* Takes the members' figures into this rank's maxima. */
void strata_merge_slots(struct strata_execution *x);

/* core/engine/engine_messages.c: takes in figures that came with a message; counts one that
 * leaves. */
void strata_merge(struct strata_execution *x, uint64_t largest, uint64_t busiest);
void strata_count_message(struct strata_execution *x, int peer, size_t bytes);

/* core/engine/engine_landing.c: all lane messages have arrived. */
int strata_land_all(struct strata_execution *x);

/* core/engine/engine_blocks.c: what came packed goes to its blocks. */
void strata_unpack_blocks(struct strata_execution *x);

/* core/engine/engine_stores.c: divides scratch, and saves the input where it has to be. */
void strata_stores_begin(struct strata_execution *x);
/* Bytes of all blocks of the shared store together, as this rank has them. */
uint64_t strata_shared_total(const struct strata_execution *x);
/* Bytes of scratch before the packed messages. */
size_t strata_stores_bytes(const struct strata_execution *x);

/* Walks the places that a set's blocks lie at, in set order, as few as can be:
 * core/engine/engine_stores.c. */
struct strata_spot_walk {
    const struct strata_execution *x;
    struct strata_set_iterator it;
    struct strata_run run; /* what is left of the run we are in */
};
void strata_spots_begin(struct strata_spot_walk *walk, const struct strata_execution *x,
                        struct strata_set set);
/* The next place of the run that the walk is in. */
void strata_spots_take(struct strata_spot_walk *walk, struct strata_spot *spot);
static inline bool strata_spots_next(struct strata_spot_walk *walk, struct strata_spot *spot)
{
    if (walk->run.count == 0 && !strata_set_next(&walk->it, &walk->run)) {
        return false;
    }
    strata_spots_take(walk, spot);
    return true;
}

/* Steps, one function each, strata_run_WORD: STRATA_OK, STRATA_PENDING or an error. */
typedef int strata_run_step(struct strata_execution *x, const struct strata_step *step);
#define STRATA_RUN_DECLARE(id, word, ...) strata_run_step strata_run_##word;
STRATA_RUN_STEP_TABLE(STRATA_RUN_DECLARE)
#undef STRATA_RUN_DECLARE

/* Whether a team may do a step's copying, if it is enough. */
static inline bool strata_may_share(const struct strata_execution *x,
                                    const struct strata_step *step)
{
    return step->workshare && x->team && x->team->run && x->team->threads > 1;
}

/* core/engine/engine.c: runs body over the team if the step is a workshare and copies enough; else
 * here, in one chunk. */
void strata_workshare(const struct strata_execution *x, const struct strata_step *step,
                      size_t bytes, void (*body)(void *argument, int chunk, int chunks),
                      void *argument);

/* First error of the call wins; the call goes on so that nobody waits for this rank in vain. */
void strata_record_error(struct strata_execution *x, int error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
