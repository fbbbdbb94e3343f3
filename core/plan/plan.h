/* A plan: what one rank does in one collective, as a short immutable program over sets of items.
 *
 * Steps name peers, sets, lanes and node members, never addresses or byte counts, so one plan
 * serves every size, count vector and datatype. Built by a pure function (core/plan/algorithm.h),
 * printed and parsed (core/text/plan_text.h), proved (core/check/check.h), estimated
 * (core/cost/plan_cost.h) and run (core/engine/engine.h).
 *
 * The kinds of steps are the table of core/plan/step_kinds.h. There are two families of them, and
 * a plan uses one.
 *
 * Plans over blocks: data are numbered blocks (core/plan/collective.h), and steps send, receive,
 * copy and reduce sets of them. A box of such a set says in which store its blocks lie:
 *   input, output   the caller's buffers.
 *   work            memory of this rank, `blocks.work` blocks: number w is as long as block
 *                   (blocks.work_first + w) mod blocks.count; with `blocks.work_alike` as block
 *                   blocks.work_first.
 *   shared          one block for each position (ranks in node-major order), in the node's memory:
 *                   those of its own members in their slots, others in the landing. A slot has one
 *                   writer: its owner, or a scatter's root. Where ranks have a vector each: one
 *                   vector for each position.
 *   slot            a vector's segments, or all blocks of the ranks, in the slots of this node's
 *                   members: number m * blocks.count + i is block i in the slot of member m. A slot
 *                   holds `blocks.slot` of them at a time: pass p moves p * slot .. (p + 1) * slot
 *                   - 1.
 * mate_input, mate_work what the members of this node expose to each other, where it lies: number
 *                   m * blocks.count + i is block i of the input of member m, or its block of work
 *                   that is for block i. They are read only, from its first signal on; who exposes
 *                   does not leave the call before all have read.
 * With `blocks.by_position` a block's number in work and slot is the position of its rank. Blocks
 * of ranks that do not fit in the node's memory go in slices of limits.slice bytes (without a
 * threshold): then the whole plan is repeated in each pass, for that slice of each block. Lengths
 * follow from the call's arguments on every rank that moves a block. Where only the root knows
 * them (gatherv, scatterv), a plan that shares memory has a limits.threshold: a longer block has
 * no bytes in it, and goes from rank to rank by itself (api/call/lengths.c); with exchange.exposes
 * that between the root and its local peer is exposed, from the first signal on, and taken when the
 * steps are done.
 *
 * Plans over items (alltoall and alltoallv of small blocks, whose lengths only their two ends
 * know):
 *   input, output   the caller's buffers: one block for each destination, one for each source.
 *   slot            this member's place in its node's memory (staged plans only): its outgoing
 *                   blocks in the order (node, lane, local index), and its length tables. Steps
 *                   name them by the position of their destination.
 *   lane table      SLOAV's element index table, one for each lane: `nodes` entries, each saying
 *                   where an item lies and how long it is. Item k is the message between two nodes
 *                   at distance k; it lists for each source of the first, in order, its blocks for
 *                   that lane's destinations of the second, in order. A message's set of the
 *                   store items is of entries of its step's lane.
 * A block is staged when it is not empty and at most limits.threshold bytes, direct when larger.
 * With `exchange.lends` direct blocks for members of the own node are exposed from the first copy
 * to the slot on, where they lie, and taken where direct messages are waited for. A staged block
 * moves in limits.passes slices of limits.slice bytes, one in each pass. */
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

/* What a member signals in a pass. Whoever signals more than "arrived" has heard of everybody. */
enum strata_signal {
    STRATA_SIGNAL_ARRIVED = 1,  /* my slot is filled, and those of my subtree of the signal tree */
    STRATA_SIGNAL_RELEASED = 2, /* I have heard of everybody: so are all slots */
    STRATA_SIGNAL_DONE = 3,     /* a leader: the tables of all lanes I lead are final */
    STRATA_SIGNALS              /* that many, with 0: none */
};
extern const char *const strata_signal_word[STRATA_SIGNALS]; /* from index 1 on */

#define STRATA_ALL_MEMBERS (-1)

/* How the blocks of a message that do not lie side by side travel; and what of items a step moves:
 * both ends move the same, the lengths before their data. */
enum strata_how {
    STRATA_AS_FITS = 0, /* where they lie if side by side; else packed */
    STRATA_PACKED,      /* always packed, so that the blocks sent may be overwritten at once */
    STRATA_TYPED,       /* where they lie, described to the transport by a type of its own */
    STRATA_LENGTHS,
    STRATA_DATA,
    STRATA_HOWS,
    STRATA_WHOLE = STRATA_AS_FITS /* items with their lengths */
};
extern const char *const strata_how_word[STRATA_HOWS];

