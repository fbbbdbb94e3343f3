/* A plan: what one rank does in one collective, as a short immutable program over sets of items.
 *
 * Steps name peers, sets, lanes and node members, never addresses or byte counts, so one plan
 * serves every size, count vector and datatype. A pure function builds a plan
 * (core/plan/algorithm.h). Plans are printed and parsed (core/text/plan_text.h), proved
 * (core/check/check.h), estimated (core/cost/plan_cost.h) and run (core/engine/engine.h).
 *
 * The table of core/plan/step_kinds.h has the kinds of steps. They form two families, and a plan
 * uses one of them.
 *
 * Plans over blocks: the data are numbered blocks (core/plan/collective.h), and steps send,
 * receive, copy and reduce sets of them. A box of such a set names the store where its blocks lie:
 *   input, output   The caller's buffers.
 *   work            Memory of this rank with `blocks.work` blocks. Number w is as long as block
 *                   (blocks.work_first + w) mod blocks.count; with `blocks.work_alike` every number
 *                   is as long as block blocks.work_first.
 *   shared          One block for each position (ranks in node-major order), in the node memory.
 *                   Blocks of the node's own members lie in their slots, others in the landing. A
 *                   slot has one writer: its owner, or a scatter's root. Where each rank has a
 *                   vector, the store has one vector for each position.
 *   slot            A vector's segments, or all blocks of the ranks, in the slots of this node's
 *                   members. Number m * blocks.count + i is block i in the slot of member m. A slot
 *                   holds `blocks.slot` of them at a time: pass p moves p * slot .. (p + 1) * slot
 *                   - 1.
 *   mate_input      The inputs that the members of this node expose to each other. Number
 *                   m * blocks.count + i is block i of the input of member m.
 *   mate_work       The work stores that they expose: the same number is member m's work block that
 *                   is for block i.
 * Exposed blocks are only read, from the owner's first signal on, where they lie. The owner does
 * not leave the call before all members have read them.
 *
 * With `blocks.by_position` a block's number in work and slot is the position of its rank. Blocks
 * of ranks that do not fit in the node memory go in slices of limits.slice bytes (without a
 * threshold): each pass repeats the whole plan for one slice of each block.
 *
 * Every rank that moves a block knows its length from the call's arguments. In gatherv and scatterv
 * only the root knows all lengths, so a plan that shares memory has a limits.threshold. A longer
 * block has no bytes in the plan, and goes from rank to rank by itself (api/call/lengths.c). With
 * exchange.exposes such a block between the root and its local peer is exposed from the first
 * signal on, and read when the steps are done.
 *
 * Plans over items (alltoall and alltoallv of small blocks, whose lengths only their two ends
 * know):
 *   input, output   The caller's buffers: one block for each destination, one for each source.
 *   slot            This member's slot in the node memory (staged plans only): its outgoing blocks
 *                   in the order (node, lane, turn), and its length tables. Steps name a
 *                   block by the position of its destination.
 *   items           The entries of the lane tables. A lane table is SLOAV's element index table; it
 *                   has `nodes` entries, and each says where an item lies and how long it is. Item
 *                   k is the message between two nodes at distance k. For each source on the first
 *                   node, in order, it lists the source's blocks for that lane's destinations on
 *                   the second node, in order. A message's set of items names entries of its step's
 *                   lane.
 * A block is staged when it is not empty and has at most limits.threshold bytes, and direct when it
 * is longer. A staged block moves in limits.passes slices of limits.slice bytes, one in each pass.
 * With `exchange.exposes` a direct block for a member of the same node is exposed where it lies,
 * from the first copy to the slot on, and read where direct messages are waited for. */
#ifndef STRATA_CORE_PLAN_PLAN_H
#define STRATA_CORE_PLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/plan/collective.h"
#include "core/plan/set.h"
#include "core/plan/step_kinds.h"
#include "core/topology/topology.h"

/* The signals of a member in a pass. A member that signals more than "arrived" has heard of all
 * members. */
