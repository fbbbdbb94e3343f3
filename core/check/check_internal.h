/* What the checker's files share, and nobody else sees.
 *
 * All ranks' steps are run in one loop, one step at a time, on symbols. Ranks are named by their
 * number, in clocks and slots by their position (node-major), so that a node's members lie side by
 * side.
 *   check.c          what is run, in which order; deadlock
 *   check_shape.c    what can be seen to be wrong before anything runs
 *   check_shape_step.c  the same of a step
 *   check_create.c   its memory
 *   check_step.c     what each step does
 *   check_table.c    steps on lane tables
 *   check_parts.c    lane messages in two parts
 *   check_blocks.h   plans over blocks, which have files of their own
 *   check_value.c    what is drawn at random
 *   check_call.c     where a call begins and ends; over items: what it must have delivered
 *   check_message.c  messages and their matching
 *   check_clock.c    vector clocks, races
 *   check_direct.c   direct blocks that members of a node expose to each other
 *   check_epoch.c      epochs: who may write what again
 *   check_report.c   messages for people */
#ifndef STRATA_CORE_CHECK_CHECK_INTERNAL_H
#define STRATA_CORE_CHECK_CHECK_INTERNAL_H

#include "core/base/pair_table.h"
#include "core/check/check.h"
#include "core/engine/node_memory.h"
#include "core/engine/transport.h"

#define CHECK_BLOCKED (-1) /* a step cannot run yet; nothing was changed */
#define CHECK_TOOK    (-2) /* nor this one, but a local peer's block was taken meanwhile */

/* What a block of a plan over blocks holds: an affine map x -> a * x + c modulo 2^61 - 1. Each
 * input block of each rank is one drawn at random; combining two composes them or, where order does
 * not matter, adds both numbers. So equal values are made of the same inputs, each as often, in the
 * same order. In a plan that combines from left to right two numbers are drawn once for all, by
 * which the left operand and the right one are multiplied before they are added: an input's factor
 * tells how often it was on the left and on the right. a = 0: nothing. */
struct check_value {
    uint64_t a, c;
};

/* A block in memory. Stages are numbered through all ranks: a rank's is a new one after each wait
 * for all of its messages. */
struct check_block {
    struct check_value value;
    int32_t sent, received; /* the stage in which it is sent from here, or received */
    int32_t written;        /* by its own rank's clock, when that last wrote it */
    int32_t step, order;    /* the copying that reads it, and where in its set it stands */
};

/* A posted send or receive. A send is freed when it meets its receive; a receive that is not a
 * direct one lives on, with what the send carried, until it is waited for. */
struct check_message {
    int32_t next_free;
    int32_t next_open;    /* lane receives: the rank's next one that is not waited for; lengths: the
                             next whose data were not received */
    int32_t lengths;      /* receives of data: the message that brought their lengths; else -1 */
    int32_t rank, at;     /* who posted it, at which step */
    int32_t call, lane;   /* of that step */
    int32_t pass, nitems; /* lane traffic: its pass, and how many symbols it carries */
    bool is_send;
    struct strata_set set;
    int64_t capacity; /* of symbols */
    int32_t *symbols; /* what the sender's entries were at its SEND, in set order */
    int64_t value_capacity;
    struct check_value *values; /* what its blocks held, in set order */
    int32_t *clock;             /* the sender's, at its SEND; NULL without clocks */
};

/* An entry of a lane table: its symbol (source node * nodes + destination node) shifted left, and
 * what is known of it. */
enum {
    ENTRY_REFERENCE = 1, /* lies in the members' slots, or in the caller's input */
    ENTRY_PENDING = 2,   /* a receive is posted for it and not waited for */
    ENTRY_SENT = 4,      /* with PENDING: what it held may not leave (again) */
    ENTRY_BITS = 3       /* symbols are shifted by this */
};

struct check_table {
    int32_t *entry;          /* [nodes] */
    int call, pass;          /* whose entries these are; call -1: nobody's yet */
    int64_t items, messages; /* received in this pass */
};

/* A block of a plan over blocks in a slot. */
struct check_cell {
    struct check_block block;
    int32_t written; /* when the slot's writer last wrote it */
    int32_t *read;   /* [largest] when each member last read it in this epoch */
};

/* What lies in one place of a member's slot. */
struct check_slot {
    int call, pass;          /* whose blocks these are; call -1: nobody's yet */
    int filled;              /* how many positions */
    uint8_t *holds;          /* [ranks] by position */
    struct check_cell *cell; /* [most_cells] of a plan over blocks */
    int writer;              /* by position: the first who writes in this epoch alone does so */
    int32_t written;         /* when it last wrote it; over blocks: first in this epoch */
    int32_t *read;           /* [largest] when each member last read it */
};

/* Places of a ring in proofs. More of them let members go further ahead, but what a plan has to say
 * of its members and of its slots is the same; so few are enough, and calls that go round them. */