/* Whether blocks, or items, may travel so. */
static inline bool strata_how_fits(unsigned how, bool items)
{
    return how == STRATA_AS_FITS || (how < STRATA_HOWS && items == (how >= STRATA_LENGTHS));
}

/* Fields that a step kind does not use are 0. In the body of a repeat with counter i = 0, 1, ... a
 * set's items are shifted by i * set_step (modulo the space). */
struct strata_step {
    uint8_t op;        /* enum strata_op */
    uint8_t workshare; /* the thread team may share the copying */
    uint8_t direct;    /* WAIT: on direct messages instead of lane messages */
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

/* Bounds that all ranks know to be equal; strata_limits_find finds them from the capacity. */
struct strata_limits {
    size_t threshold; /* bytes; a larger block goes rank to rank */
    size_t slice;     /* bytes of a block moved in one pass */
    int passes;       /* >= 1; threshold <= passes * slice */
};

/* How the between-node part is laid out; equal on all ranks. */
struct strata_exchange {
    int lanes;   /* lane tables; 1 for flat plans; 0 where no table is used */
    bool staged; /* items come from members' slots; otherwise from the input (flat) */
    /* staged: direct blocks for members of the node are exposed, not sent */
    bool exposes;
    int64_t lane_items;    /* items that one leader receives on a lane in a pass */
    int64_t lane_messages; /* messages that one leader receives on a lane in a pass */
};

/* Which ring of the node's memory a plan uses: few places with slots as large as can be, or more
 * places with small or middling ones, so that who waits for nobody may run further ahead. */
enum strata_ring_kind { STRATA_LARGE_RING, STRATA_SMALL_RING, STRATA_MIDDLE_RING, STRATA_RINGS };

/* What the members of a node expose to each other: bits. */
enum strata_exposed { STRATA_EXPOSES_INPUT = 1, STRATA_EXPOSES_WORK = 2 };

/* The blocks of a plan over blocks; all zero in plans over items. Equal on all ranks, but work. */
struct strata_blocks {
    /* Blocks 0 .. count-1: of the ranks, or the segments that the vector is cut into. */
    int32_t count;
    /* Blocks that the work store has. */
    int32_t work;
    /* The block that work block 0 is. */
    int32_t work_first;
    /* Whether all work blocks are block work_first, each of another rank. */
    bool work_alike;
    /* Segments that a member's slot holds in a pass; count is passes times slot. With slot, exposes
     * or shared the plan is staged, without lanes. */
    int32_t slot;
    /* enum strata_ring_kind; not the large ring only where all blocks lie in slots. */
    uint8_t ring;
    /* Bits of enum strata_exposed. */
    uint8_t exposes;
    /* Whether the shared store is used. */
    bool shared;
    /* Whether work and slot blocks are numbered by position; of ranked collectives only. */
    bool by_position;
    /* Whether input is read after output was written: a call in place saves the input first. */
    bool keeps_input;
    /* Whether the blocks of shared or slot lie in the output, which is one memory for all members
     * of a node. The result is there once, and no member copies it out. Only one member of a node
     * has blocks in its slot. */
    bool once;
};

/* What the engine reserves for a plan over blocks, found when it is finished: the most that is
 * posted, sent and received, between two waits for all. */
struct strata_posting {
    int32_t messages;
    int64_t items; /* blocks in all of these messages */
    /* Blocks in the messages that are packed wherever the blocks lie: sets of more than one run,
     * and STRATA_PACKED. */
    int64_t split_items;
    int64_t typed_items; /* blocks in the largest STRATA_TYPED message */
};

struct strata_plan_set {
    int32_t first_box, nboxes;
};

#define STRATA_MARK_BITS 13 /* of a plan's mark */

struct strata_plan {
    enum strata_collective collective;
    char name[96];    /* algorithm with its parameters: "leaders:leaders=1,radix=2" */
    int rank;         /* whose plan this is */
    int root;         /* rooted collectives; else 0 */
    unsigned mark;    /* of calls of this collective and root: core/engine/node_memory.h */
    bool keeps_order; /* operands are combined in the order of ranks: for any operator */
    bool left_fold; /* operands are combined strictly from left to right: ((x0 o x1) o x2) o ... */
    /* Borrowed; must outlive the plan. Of flat plans the flat topology. */
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

/* The set of a step in iteration `counter` of the innermost repeat around it; empty where the step
 * has none. Each box is shifted modulo its own space. */
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

/* A plan over blocks. */
static inline bool strata_plan_over_blocks(const struct strata_plan *plan)
{
    return plan->blocks.count > 0;
}

/* Whether a rank knows the lengths of those blocks only that it moves (gatherv, scatterv). */
static inline bool strata_lengths_told(const struct strata_plan *plan)
{
    return strata_plan_over_blocks(plan) && plan->limits.threshold > 0;
}

/* Whether one rank, a scatter's root, writes into the slots of all members of its node. */
static inline bool strata_plan_root_writes(const struct strata_plan *plan)
{
    return plan->blocks.shared && strata_collective_info[plan->collective].root == 'i';
}

/* Whether its blocks, which are the ranks', go in slices, one in each pass. */
static inline bool strata_plan_slices(const struct strata_plan *plan)
{
    return plan->blocks.count > 0 && plan->limits.threshold == 0 && plan->limits.slice > 0;
}

/* In how many passes, on average, the bytes of a ranked block move. */
static inline double strata_plan_slice_count(const struct strata_plan *plan)
{
    return strata_plan_slices(plan) ? plan->limits.passes : 1;
}

/* Whether direct blocks between this plan's rank and that one are exposed: it is a local peer. */
static inline bool strata_plan_exposes_to(const struct strata_plan *plan, int rank)
{
    const struct strata_topology *t = plan->topology;
    return plan->exchange.exposes && rank != plan->rank &&
           t->node_of[rank] == t->node_of[plan->rank];
}

/* In which store of a plan over items the blocks are that a step reads or writes: a message's on
 * its lane, copied ones in the input, by position, and in the slot. */
static inline enum strata_store strata_items_store(const struct strata_step *step, bool from)
{
    return strata_step_has(step->op, STRATA_HAS_PEER) ? STRATA_ITEMS
           : from                                     ? STRATA_INPUT_AT
                                                      : STRATA_SLOT;
}

/* How many there are. */
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
/* awaited[member] := the signals that the plan's rank awaits of each member of its node, bit 1 <<
 * signal. A signal is awaited once: later steps find the flag there. Bit 0: it waits until the
 * member has left the pass that had the place of its slot before; who hears of everybody does
 * not. */
void strata_plan_awaits(const struct strata_plan *plan, unsigned char *awaited);

/* How many blocks the slot store has on this node; 0: there is none, or they are too many. */
static inline int32_t strata_slot_store(const struct strata_plan *plan)
{
    const struct strata_topology *t = plan->topology;
    int64_t members = strata_topology_node_size(t, t->node_of[plan->rank]);
    int64_t blocks = plan->blocks.slot > 0 ? members * plan->blocks.count : 0;
    return blocks <= INT32_MAX ? (int32_t)blocks : 0;
}

/* How many blocks a store that local peers read has on this node; 0: it is not exposed, or they are
 * too many. */
static inline int32_t strata_peer_store(const struct strata_plan *plan, int store)
{
    const struct strata_topology *t = plan->topology;
    int exposed = store == STRATA_PEER_INPUT ? STRATA_EXPOSES_INPUT : STRATA_EXPOSES_WORK;
    int64_t members = strata_topology_node_size(t, t->node_of[plan->rank]);
    int64_t blocks = plan->blocks.exposes & exposed ? members * plan->blocks.count : 0;
    return blocks <= INT32_MAX ? (int32_t)blocks : 0;
}

/* Which block of the collective number `index` of a store is for: its length is that block's. */
int strata_block_number(const struct strata_plan *plan, int store, int index);

/* Walks the steps in the order they run, with repeats unrolled. Engine, checker and cost share it.
 * The repeats must match up, as the builder sees to; a move costs O(1) and allocates nothing. */
#define STRATA_REPEAT_DEPTH 4
struct strata_cursor {
    const struct strata_plan *plan;
    int at;    /* index of the current step; plan->nsteps at the end */
    int depth; /* open repeats */
    int counter[STRATA_REPEAT_DEPTH];
    int begin[STRATA_REPEAT_DEPTH]; /* index of the REPEAT step */
    int pass;                       /* counter of the passes repeat: 0 before, the last after it */
    int label;                      /* of the last PHASE step passed; -1 before the first */
};

static inline void strata_cursor_begin(struct strata_cursor *cursor, const struct strata_plan *plan)
{
    *cursor = (struct strata_cursor){.plan = plan, .label = -1};
}
/* Past a REPEAT or END. */
void strata_cursor_repeat(struct strata_cursor *cursor);
/* The step to run now, NULL at the end; PHASE, REPEAT and END are dealt with inside and never
 * returned. Calling it again without strata_cursor_advance gives the same step. */
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

/* How many bytes of a block of `bytes` bytes move in `pass`: 0 when empty or direct. */
static inline size_t strata_slice(const struct strata_limits *limits, size_t bytes, int pass)
{
    size_t before = (size_t)pass * limits->slice;
    if (bytes > limits->threshold || bytes <= before) {
        return 0;
    }
    return bytes - before < limits->slice ? bytes - before : limits->slice;
}

#endif