enum strata_signal {
    /* My slot and the slots of my subtree of the signal tree are filled. */
    STRATA_SIGNAL_ARRIVED = 1,
    STRATA_SIGNAL_RELEASED = 2, /* I have heard of all members: all slots are filled */
    STRATA_SIGNAL_DONE = 3,     /* a leader's: the tables of all lanes that I lead are final */
    STRATA_SIGNALS              /* their number, with 0: no signal */
};
extern const char *const strata_signal_word[STRATA_SIGNALS]; /* from index 1 on */

#define STRATA_ALL_MEMBERS (-1)

/* How the blocks of a message travel that do not lie side by side, and which part of its items a
 * message carries. Both ends of a message have the same value. Lengths travel before their data. */
enum strata_how {
    STRATA_AS_FITS = 0, /* without a copy where the blocks lie side by side; else packed */
    STRATA_PACKED,      /* always packed, so that the blocks sent may be overwritten at once */
    STRATA_TYPED,       /* without a copy: a datatype tells the transport where they lie */
    STRATA_LENGTHS,     /* of items: their lengths alone */
    STRATA_DATA,        /* of items: their data alone */
    STRATA_HOWS,
    STRATA_WHOLE = STRATA_AS_FITS /* of items: with their lengths */
};
extern const char *const strata_how_word[STRATA_HOWS];

/* Whether items (items), or blocks, may travel so. */
static inline bool strata_how_fits(unsigned how, bool items)
{
    return how == STRATA_AS_FITS || (how < STRATA_HOWS && items == (how >= STRATA_LENGTHS));
}

/* A field that a step kind does not use is 0. In the body of a repeat with counter i = 0, 1, ... a
 * set's items are shifted by i * set_step (modulo the space). */
struct strata_step {
    uint8_t op;        /* enum strata_op */
    uint8_t workshare; /* several threads may share the copying */
    uint8_t direct;    /* WAIT: for direct messages instead of lane messages */
    uint8_t how;       /* SEND_BLOCKS, RECV_BLOCKS: enum strata_how */
    int32_t lane;
    int32_t peer;  /* SEND_BLOCKS, RECV_BLOCKS: endpoint; AWAIT, COPY_OUT: member of my node */
    int32_t count; /* REPEAT: times; SIGNAL, AWAIT: signal; WAIT: how many may stay open */
    int32_t set;   /* index into the plan's sets; -1: none */
    int32_t set_step;
    int32_t from;  /* COPY, REDUCE: index of the set to read, shifted as set is */
    int32_t label; /* PHASE: offset of its text in the plan's labels */
};

static inline enum strata_action_kind strata_step_act(const struct strata_step *step)
{
    return (enum strata_action_kind)strata_step_kind[step->op].act;
}

/* Whether all members of the node have arrived when this step's wait is over: it awaits them all,
 * or a signal that a member gives when it has heard of all. */
static inline bool strata_await_hears_all(const struct strata_step *await)
{
    return await->peer == STRATA_ALL_MEMBERS || await->count != STRATA_SIGNAL_ARRIVED;
}

/* Bounds that are equal on all ranks; strata_limits_find finds them from the capacity. */
struct strata_limits {
    size_t threshold; /* bytes; a larger block goes rank to rank */
    size_t slice;     /* bytes of a block moved in one pass */
    int passes;       /* >= 1; threshold <= passes * slice */
};

/* The parameters of the exchange between nodes; equal on all ranks. */
struct strata_exchange {
    int lanes;   /* lane tables; 1 for flat plans; 0 where no table is used */
    bool staged; /* items come from members' slots; otherwise from the input (flat) */
    /* staged: direct blocks for members of the node are exposed, not sent */
    bool exposes;
    int64_t lane_items;    /* items that one leader receives on a lane in a pass */
    int64_t lane_messages; /* messages that one leader receives on a lane in a pass */
};

/* The ring of the node memory that a plan uses. The large ring has few slots, as large as can be.
 * The small and the middle ring have more slots, of a small or medium size, so that a member that
 * waits for no other may run further ahead. */
