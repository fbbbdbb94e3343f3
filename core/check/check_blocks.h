/* The checker's files for plans over blocks (core/plan/plan.h): what a block holds, and where it
 * lies.
 *   check_blocks.c        what each step does
 *   check_location.c      where a block lies
 *   check_store.c         reads and writes of blocks of every store
 *   check_shared.c        blocks in the node memory
 *   check_peers.c         blocks that local peers expose
 *   check_value.c         the fingerprints of blocks
 *   check_meet.c          blocks that were sent and received
 *   check_result.c        what a call must have left in the output */
#ifndef STRATA_CORE_CHECK_CHECK_BLOCKS_H
#define STRATA_CORE_CHECK_CHECK_BLOCKS_H

#include "core/check/check_internal.h"

/* A block's store and its number there. */
struct check_location {
    int store, index;
};

/* A block of another node in a node's landing. */
struct check_landed {
    struct check_block block;
    int32_t call, pass;      /* the call and pass that the block belongs to */
    int32_t writer, written; /* the position that wrote it last, and when, by its clock */
};

/* Whether the block belongs to the pass that I am in. */
static inline bool check_landed_now(const struct check_landed *landed, const struct check_rank *me)
{
    return landed->call == me->call && landed->pass == me->cursor.pass;
}

struct check_landing {
    struct check_landed *block; /* [ranks] by position; NULL before it is used */
    int32_t *read;              /* [ranks][members]: when each member last read it */
};

/* A message of the current stage whose blocks are still in use. */
struct check_open {
    struct strata_set set;
    int32_t message; /* a receive; -1: a send */
};

/* check_value.c: the fingerprint of an input block. */
struct check_value strata_check_leaf(const struct checker *k, int call, int rank, int block);
/* Combines two values as operands of a call of that plan. */
struct check_value strata_check_combine(const struct strata_plan *plan, struct check_value left,
                                        struct check_value right);
static inline bool check_same(struct check_value a, struct check_value b)
{
    return a.a == b.a && a.c == b.c;
}

/* check_result.c: checks what the call must have left in the output. */
int strata_check_result(struct checker *k, struct check_rank *me);

/* check_store.c */
int strata_check_stores_begin(struct checker *k, struct check_rank *me);
void strata_check_stores_end(struct check_rank *me);
/* Reads the value of a block. */
int strata_check_read(struct checker *k, struct check_rank *me, struct check_location place,
                      struct check_value *value);
/* Marks a block as being sent from where it lies. */
void strata_check_mark_sent(struct checker *k, struct check_rank *me, struct check_location place);
int strata_check_write(struct checker *k, struct check_rank *me, struct check_location place,
                       struct check_value value);
/* Notes that a receive is posted for a block; and then the value that was received. */
int strata_check_expect(struct checker *k, struct check_rank *me, struct check_location place);
void strata_check_land(struct checker *k, struct check_rank *me, struct check_location place,
                       struct check_value value);

/* check_location.c: the block in memory. NULL: an input block that is not kept (check_store.c), or
 * no block at all. */
struct check_block *strata_check_block(struct checker *k, struct check_rank *me,
                                       struct check_location place);
/* A block of the output. NULL: the rank has no such block. */
struct check_block *strata_check_output_block(const struct check_rank *me, int block);
/* The same location, by rank instead of position. */
struct check_location strata_check_by_rank(const struct check_rank *me,
                                           struct check_location place);
/* Whether the rank has the block, of an input or output of which it holds `held`. */
static inline bool check_has(enum strata_held held, int rank, int block)
{
    return held == STRATA_ALL || (held == STRATA_ONE && block == rank);
}
static inline enum strata_held strata_check_input_held(const struct check_rank *me)
{
    return strata_input_of(plan_of(me)->collective, me->rank, plan_of(me)->root);
}
static inline enum strata_held strata_check_output_held(const struct check_rank *me)
{
    return strata_output_of(plan_of(me)->collective, me->rank, plan_of(me)->root);
}

