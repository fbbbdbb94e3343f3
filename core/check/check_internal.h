/* Shared by the checker's files alone.
 *
 * The steps of all ranks run in one loop, one step at a time, on symbols. Ranks are named by their
 * number; in clocks and slots by their position (node-major), so that a node's members lie side by
 * side.
 *   check.c             what runs, in which order; deadlock
 *   check_shape.c       mistakes that can be seen before anything runs
 *   check_shape_step.c  the same for a step
 *   check_create.c      the checker's memory
 *   check_step.c        what each step does
 *   check_table.c       steps on lane tables
 *   check_parts.c       lane messages in two parts
 *   check_blocks.h      plans over blocks, which have files of their own
 *   check_value.c       everything that is drawn at random
 *   check_call.c        the beginning and end of a call; over items: what it must have delivered
 *   check_message.c     messages and their matching
 *   check_clock.c       vector clocks, races
 *   check_direct.c      direct blocks that members of a node expose to each other
 *   check_epoch.c       epochs: when memory may be written again
 *   check_report.c      messages for people */
#ifndef STRATA_CORE_CHECK_CHECK_INTERNAL_H
#define STRATA_CORE_CHECK_CHECK_INTERNAL_H

#include "core/base/pair_table.h"
#include "core/check/check.h"
#include "core/engine/node_memory.h"
#include "core/engine/transport.h"

#define CHECK_BLOCKED (-1) /* the step cannot run yet; nothing was changed */
#define CHECK_TOOK    (-2) /* the same, but meanwhile a local peer's block was taken */

/* The value of a block of a plan over blocks: an affine map x -> a * x + c modulo 2^61 - 1. Each
 * input block of each rank is a map drawn at random. Combining two blocks composes the maps or,
 * where order does not matter, adds both numbers. So equal values are made of the same inputs, each
 * as often, in the same order. In a plan that combines from left to right, two numbers are drawn
 * once for all. The left and the right operand are multiplied by them before they are added, so an
 * input's factor tells how often it was on the left and on the right. a = 0: the block holds
 * nothing. */
struct check_value {
    uint64_t a, c;
};

/* A block in memory. Stages are numbered through all ranks: a rank begins a new stage after each
 * wait for all of its messages. */
struct check_block {
    struct check_value value;
    int32_t sent, received; /* the stage in which it is sent from here, or received */
    int32_t written;        /* when its rank last wrote it, by that rank's clock */
    int32_t step, order;    /* the last copying that reads it, and its index in the set of that */
};

/* A posted send or receive. A send is freed when it meets its receive. A receive that is not direct
 * lives on, with the contents of the send, until it is waited for. */
struct check_message {
    int32_t next_free; /* the next free message */
    /* Lane receives: the rank's next one that is not waited for. Lengths: the next lengths whose
     * data were not received. */
    int32_t next_open;
    int32_t lengths;            /* receives of data: the message with their lengths; else -1 */
    int32_t rank, at;           /* the rank that posted it, and the step at which it did */
    int32_t call, lane;         /* call and lane of that step */
    int32_t pass, nitems;       /* lane traffic: the pass, and the number of symbols */
    bool is_send;               /* a send, not a receive */
    struct strata_set set;      /* its items or blocks */
    int64_t capacity;           /* how many symbols it has memory for */
    int32_t *symbols;           /* the sender's entries at its SEND, in set order */
    int64_t value_capacity;     /* how many values it has memory for */
    struct check_value *values; /* the values of the sent blocks, in set order */
    int32_t *clock;             /* the sender's clock at its SEND; NULL without clocks */
};

/* An entry of a lane table: its symbol (source node * nodes + destination node) shifted left, and
 * these bits. */
enum {
    ENTRY_REFERENCE = 1, /* the item lies in the members' slots, or in the caller's input */
    ENTRY_PENDING = 2,   /* a receive is posted for the item, and not waited for */
    ENTRY_SENT = 4,      /* with PENDING: the old item may not leave (again) */
    ENTRY_BITS = 3       /* symbols are shifted by so many bits */
};

struct check_table {
    int32_t *entry;          /* [nodes] */
    int call, pass;          /* the call and pass of these entries; call -1: none yet */
    int64_t items, messages; /* received in this pass */
};

/* A block in a slot, in plans over blocks. */
struct check_cell {
    struct check_block block;
    int32_t written; /* when the slot's writer last wrote it */
    int32_t *read;   /* [largest] when each member last read it in this epoch */
};

