/* What the engine's files share. */
#ifndef STRATA_CORE_ENGINE_ENGINE_INTERNAL_H
#define STRATA_CORE_ENGINE_ENGINE_INTERNAL_H

#include "core/engine/engine_sizes.h"

/* A message of blocks on its way that is unpacked at the wait. */
struct strata_open_blocks {
    struct strata_set set;
    unsigned char *packed;
    size_t bytes;
};

struct strata_slot {
    struct strata_slot_header *header;
    uint32_t *offset, *expect, *length; /* the last two: NULL where there are none */
    size_t tables;                      /* bytes up to their end */
    unsigned char *data;
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

/* A receive that is not waited for; or lengths that are there, and whose items are not. */
struct strata_open_recv {
    int32_t lane, items, peer;
    uint8_t part; /* enum strata_how */
    bool arrived; /* STRATA_LENGTHS: they are there */
    struct strata_set set;
    size_t head, data; /* where header and lengths lie, and the items; from the lane's beginning */
    uint32_t *kept;    /* the same lengths, or room for them; NULL: they are not kept */
};

_Static_assert(sizeof(struct strata_open_recv) <= STRATA_OPEN_RECV_BYTES,
               "scratch has room for it");

/* Whether the call runs on, for what has been noted leaves the ranks in step. */
static inline bool strata_in_step(const struct strata_execution *x)
{
    int status = x->progress.status;
    return status == STRATA_OK || status == STRATA_ERR_TRUNCATE || status == STRATA_ERR_ARGUMENT;
}

/* Whether a rank knows the lengths of those blocks only that it moves (gatherv, scatterv). */
static inline bool strata_lengths_told(const struct strata_plan *plan)
{
    return strata_plan_over_blocks(plan) && plan->limits.threshold > 0;
}

/* core/engine/engine_said.c: of such a plan, what is said in slots of how long blocks are. Whether
 * it is said of the blocks of all mates, by who writes them into their slots, or of one's own; */
static inline bool strata_says_of_all(const struct strata_plan *plan)
{
    return strata_lengths_told(plan) && strata_plan_root_writes(plan);
}
/* what I say of a position's block, and of all that I lend, or write: the longest; */
uint64_t strata_said_of(const struct strata_execution *x, int position);
uint64_t strata_said_of_longest(const struct strata_execution *x);
/* in whose slot it is said how long what I read of the member is; how long I expect it to be. */
static inline int strata_said_in(const struct strata_execution *x, int member)
{
    return strata_says_of_all(x->plan) ? x->ring->me : member;
}
uint64_t strata_expected_of(const struct strata_execution *x, int member);

/* Whether a plan over blocks brings the figures that plans over items bring. */
static inline bool strata_agrees_on_sizes(const struct strata_plan *plan)
{
    return plan->blocks.lends && strata_collective_transposes(plan->collective);
}

/* Whether lane messages are nothing but their items. */
static inline bool strata_lengths_known(const struct strata_execution *x)
{
    return x->kept && x->kept->known;
}

/* Of the pass that the call is in. */
static inline uint64_t strata_pass_use(const struct strata_execution *x)
{
    return x->progress.use + (uint64_t)x->cursor.pass;
}

/* The side, by rank, whose direct blocks leave; and the one where they come. */
static inline const struct strata_layout *strata_direct_out(const struct strata_execution *x)
{
    return x->direct ? &x->direct[0] : &x->input;
}

static inline const struct strata_layout *strata_direct_in(const struct strata_execution *x)
{
    return x->direct ? &x->direct[1] : &x->output;
}

/* Whether the block of that rank is direct. */
static inline bool strata_is_direct(const struct strata_execution *x,
                                    const struct strata_layout *side, int rank)
{
    return strata_layout_bytes(side, rank) > x->plan->limits.threshold;
}

/* core/engine/engine_lend.c: whether mates can read a spot as it lies; how many pieces are listed
 * for that, at most: none where it lies in one; lends it, and lists them from *list on, which it
 * moves on. */
bool strata_is_lendable(const struct strata_execution *x, const struct strata_spot *spot);
size_t strata_listed_pieces(const struct strata_spot *spot);
struct strata_loan strata_lend_spot(const struct strata_spot *spot, struct strata_range **list);
/* What is left of a list from its byte `skip` on, `bytes` bytes; returns how many pieces, which
 * begin at *list. */
size_t strata_cut_list(struct strata_range **list, size_t count, size_t skip, size_t bytes);

/* Whether a direct block that leaves is saved before: what comes may lie over it, or a mate could
 * not read it as it lies. */
static inline bool strata_is_saved(const struct strata_execution *x, int rank)
{
    struct strata_spot spot = strata_layout_spot(strata_direct_out(x), rank);
    return (x->in_place && !x->direct) ||
           (strata_plan_lends_to(x->plan, rank) && !strata_is_lendable(x, &spot));
}

/* Divides off what taking mates' blocks needs; returns what comes behind it. */
static inline unsigned char *strata_take_fetching(struct strata_execution *x, unsigned char *at)
{
    x->progress.fetched = at;
    x->progress.listed = (struct strata_range *)(void *)(at + STRATA_FETCH_BYTES);
    return at + STRATA_FETCH_SCRATCH;
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

/* Whether its slots say more than where each lane's part begins: a lane may have several
 * destinations on a node, or people are to be told who is wrong. */
static inline bool strata_slot_has_lengths(const struct strata_execution *x)
{
    return x->plan->exchange.lanes < x->plan->topology->largest || x->check;
}

/* The length word of a side's block, in this pass. My own block goes through a slot in place only,
 * because what comes may lie over it. */
static inline uint32_t strata_block_word(const struct strata_execution *x,
                                         const struct strata_layout *side, int rank,
                                         bool first_source, bool first_destination)
{
    bool own = rank == x->plan->rank && !x->in_place;
    return own ? 0
               : strata_length_word(&x->plan->limits, strata_layout_bytes(side, rank),
                                    x->cursor.pass, first_source, first_destination);
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

/* What runs a step: STRATA_OK, STRATA_PENDING or an error. */
typedef int strata_run_step(struct strata_execution *x, const struct strata_step *step);

/* The ring of the plan, and the next use of it, which is the call's. */
static inline void strata_find_use(struct strata_execution *x)
{
    struct strata_ring *ring = &x->memory->ring[x->plan->blocks.ring];
    x->ring = ring;
    x->progress.use = ring->use;
}

/* core/engine/engine.c: where its tape stops, at that step of the plan: it is pending, has failed,
 * or is left, and then the plan is walked on from there. Returns as advance does. */
#define STRATA_TAPE_LEFT (-2)
int strata_engine_stop_tape(struct strata_execution *x, int at, int result);

/* core/engine/engine_node.c */
struct strata_slot strata_slot_of(const struct strata_execution *x, int member);
/* This rank's tables of its next pass, and where its data would lie behind them, at `at`. */
struct strata_slot strata_slot_tables(struct strata_execution *x, unsigned char *at);
/* Its own blocks' figures: the longest ones, and all that it sends. */
void strata_measure_blocks(struct strata_execution *x);
/* A copy of items. */
strata_run_step strata_copy_in;
/* What I expect of each position. */
void strata_expected_words(const struct strata_execution *x, uint32_t *word);
/* What an AWAIT step does, which awaits these. */
int strata_await_members(struct strata_execution *x, const struct strata_step *step,
                         struct strata_awaited of);

/* STRATA_PENDING until all members have left the uses before that one: looks who has, or knows. */
int strata_wait_until_left(struct strata_execution *x, uint64_t use);
static inline int strata_until_left(struct strata_execution *x, uint64_t use)
{
    return x->ring->all_left >= use ? STRATA_OK : strata_wait_until_left(x, use);
}
/* Until all have left the use that had the place of my slot before; or the landing. Whoever writes
 * there asks first. */
static inline int strata_slot_open(struct strata_execution *x)
{
    return strata_until_left(x, strata_pass_use(x) - x->ring->last_place);
}
static inline int strata_landing_open(struct strata_execution *x)
{
    return strata_until_left(x, strata_pass_use(x));
}
/* The same of the slot, if the set has blocks in the node's memory. */
int strata_set_open(struct strata_execution *x, struct strata_set set);
/* The same until all members have left all uses of this call. */
static inline int strata_call_left(struct strata_execution *x)
{
    return strata_until_left(x, x->ring->use);
}
/* Nothing of this use is read by me any more. Who lends waits until that was said. */
static inline void strata_leave_use(const struct strata_execution *x, struct strata_ring *r,
                                    uint64_t use)
{
    if (((use + 1) & r->leaves) == 0 || x->plan->exchange.lends) {
        strata_ring_publish(r, &r->member[r->me].left, strata_moment(use + 1, 0));
    }
}
/* Takes the members' figures into this rank's maxima. */
void strata_merge_slots(struct strata_execution *x);

/* Takes in figures that came with a message, or lie in a slot. */
static inline void strata_merge(struct strata_execution *x, uint64_t largest, uint64_t busiest)
{
    x->progress.largest = largest > x->progress.largest ? largest : x->progress.largest;
    x->progress.busiest = busiest > x->progress.busiest ? busiest : x->progress.busiest;
}

/* core/engine/engine_messages.c: counts one that leaves. */
void strata_count_message(struct strata_execution *x, int peer, size_t bytes);

/* A message of items; core/engine/engine_landing.c posts its receive. */
strata_run_step strata_send_items, strata_recv_items;

/* core/engine/engine_landing.c: all lane messages have arrived. */
int strata_land_all(struct strata_execution *x);

/* core/engine/engine_blocks.c: what came packed goes to its blocks. */
void strata_unpack_blocks(struct strata_execution *x);

/* core/engine/engine_lend.c: bytes of a slot before the tables that say where lent blocks lie, and
 * up to their end; fills mine, before my first signal. */
size_t strata_loans_begin(const struct strata_plan *plan);
size_t strata_loans_end(const struct strata_plan *plan);
void strata_lend(struct strata_execution *x);
/* What is said of a mate's block; how long it is, for only its reader needs to know where. */
const struct strata_loan *strata_loan_of(const struct strata_execution *x, int store, int number);
void strata_mate_spot(const struct strata_execution *x, int store, int number,
                      struct strata_spot *spot);
/* core/engine/engine_mates.c: a step that copies or combines what mates lend. */
int strata_fetch(struct strata_execution *x, const struct strata_step *step);

/* What the member lends to its place, from the first byte on that was not taken yet.
 * STRATA_PENDING; STRATA_ERR_ARGUMENT: they are not all there, which is noted;
 * STRATA_ERR_UNSUPPORTED: the system does not let us, and the mate is not asked. */
int strata_fetch_block(struct strata_execution *x, int member, const struct strata_loan *loan,
                       const struct strata_spot *into, bool asks);

/* core/engine/engine_direct_mates.c: whether this call has direct blocks for or from mates, which
 * are lent; says where mine lie; takes theirs. */
bool strata_direct_lent(const struct strata_execution *x);
size_t strata_direct_lists(const struct strata_execution *x); /* bytes of the lists of pieces */
/* Divides off what lending and taking them needs, but for those that are saved, and returns what
 * comes behind it: where these go. */
unsigned char *strata_take_direct_room(struct strata_execution *x, unsigned char *at);
void strata_lend_direct(struct strata_execution *x);
int strata_take_direct(struct strata_execution *x);
/* Of plans over items: while others are awaited, from those who are here. STRATA_PENDING, or an
 * error. */
int strata_take_early(struct strata_execution *x);
/* Whether all have taken what I lend: STRATA_OK or STRATA_PENDING. */
int strata_direct_taken(struct strata_execution *x);

/* core/engine/engine_direct.c: before anything may arrive over them; returns where they end. */
unsigned char *strata_save_direct(struct strata_execution *x);

/* core/engine/engine_ask.c: bytes of a member's memory, asked for; where they are when they have
 * come. STRATA_PENDING until then. */
struct strata_asking {
    int member;
    struct strata_loan loan;
    size_t skip, bytes; /* of it */
};
int strata_ask(struct strata_execution *x, const struct strata_asking *wanted,
               const unsigned char **come);
/* The most that may be asked for at once. */
size_t strata_ask_most(const struct strata_execution *x);
/* What mates ask of me. */
void strata_answer(struct strata_execution *x);

/* core/engine/engine_stores.c: divides scratch, and saves the input where it has to be. */
void strata_stores_begin(struct strata_execution *x);
/* Bytes of scratch before the packed messages. */
size_t strata_stores_bytes(struct strata_execution *x);

/* core/engine/engine_slices.c: the layouts and stores of the pass that begins, of a plan whose
 * blocks go in slices. */
void strata_next_slice(struct strata_execution *x);

/* core/engine/engine_spots.c: where the block of a position lies in the node's memory. */
void strata_shared_spot(const struct strata_execution *x, int position, struct strata_spot *spot);

/* Where a block of the input or the work store lies. */
void strata_spot_of(const struct strata_execution *x, enum strata_store store, int number,
                    struct strata_spot *spot);

/* Walks the places that a set's blocks lie at, in set order, as few as can be. */
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

/* core/engine/engine_late.c: puts the COPY step's copy off where its place is combined into next;
 * returns whether it does. `from` is all of it, and stays as it is until the call is left. */
bool strata_copy_late(struct strata_execution *x, const unsigned char *from, size_t bytes);
/* into := left o right, where what was put off for there is the one that would be there. */
void strata_combine_late(const struct strata_execution *x, const unsigned char *left,
                         const unsigned char *right, unsigned char *into, size_t operands);
/* core/engine/engine_copy.c: into := from o into, or where it folds into o from; false where the
 * operator failed, which is noted. */
bool strata_combine_operands(struct strata_execution *x, const void *from, void *into,
                             size_t operands, bool folds);

/* Why the execution is pending: see core/engine/engine.h. */
static inline void strata_pend(struct strata_execution *x, int member, const _Atomic uint64_t *at,
                               uint64_t moment, const _Atomic uint64_t *zero)
{
    x->pending_member = member;
    x->pending_at = at;
    x->pending_moment = moment;
    x->pending_zero = zero;
}

/* Steps, one function each, strata_run_WORD. */
#define STRATA_RUN_DECLARE(id, word, ...) strata_run_step strata_run_##word;
STRATA_RUN_STEP_TABLE(STRATA_RUN_DECLARE)
#undef STRATA_RUN_DECLARE

static inline bool strata_has_team(const struct strata_execution *x)
{
    return x->team && x->team->run && x->team->threads > 1;
}

/* Whether a team may do a step's copying, if it is enough. */
static inline bool strata_may_share(const struct strata_execution *x,
                                    const struct strata_step *step)
{
    return step->workshare && strata_has_team(x);
}

/* core/engine/engine.c: runs body over the team if the step is a workshare and copies enough; else
 * here, in one chunk. */
void strata_workshare(const struct strata_execution *x, const struct strata_step *step,
                      size_t bytes, void (*body)(void *argument, int chunk, int chunks),
                      void *argument);

/* Where a chunk of so many places begins; that after the last one: where it ends. */
static inline int64_t strata_chunk_begin(int64_t places, int chunk, int chunks)
{
    return chunks == 1 ? places * chunk : places * chunk / chunks;
}

/* First error of the call wins; the call goes on so that nobody waits for this rank in vain. */
void strata_record_error(struct strata_execution *x, int error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