enum strata_ring_kind { STRATA_LARGE_RING, STRATA_SMALL_RING, STRATA_MIDDLE_RING, STRATA_RINGS };

/* The stores that the members of a node expose to each other, as bits. */
enum strata_exposed { STRATA_EXPOSES_INPUT = 1, STRATA_EXPOSES_WORK = 2 };

/* The blocks of a plan over blocks; all zero in plans over items. All fields but `work` are equal
 * on all ranks. */
struct strata_blocks {
    /* The number of blocks: one for each rank, or the segments that the vector is cut into. */
    int32_t count;
    /* The number of blocks in the work store. */
    int32_t work;
    /* The block that work block 0 stands for. */
    int32_t work_first;
    /* Whether all work blocks stand for block work_first, each of another rank. */
    bool work_alike;
    /* Segments that a member's slot holds in a pass; count is passes times slot. With slot, exposes
     * or shared the plan is staged, without lanes. */
    int32_t slot;
    /* enum strata_ring_kind. Only plans that leave the landing alone use another ring than the
     * large one, to which it belongs. */
    uint8_t ring;
    /* Bits of enum strata_exposed. */
    uint8_t exposes;
    /* Whether the shared store is used. */
    bool shared;
    /* Whether work and slot blocks are numbered by position; in ranked collectives only. */
    bool by_position;
    /* Whether input is read after output was written. A call in place then saves its input
     * first. */
    bool keeps_input;
    /* Whether the blocks of shared or slot lie in the output, which is one memory for all members
     * of a node. The node then has one copy of the result, and no member copies it out. Only one
     * member of a node has blocks in its slot. */
    bool once;
};

/* What the engine reserves for a plan over blocks: the most that is posted, sent and received,
 * between two waits for all. strata_builder_finish finds it. */
struct strata_posting {
    int32_t messages; /* messages */
    int64_t items;    /* blocks in all of these messages */
    /* Blocks in the messages that are packed wherever the blocks lie: messages of sets with more
     * than one run, and STRATA_PACKED messages. */
    int64_t split_items;
    int64_t typed_items; /* blocks in the largest STRATA_TYPED message */
};

struct strata_plan_set {
    int32_t first_box, nboxes;
};

#define STRATA_MARK_BITS 13 /* bits of a plan's mark */

struct strata_plan {
    enum strata_collective collective;
    char name[96];    /* algorithm with its parameters: "leaders:leaders=1,radix=2" */
    int rank;         /* the rank whose plan this is */
    int root;         /* the root of a rooted collective; else 0 */
    unsigned mark;    /* marks the calls of this collective and root (core/engine/node_memory.h) */
    bool keeps_order; /* operands are combined in the order of ranks: for any operator */
    bool left_fold; /* operands are combined strictly from left to right: ((x0 o x1) o x2) o ... */
    /* The communicator's topology, or the flat one for flat plans. Borrowed: it must outlive the
     * plan. */
    const struct strata_topology *topology;
    struct strata_limits limits;
    struct strata_exchange exchange;
    struct strata_blocks blocks;
    struct strata_posting posting;
    int nsteps, nsets, nboxes, labels_size;
    struct strata_step *steps;
    struct strata_plan_set *sets;
    struct strata_box *boxes;
    char *labels; /* NUL-terminated strings, one after another */
};

void strata_plan_destroy(struct strata_plan *plan); /* accepts NULL */

/* A set of the plan, shifted; empty for index -1. Each box is shifted modulo its own space. */
static inline struct strata_set strata_plan_shifted(const struct strata_plan *plan, int index,
                                                    int64_t shift)
{
    if (index < 0) {
        return (struct strata_set){0};
    }
    const struct strata_plan_set *set = &plan->sets[index];
    return (struct strata_set){.boxes = set->nboxes > 0 ? &plan->boxes[set->first_box] : NULL,
                               .nboxes = set->nboxes,
                               .shift = shift};
}

/* The set of a step in iteration `counter` of the innermost repeat around it; empty where the step
 * has none. */