/* The contents of one slot. */
struct check_slot {
    int call, pass;          /* the call and pass of these blocks; call -1: none yet */
    int filled;              /* how many positions have a block here */
    uint8_t *holds;          /* [ranks] by position: whether it has a block here */
    struct check_cell *cell; /* [most_cells] the blocks of a plan over blocks */
    int writer;              /* the position that writes here in this epoch, alone */
    int32_t written;         /* when it last wrote; over blocks: when it first did in this epoch */
    int32_t *read;           /* [largest] when each member last read it */
};

/* The depth of a ring in proofs. With a greater depth members could run further ahead, but a plan's
 * effect on its members and slots would be the same. So a small depth is enough, with sequences of
 * calls that go round the ring. */
static inline unsigned strata_check_depth(enum strata_ring_kind ring)
{
    unsigned depth = strata_ring_depth(ring);
    return depth < 8 ? depth : 8;
}

/* A stamp (core/engine/node_memory.h) that a member published, and the member's clock at that
 * time. */
struct check_publication {
    uint64_t stamp;
    int32_t *clock;
};

/* A rank's state in a ring. */
struct check_ring {
    /* As in struct strata_ring; the epoch of pass 0 of this call or, between calls, of the next. */
    uint64_t epoch, all_departed;
    int npublished, published_capacity;
    struct check_publication *published; /* [npublished] by stamp */
};

/* The step that belongs to a time of a rank's clock, to name the other side of a race. */
struct check_stamp {
    int32_t call, at;
};

struct check_rank {
    int rank, position;
    int call;                             /* the call that it is in; ncalls after the last */
    struct strata_cursor cursor;          /* the step that is next */
    struct check_ring ring[STRATA_RINGS]; /* its state in each ring */
    int pass;                             /* the last pass that has begun */
    int incomplete[STRATA_TRAFFIC_KINDS]; /* messages posted, but not complete */
    int64_t requests; /* over items: lane messages that the engine may hold open */
    bool unwaited[STRATA_TRAFFIC_KINDS]; /* a message was posted since the last wait for all */
    int32_t open_head, open_tail;        /* lane receives not waited for, in posted order */
    int32_t known_head, known_tail;      /* lengths that came, whose data were not received */
    int32_t *delivered;                  /* [ranks] over items: slices copied out, by source */
    uint8_t *direct_done;                /* [ranks] over items: direct blocks moved, by distance */
    int direct_last;                     /* the greatest distance of these; -1: none */
    int32_t stage;                       /* over blocks: its stage */
    int32_t input_sent; /* the last stage in which input that is not kept is sent */
    bool in_place;      /* input and output are one memory, block by block */
    bool overlaid;      /* all of the input is lost when anything is written to the output */
    bool input_lost;    /* the input is lost so */
    struct check_block *output, *work;
    int32_t exposed;    /* when it began to expose in this call; -1: not yet */
    int32_t *peer_read; /* when each exposed block was last read (core/check/check_peers.c) */
    int32_t *lent_read; /* [largest] when each member last read a block that it exposes */
    int32_t *told;      /* [largest] when each said that it has taken its direct block; 0: never */
    uint8_t *took;      /* [largest] whether it has taken each member's direct block */
    bool departed;      /* it has left the call, and waits for the readers of its exposed blocks */
    int nopen, open_capacity;
    struct check_open *open; /* [nopen] messages of this stage */
    int32_t *clock;          /* [ranks] its vector clock, by position */
    int stamps_capacity;
    struct check_stamp *stamps; /* the step at each time of its own clock */
};

/* A call, on all ranks. */
struct check_call {
    const struct strata_plan *const *plans;
    /* Rank 0's plan: limits, exchange and nodes are equal on all ranks. */
    const struct strata_plan *common;
    int slices;      /* the most slices of a block */
    int natives;     /* how many ranks ran a native step */
    int direct_in_8; /* how many of 8 blocks are drawn to be direct */
    /* Reductions: [count] or [ranks][count] the values of the output. */
    struct check_value *expected;
    int32_t *began; /* [ranks] of a barrier: when each rank began */
    /* [lanes + 1][ranks] when each member last read, or wrote, each lane; the last row stands for
     * any lane. */
    int32_t *landing_read, *landing_write;
};