static inline unsigned strata_check_depth(enum strata_ring_kind ring)
{
    unsigned depth = strata_ring_depth(ring);
    return depth < 8 ? depth : 8;
}

/* A stamp (core/engine/node_memory.h) that a member published, and what had happened before. */
struct check_publication {
    uint64_t stamp;
    int32_t *clock;
};

/* What a rank does in a ring. */
struct check_ring {
    uint64_t epoch, all_departed; /* as the engine counts; of pass 0 of this call, or the next */
    int npublished, published_capacity;
    struct check_publication *published;
};

/* Where a rank's clock stood at a step, to name the other side of a race. */
struct check_stamp {
    int32_t call, at;
};

struct check_rank {
    int rank, position;
    int call; /* ncalls when all are done */
    struct strata_cursor cursor;
    struct check_ring ring[STRATA_RINGS];
    int pass;                             /* the last one begun */
    int incomplete[STRATA_TRAFFIC_KINDS]; /* posted, not complete */
    bool unwaited[STRATA_TRAFFIC_KINDS];  /* something was posted since the last wait for all */
    int32_t open_head, open_tail;         /* lane receives not waited for, in posted order */
    int32_t known_head, known_tail;       /* lengths that came, and whose data were not received */
    int32_t *delivered;                   /* [ranks] over items: slices copied out, by source */
    uint8_t *direct_done;                 /* [ranks] over items: by distance */
    int32_t stage;                        /* over blocks: since the last wait for all */
    int32_t input_sent; /* the last stage in which input that lies apart is sent */
    bool in_place;      /* input and output are one memory, block by block */
    bool overlaid;      /* all of the input is lost when something is written to the output */
    bool input_lost;
    struct check_block *output, *work;
    int32_t exposed;    /* when it began to expose in this call; -1: not yet */
    int32_t *peer_read; /* core/check/check_peers.c */
    int32_t *lent_read; /* [largest] when each member last read what it exposes in this call */
    int32_t *told;      /* [largest] when each said that it has taken its direct block; 0: never */
    uint8_t *took;      /* [largest] whether it has taken each one's direct block */
    bool departed;      /* it has said so, and waits for those that it exposes blocks to */
    int nopen, open_capacity;
    struct check_open *open; /* messages of this stage */
    int32_t *clock;          /* [ranks] by position */
    int stamps_capacity;
    struct check_stamp *stamps; /* by my own clock */
};

/* What a call looks like on all ranks. */
struct check_call {
    const struct strata_plan *const *plans;
    const struct strata_plan *common; /* rank 0's: limits, exchange and nodes are everybody's */
    int slices;                       /* of a block, at most */
    int natives;                      /* ranks that ran a native step */
    int direct_in_8;                  /* of 8 blocks, how many are drawn to be direct */
    struct check_value *expected;     /* reductions: [count], or [ranks][count] */
    int32_t *began;                   /* [ranks] barriers: when each rank began */
    int32_t *landing_read, *landing_write; /* [lanes + 1][ranks]: when each member last touched a
                                              lane; the last row is any lane */
};

struct checker {
    const struct strata_check *options;
    struct strata_diagnostic *message;
    int ranks, ncalls;
    const struct strata_topology *nodes; /* of the staged calls; NULL when all are flat */
    bool clocks;                         /* some call is staged, or a barrier */
    struct check_call *calls;
    struct check_rank *rank;
    struct check_table *staged; /* [nodes][lanes]: one landing serves all staged calls */
    int staged_lanes, nstaged;
    bool any_items, any_flat;               /* some call is over items; and not staged */
    struct check_table *flat;               /* [ranks] */
    bool epochs[STRATA_RINGS];              /* whether some call does */
    struct check_slot *slots[STRATA_RINGS]; /* [ranks][places] by position */
    int most_cells;                         /* of a slot, of all calls over blocks */
    struct check_landing *landing;          /* [nodes] */
    int32_t stages, copies;                 /* so far, of all ranks */
    /* Messages of one kind from one rank to another that have not met: all sends or all
     * receives. */
    struct strata_pair_table queues[STRATA_TRAFFIC_KINDS];
    struct check_message *messages;
    int nmessages, free_message;
    uint64_t random;
};

/* create */
int strata_check_create(struct checker *k);
void strata_check_destroy(struct checker *k);

/* shape, shape_step */
int strata_check_shape(const struct checker *k);
const char *strata_check_bad_step(const struct strata_plan *plan, const struct strata_step *step);

/* step: what each does, strata_check_WORD */
typedef int strata_check_one_step(struct checker *k, struct check_rank *me,
                                  const struct strata_step *step);
strata_check_one_step strata_check_step;
/* table: messages of items. */
strata_check_one_step strata_check_send_items, strata_check_recv_items;
#define STRATA_CHECK_DECLARE(id, word, ...) strata_check_one_step strata_check_##word;
STRATA_RUN_STEP_TABLE(STRATA_CHECK_DECLARE)
#undef STRATA_CHECK_DECLARE