static inline struct strata_set strata_plan_set_of(const struct strata_plan *plan,
                                                   const struct strata_step *step, int counter)
{
    return strata_plan_shifted(plan, step->set, (int64_t)step->set_step * counter);
}

/* The same for the step's `from`; empty where its kind has none. */
static inline struct strata_set strata_plan_from_of(const struct strata_plan *plan,
                                                    const struct strata_step *step, int counter)
{
    bool has = strata_step_has(step->op, STRATA_HAS_FROM);
    return strata_plan_shifted(plan, has ? step->from : -1, (int64_t)step->set_step * counter);
}

/* Whether it is a plan over blocks. */
static inline bool strata_plan_over_blocks(const struct strata_plan *plan)
{
    return plan->blocks.count > 0;
}

/* Whether a rank knows the length of a block only if it moves the block (gatherv, scatterv). */
static inline bool strata_lengths_told(const struct strata_plan *plan)
{
    return strata_plan_over_blocks(plan) && plan->limits.threshold > 0;
}

/* Whether one rank, a scatter's root, writes into the slots of all members of its node. */
static inline bool strata_plan_root_writes(const struct strata_plan *plan)
{
    return plan->blocks.shared && strata_collective_info[plan->collective].root == 'i';
}

/* Whether the member that writes all slots says there how long the blocks are. Otherwise each
 * member says the length of its own. */
static inline bool strata_says_of_all(const struct strata_plan *plan)
{
    return strata_lengths_told(plan) && strata_plan_root_writes(plan);
}

/* Whether the plan's blocks, one for each rank, go in slices, one in each pass. */
static inline bool strata_plan_slices(const struct strata_plan *plan)
{
    return plan->blocks.count > 0 && plan->limits.threshold == 0 && plan->limits.slice > 0;
}

/* The number of passes in which the bytes of a ranked block move, on average. */
static inline double strata_plan_slice_count(const struct strata_plan *plan)
{
    return strata_plan_slices(plan) ? plan->limits.passes : 1;
}

/* Whether direct blocks between this plan's rank and `rank` are exposed: it is a local peer. */
static inline bool strata_plan_exposes_to(const struct strata_plan *plan, int rank)
{
    const struct strata_topology *t = plan->topology;
    return plan->exchange.exposes && rank != plan->rank &&
           t->node_of[rank] == t->node_of[plan->rank];
}

/* The store of a plan over items in which the blocks lie that a step reads or writes: the items of
 * its lane for a message; for a copy, the input by position (from) and the slot. */
static inline enum strata_store strata_items_store(const struct strata_step *step, bool from)
{
    return strata_step_has(step->op, STRATA_HAS_PEER) ? STRATA_ITEMS
           : from                                     ? STRATA_INPUT_AT
                                                      : STRATA_SLOT;
}

/* The number of blocks in such a store. */
static inline int32_t strata_items_in(const struct strata_plan *plan, enum strata_store store)
{
    const struct strata_exchange *e = &plan->exchange;
    return store == STRATA_ITEMS ? (e->lanes > 0 ? plan->topology->nodes : 0)
           : e->staged           ? plan->topology->ranks
                                 : 0;
}

/* The members that an AWAIT step awaits: first .. end-1 of its rank's node. */
struct strata_awaited {
    int first, end;
};
struct strata_awaited strata_awaited_by(const struct strata_plan *plan,
                                        const struct strata_step *step);
/* awaited[member] := the signals of each member of its node that the plan's rank awaits, bit 1 <<
 * signal. A rank awaits a signal once: later steps find the flag set. Bit 0: the rank waits until
 * the member has left the epoch that used the same slot before. A rank that hears of all members
 * does not wait for that. */
void strata_plan_awaits(const struct strata_plan *plan, unsigned char *awaited);

/* Whether a set has blocks of other nodes in the shared store, which lie in the landing. */
bool strata_plan_in_landing(const struct strata_plan *plan, struct strata_set set);