struct checker {
    const struct strata_check *options;
    struct strata_diagnostic *message;
    int ranks, ncalls;
    const struct strata_topology *nodes;    /* of the staged calls; NULL when all are flat */
    bool clocks;                            /* some call is staged, or a barrier */
    struct check_call *calls;               /* [ncalls] */
    struct check_rank *rank;                /* [ranks] */
    struct check_table *staged;             /* [nodes][lanes] one landing serves all staged calls */
    int staged_lanes, nstaged;              /* lanes of a node; tables of all nodes */
    bool any_items, any_flat;               /* some call is over items; some such call is flat */
    struct check_table *flat;               /* [ranks] the tables of flat calls */
    bool epochs[STRATA_RINGS];              /* whether some call has epochs of the ring */
    struct check_slot *slots[STRATA_RINGS]; /* [ranks][depth] by position */
    int most_cells;                         /* blocks of a slot, in any call over blocks */
    struct check_landing *landing;          /* [nodes] */
    int32_t stages, copies;                 /* stages and copies of all ranks so far */
    /* Messages of one kind from one rank to another that have not met: all are sends, or all are
     * receives. */
    struct strata_pair_table queues[STRATA_TRAFFIC_KINDS];
    struct check_message *messages; /* [nmessages] */
    int nmessages, free_message;    /* how many there are; the first free one, -1: none */
    uint64_t random;                /* the state of the generator of random numbers */
};

/* check_create.c */
int strata_check_create(struct checker *k);
void strata_check_destroy(struct checker *k);

/* check_shape.c, check_shape_step.c */
int strata_check_shape(const struct checker *k);
const char *strata_check_bad_step(const struct strata_plan *plan, const struct strata_step *step);

/* check_step.c: one function for each kind of step, strata_check_WORD. */
typedef int strata_check_one_step(struct checker *k, struct check_rank *me,
                                  const struct strata_step *step);
strata_check_one_step strata_check_step;
/* check_table.c: messages of items. */
strata_check_one_step strata_check_send_items, strata_check_recv_items;
#define STRATA_CHECK_DECLARE(id, word, ...) strata_check_one_step strata_check_##word;
STRATA_RUN_STEP_TABLE(STRATA_CHECK_DECLARE)
#undef STRATA_CHECK_DECLARE

/* check_call.c */
int strata_check_begin_call(struct checker *k, struct check_rank *me);
int strata_check_end_call(struct checker *k, struct check_rank *me);
int strata_check_deliver_slice(struct checker *k, struct check_rank *me, int source);
int strata_check_deliver_distance(struct checker *k, struct check_rank *me, int distance);
/* check_value.c: whether the block is drawn to be direct in that call. Otherwise it is empty or
 * staged, which no step can tell apart. */
bool strata_check_block_direct(const struct checker *k, int call, int source, int destination);

/* check_table.c */
int strata_check_items_arrived(struct checker *k, struct check_rank *me);
void strata_check_uncertain(struct checker *k, const struct check_rank *me);
/* The lane's table on my node, as a member that uses it in my current pass sees it. */
int strata_check_table_find(struct checker *k, struct check_rank *me, int lane,
                            struct check_table **table);
/* The slot that `owner` (a position) filled for my pass: checks that reading it is in order, and
 * that it holds the blocks of all positions in set. */
int strata_check_slot_holds(struct checker *k, struct check_rank *me, int owner,
                            struct strata_set set);

/* check_parts.c: the parts of a message. The step that posted a message, and the part that it
 * carries (enum strata_how). */
static inline const struct strata_step *strata_check_step_of(const struct checker *k,
                                                             const struct check_message *m)
{
    return &k->calls[m->call].plans[m->rank]->steps[m->at];
}
static inline int strata_check_part(const struct checker *k, const struct check_message *m)
{
    return strata_check_step_of(k, m)->how;
}
/* Notes that lengths have come; receives their data, in the order in which the lengths came; and
 * checks data that have arrived. */
void strata_check_lengths(struct checker *k, struct check_rank *me, int32_t message);
int strata_check_data(struct checker *k, struct check_rank *me, const struct strata_step *step,
                      int32_t message);
int strata_check_data_arrived(struct checker *k, struct check_rank *me, int32_t message);

/* check_message.c: make a message for my current step, then post it. In between, a lane message
 * gets its set, and a send gets its symbols or values. */
int strata_check_message_new(struct checker *k, struct check_rank *me,
                             const struct strata_step *step, bool is_send, int32_t *message);
int strata_check_message_symbols(struct checker *k, int32_t message, int64_t count);
int strata_check_message_values(struct checker *k, int32_t message, int64_t count);
int strata_check_message_post(struct checker *k, struct check_rank *me, enum strata_traffic kind,
                              int peer, int32_t message);
void strata_check_message_free(struct checker *k, int32_t message);
/* Whether both sets have the same items in the same order. */
bool strata_check_same_items(struct strata_set a, struct strata_set b);

/* check_clock.c: the functions do nothing in flat calls. A write must come after all accesses, a
 * read after all writes. */