/* check_shared.c: blocks of the stores in the node memory. */
int strata_check_node_read(struct checker *k, struct check_rank *me, struct check_location place,
                           struct check_block **block);
int strata_check_node_write(struct checker *k, struct check_rank *me, struct check_location place,
                            struct check_block **block);
struct check_block *strata_check_node_block(struct checker *k, struct check_rank *me,
                                            struct check_location place);
/* With its first signal a rank writes the lengths of all members' blocks into their slots, where
 * the plan says them there. */
int strata_check_say_lengths(struct checker *k, struct check_rank *me);

/* check_peers.c: blocks that members expose to each other. */
int strata_check_peers_begin(struct checker *k, struct check_rank *me);
/* With my first signal I expose the stores that the plan says. */
void strata_check_expose(struct check_rank *me);
int strata_check_peer_read(struct checker *k, struct check_rank *me, struct check_location place,
                           struct check_value *value);
/* Notes that I read a block that the owner exposes. */
int strata_check_read_exposed(struct checker *k, struct check_rank *me, struct check_rank *owner);
/* At the end of a call of a plan over blocks: checks that no member reads blocks that I expose any
 * more. */
int strata_check_exposed_end(struct checker *k, struct check_rank *me);
/* At the beginning of a call: I expose nothing. */
void strata_check_expose_nothing(const struct checker *k, struct check_rank *me);

/* check_direct.c: direct blocks between local peers. Whether I have one for a local peer in this
 * call. */
bool strata_check_direct_exposed(const struct checker *k, const struct check_rank *me);
/* Plans over items. Where direct messages are waited for, local peers' slots say where their direct
 * blocks lie, and I take them. While I wait for a signal, I take them from members that are there:
 * CHECK_TOOK, CHECK_BLOCKED or an error. */
int strata_check_direct_taken(struct checker *k, struct check_rank *me);
int strata_check_take_early(struct checker *k, struct check_rank *me);
/* Plans over blocks: takes the blocks above the threshold that local peers expose, when the steps
 * are done. */
int strata_check_long_taken(struct checker *k, struct check_rank *me);
/* Plans over items: notes that I have taken the owner's direct block; and checks, at the end of the
 * call, that all members have said so of mine, or have left. */
int strata_check_say_taken(struct checker *k, struct check_rank *me, struct check_rank *owner);
int strata_check_told(struct checker *k, struct check_rank *me);
/* Whether this block of mine may be written, as far as reads of local peers go. */
int strata_check_exposed_write(struct checker *k, struct check_rank *me,
                               struct check_location place);

/* Goes through a set block by block. */
struct check_walk {
    struct strata_set_iterator it;
    struct strata_run run;
    int32_t at;
};

static inline void check_walk_begin(struct check_walk *walk, struct strata_set set)
{
    strata_set_begin(&walk->it, set);
    walk->run.count = walk->at = 0;
}

static inline bool check_walk_next(struct check_walk *walk, struct check_location *place)
{
    if (walk->at == walk->run.count) {
        walk->at = 0;
        if (!strata_set_next(&walk->it, &walk->run)) {
            walk->run.count = 0;
            return false;
        }
    }
    *place = (struct check_location){walk->run.store, walk->run.first + walk->at++};
    return true;
}

/* check_blocks.c: steps on sets of blocks, not of items. */
strata_check_one_step strata_check_blocks_send, strata_check_blocks_recv, strata_check_blocks_copy;
/* All messages are complete and waited for. */
int strata_check_blocks_arrived(struct checker *k, struct check_rank *me);
/* check_meet.c: a send meets its receive. Returns whether both mean the same blocks in the same
 * order, and puts the sent values where they are received. */
bool strata_check_meet_blocks(struct checker *k, const struct check_message *recv,
                              const struct check_message *send);

#endif