/* The number of blocks in the slot store of this node; 0: there is none, or they are too many. */
static inline int32_t strata_slot_store(const struct strata_plan *plan)
{
    const struct strata_topology *t = plan->topology;
    int64_t members = strata_topology_node_size(t, t->node_of[plan->rank]);
    int64_t blocks = plan->blocks.slot > 0 ? members * plan->blocks.count : 0;
    return blocks <= INT32_MAX ? (int32_t)blocks : 0;
}

/* The number of blocks in a store that local peers read on this node; 0: the store is not exposed,
 * or they are too many. */
static inline int32_t strata_peer_store(const struct strata_plan *plan, int store)
{
    const struct strata_topology *t = plan->topology;
    int exposed = store == STRATA_PEER_INPUT ? STRATA_EXPOSES_INPUT : STRATA_EXPOSES_WORK;
    int64_t members = strata_topology_node_size(t, t->node_of[plan->rank]);
    int64_t blocks = plan->blocks.exposes & exposed ? members * plan->blocks.count : 0;
    return blocks <= INT32_MAX ? (int32_t)blocks : 0;
}

/* The block of the collective that number `index` of a store stands for: the two have one
 * length. */
int strata_block_number(const struct strata_plan *plan, int store, int index);

/* Walks the steps in the order in which they run, with repeats unrolled. Engine, checker and cost
 * share it. Repeats must match up; the builder makes sure of that. A move costs O(1) and allocates
 * nothing. */
#define STRATA_REPEAT_DEPTH 4
struct strata_cursor {
    const struct strata_plan *plan;
    int at;    /* index of the current step; plan->nsteps at the end */
    int depth; /* open repeats */
    int counter[STRATA_REPEAT_DEPTH];
    int begin[STRATA_REPEAT_DEPTH]; /* index of the REPEAT step */
    int pass;                       /* counter of the passes repeat: 0 before, the last after it */
    int label;                      /* label of the last PHASE step passed; -1 before the first */
};

static inline void strata_cursor_begin(struct strata_cursor *cursor, const struct strata_plan *plan)
{
    *cursor = (struct strata_cursor){.plan = plan, .label = -1};
}
/* Moves past a REPEAT or END. */
void strata_cursor_repeat(struct strata_cursor *cursor);
/* The step to run now; NULL at the end. PHASE, REPEAT and END are run inside and never returned.
 * Another call without strata_cursor_advance gives the same step. */
static inline const struct strata_step *strata_cursor_step(struct strata_cursor *cursor)
{
    const struct strata_plan *plan = cursor->plan;
    while (cursor->at < plan->nsteps) {
        const struct strata_step *step = &plan->steps[cursor->at];
        if (step->op > STRATA_STEP_END) {
            return step;
        }
        if (step->op == STRATA_STEP_PHASE) {
            cursor->label = step->label;
            cursor->at++;
        } else {
            strata_cursor_repeat(cursor);
        }
    }
    return NULL;
}
void strata_cursor_advance(struct strata_cursor *cursor);
/* The current step's set, shifted for the innermost repeat. */
static inline struct strata_set strata_cursor_set(const struct strata_cursor *cursor)
{
    int counter = cursor->depth > 0 ? cursor->counter[cursor->depth - 1] : 0;
    return strata_plan_set_of(cursor->plan, &cursor->plan->steps[cursor->at], counter);
}

static inline struct strata_set strata_cursor_from(const struct strata_cursor *cursor)
{
    int counter = cursor->depth > 0 ? cursor->counter[cursor->depth - 1] : 0;
    return strata_plan_from_of(cursor->plan, &cursor->plan->steps[cursor->at], counter);
}
/* The label of the last PHASE step passed; "" before the first. */
const char *strata_cursor_label(const struct strata_cursor *cursor);

/* Bytes that a block of `bytes` bytes moves in `pass`; 0: it is empty, direct, or has no bytes left
 * for the pass. */
static inline size_t strata_slice(const struct strata_limits *limits, size_t bytes, int pass)
{
    size_t before = (size_t)pass * limits->slice;
    if (bytes > limits->threshold || bytes <= before) {
        return 0;
    }
    return bytes - before < limits->slice ? bytes - before : limits->slice;
}

#endif