int strata_check_tick(struct checker *k, struct check_rank *me);
void strata_check_join(struct checker *k, struct check_rank *me, const int32_t *clock);
int strata_check_publish(struct checker *k, struct check_rank *me, uint64_t stamp);
/* The member's earliest publication, in the ring of my call, of that stamp or a later one of its
 * epoch; NULL when there is none. */
const struct check_publication *strata_check_published(const struct check_rank *me,
                                                       const struct check_rank *member,
                                                       uint64_t stamp);
int strata_check_slot_write(struct checker *k, struct check_rank *me, int owner);
int strata_check_slot_read(struct checker *k, struct check_rank *me, int owner);
/* The same for one block of a slot, where blocks lie apart in this epoch. */
int strata_check_cell_write(struct checker *k, struct check_rank *me, struct check_cell *cell);
int strata_check_cell_read(struct checker *k, struct check_rank *me, int owner,
                           struct check_cell *cell);
/* Reports a race: the rank at `position` accessed the memory at that time, and nothing orders this
 * before my access. */
int strata_check_race(const struct checker *k, const struct check_rank *me, const char *what,
                      int position, int32_t time);
/* Checks that all accesses of my node's members at these times, one for each, happened before
 * mine. */
int strata_check_all_before(const struct checker *k, const struct check_rank *me, const char *what,
                            const int32_t *time);
int strata_check_landing_write(struct checker *k, struct check_rank *me, int lane);
int strata_check_landing_read(struct checker *k, struct check_rank *me, int lane);
int strata_check_landing_block(struct checker *k, struct check_rank *me, int position, bool write);

/* check_epoch.c: epochs of the node memory, as in core/engine/engine_epochs.c. The functions do
 * nothing in flat calls. */
static inline enum strata_ring_kind strata_check_ring(const struct check_rank *me)
{
    return (enum strata_ring_kind)me->cursor.plan->blocks.ring;
}

static inline uint64_t strata_check_epoch(const struct check_rank *me)
{
    return me->ring[strata_check_ring(me)].epoch + (uint64_t)me->cursor.pass;
}
/* The slot of `owner` (a position) that my pass uses. */
static inline struct check_slot *strata_check_slot(struct checker *k, const struct check_rank *me,
                                                   int owner)
{
    const enum strata_ring_kind ring = strata_check_ring(me);
    uint64_t depth = strata_check_depth(ring);
    return &k->slots[ring][(uint64_t)owner * depth + strata_check_epoch(me) % depth];
}
int strata_check_slot_open(struct checker *k, struct check_rank *me);
int strata_check_landing_open(struct checker *k, struct check_rank *me);
int strata_check_leave(struct checker *k, struct check_rank *me, uint64_t epoch);
/* Whether all members have left the call at whose end I am. */
int strata_check_call_departed(struct checker *k, struct check_rank *me);
/* Takes it that my slot is open: I have heard of a member, whose own was open before it
 * signalled. */
void strata_check_hear_one(struct check_rank *me);
/* Checks that I have heard of all members in this epoch, as I claim. */
int strata_check_hear_all(struct checker *k, struct check_rank *me);

/* check_report.c: "call c, rank r, step s (word, "label"): ..." */
int strata_check_fail(const struct checker *k, const struct check_rank *me, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* "step s (word)" of any rank's call. */
#define CHECK_TEXT 96
struct check_text {
    char text[CHECK_TEXT];
};
struct check_text strata_check_step_text(const struct checker *k, int call, int rank, int at);
struct check_text strata_check_set_text(struct strata_set set);
int strata_check_deadlock(const struct checker *k);

/* Small helpers. */
static inline const struct strata_plan *plan_of(const struct check_rank *me)
{
    return me->cursor.plan;
}

static inline const struct strata_topology *topology_of(const struct check_rank *me)
{
    return me->cursor.plan->topology;
}

static inline bool over_blocks(const struct check_rank *me)
{
    return strata_plan_over_blocks(me->cursor.plan);
}

static inline bool strata_check_is_barrier(const struct strata_plan *plan)
{
    return strata_plan_over_blocks(plan) && plan->collective == STRATA_BARRIER;
}

static inline bool is_staged(const struct check_rank *me)
{
    return me->cursor.plan->exchange.staged;
}

static inline uint64_t check_mix(uint64_t x)
{
    x = (x ^ (x >> 31)) * 0x7fb5d329728ea185u;
    x = (x ^ (x >> 27)) * 0x81dadef4bc2dd44du;
    return x ^ (x >> 33);
}

#endif