/* call */
int strata_check_begin_call(struct checker *k, struct check_rank *me);
int strata_check_end_call(struct checker *k, struct check_rank *me);
int strata_check_deliver_slice(struct checker *k, struct check_rank *me, int source);
int strata_check_deliver_distance(struct checker *k, struct check_rank *me, int distance);
/* value: whether the block is drawn to be direct in that call; otherwise it is empty or staged,
 * which no step can tell apart. */
bool strata_check_block_direct(const struct checker *k, int call, int source, int destination);

/* table */
int strata_check_items_arrived(struct checker *k, struct check_rank *me);
void strata_check_uncertain(struct checker *k, const struct check_rank *me);
/* The lane's table on my node, as its user in my current pass sees it. */
int strata_check_table_find(struct checker *k, struct check_rank *me, int lane,
                            struct check_table **table);
/* The slot that `owner` (position) filled for my pass: reading it must be in order, and it must
 * hold the blocks of all positions in set. */
int strata_check_slot_holds(struct checker *k, struct check_rank *me, int owner,
                            struct strata_set set);

/* parts: of a message. The step that posted it, and which part of it that moves (enum strata_how).
 */
static inline const struct strata_step *strata_check_step_of(const struct checker *k,
                                                             const struct check_message *m)
{
    return &k->calls[m->call].plans[m->rank]->steps[m->at];
}
static inline int strata_check_part(const struct checker *k, const struct check_message *m)
{
    return strata_check_step_of(k, m)->how;
}
/* Lengths have come; their data are received now, in the order in which the lengths came; and have
 * arrived. */
void strata_check_lengths(struct checker *k, struct check_rank *me, int32_t message);
int strata_check_data(struct checker *k, struct check_rank *me, const struct strata_step *step,
                      int32_t message);
int strata_check_data_arrived(struct checker *k, struct check_rank *me, int32_t message);

/* message: make one for my current step, then post it. A lane message is given its set, and a send
 * its symbols, in between. */
int strata_check_message_new(struct checker *k, struct check_rank *me,
                             const struct strata_step *step, bool is_send, int32_t *message);
int strata_check_message_symbols(struct checker *k, int32_t message, int64_t count);
int strata_check_message_values(struct checker *k, int32_t message, int64_t count);
int strata_check_message_post(struct checker *k, struct check_rank *me, enum strata_traffic kind,
                              int peer, int32_t message);
void strata_check_message_free(struct checker *k, int32_t message);
/* The same items in the same order? */
bool strata_check_same_items(struct strata_set a, struct strata_set b);

/* clock: each does nothing in flat calls. A write must come after everything, a read after all
 * writes. */
int strata_check_tick(struct checker *k, struct check_rank *me);
void strata_check_join(struct checker *k, struct check_rank *me, const int32_t *clock);
int strata_check_publish(struct checker *k, struct check_rank *me, uint64_t stamp);
/* In the ring of my call, the member's earliest publication of that stamp or a later one of its
 * use; NULL when there is none. */
const struct check_publication *strata_check_published(const struct check_rank *me,
                                                       const struct check_rank *member,
                                                       uint64_t stamp);
int strata_check_slot_write(struct checker *k, struct check_rank *me, int owner);
int strata_check_slot_read(struct checker *k, struct check_rank *me, int owner);
/* The same of one block in it, where it lies apart from others in this epoch. */
int strata_check_cell_write(struct checker *k, struct check_rank *me, struct check_cell *cell);
int strata_check_cell_read(struct checker *k, struct check_rank *me, int owner,
                           struct check_cell *cell);
/* The rank at `position` was there at that time, and I cannot know whether before me. */
int strata_check_race(const struct checker *k, const struct check_rank *me, const char *what,
                      int position, int32_t time);
/* Has everything that my node's members did at these times, one for each, happened before? */
int strata_check_all_before(const struct checker *k, const struct check_rank *me, const char *what,
                            const int32_t *time);
int strata_check_landing_write(struct checker *k, struct check_rank *me, int lane);
int strata_check_landing_read(struct checker *k, struct check_rank *me, int lane);
int strata_check_landing_block(struct checker *k, struct check_rank *me, int position, bool write);

/* uses: of the node's memory, as in core/engine/engine_epochs.c; they do nothing in flat calls. */
static inline enum strata_ring_kind strata_check_ring(const struct check_rank *me)
{
    return (enum strata_ring_kind)me->cursor.plan->blocks.ring;
}

static inline uint64_t strata_check_epoch(const struct check_rank *me)
{
    return me->ring[strata_check_ring(me)].epoch + (uint64_t)me->cursor.pass;
}
/* The slot of `owner` (position) that my pass uses. */
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
/* All have left the call that I am at the end of. */
int strata_check_call_departed(struct checker *k, struct check_rank *me);
/* I claim to have heard of all members in this epoch. */
int strata_check_hear_all(struct checker *k, struct check_rank *me);

/* report: "call c, rank r, step s (word, "label"): ..." */
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

/* small helpers */
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
