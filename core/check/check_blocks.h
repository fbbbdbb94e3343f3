/* The checker's files for plans over blocks (core/plan/plan.h): what a block holds, where it lies.
 *   check_blocks.c        what each step does
 *   check_location.c         where a block lies
 *   check_store.c         reading and writing blocks of every store
 *   check_shared.c        those of the node's memory
 *   check_peers.c         those that local peers expose
 *   check_value.c         their fingerprints
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
    int32_t call, pass;      /* whose it is; others' is nobody's */
    int32_t writer, written; /* the position that wrote it last, and when */
};

/* Whether it is of the pass that I am in. */
static inline bool check_landed_now(const struct check_landed *landed, const struct check_rank *me)
{
    return landed->call == me->call && landed->pass == me->cursor.pass;
}

struct check_landing {
    struct check_landed *block; /* [ranks] by position; NULL before it is used */
    int32_t *read;              /* [ranks][members]: when each member last read it */
};

/* A message of the current stage whose places are still in use. */
struct check_open {
    struct strata_set set;
    int32_t message; /* a receive; -1: a send */
};

/* value */
struct check_value strata_check_leaf(const struct checker *k, int call, int rank, int block);
/* As operands of a call of that plan. */
struct check_value strata_check_combine(const struct strata_plan *plan, struct check_value left,
                                        struct check_value right);
static inline bool check_same(struct check_value a, struct check_value b)
{
    return a.a == b.a && a.c == b.c;
}

/* result: what the call must have left. */
int strata_check_result(struct checker *k, struct check_rank *me);

/* store */
int strata_check_stores_begin(struct checker *k, struct check_rank *me);
void strata_check_stores_end(struct check_rank *me);
/* The value of a block that is there to be read. */
int strata_check_read(struct checker *k, struct check_rank *me, struct check_location place,
                      struct check_value *value);
/* Marks it as being sent from where it lies. */
void strata_check_mark_sent(struct checker *k, struct check_rank *me, struct check_location place);
int strata_check_write(struct checker *k, struct check_rank *me, struct check_location place,
                       struct check_value value);
/* A receive is posted for it; then what was received. */
int strata_check_expect(struct checker *k, struct check_rank *me, struct check_location place);
void strata_check_land(struct checker *k, struct check_rank *me, struct check_location place,
                       struct check_value value);

/* place: the block in memory. NULL: an input that nothing can overwrite, or no block at all. */
struct check_block *strata_check_block(struct checker *k, struct check_rank *me,
                                       struct check_location place);
/* The output's block. NULL: the rank has none. */
struct check_block *strata_check_output_block(const struct check_rank *me, int block);
/* The place by rank instead of position. */
struct check_location strata_check_by_rank(const struct check_rank *me,
                                           struct check_location place);
/* Has the rank the block, of an input or output of which it holds that much? */
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

/* shared: blocks of the stores in the node's memory */
int strata_check_node_read(struct checker *k, struct check_rank *me, struct check_location place,
                           struct check_block **block);
int strata_check_node_write(struct checker *k, struct check_rank *me, struct check_location place,
                            struct check_block **block);
struct check_block *strata_check_node_block(struct checker *k, struct check_rank *me,
                                            struct check_location place);

/* local peers: blocks that members expose to each other */
int strata_check_peers_begin(struct checker *k, struct check_rank *me);
/* With my first signal I expose what the plan says. */
void strata_check_expose(struct check_rank *me);
int strata_check_peer_read(struct checker *k, struct check_rank *me, struct check_location place,
                           struct check_value *value);
/* I read what the owner exposes. */
int strata_check_read_exposed(struct checker *k, struct check_rank *me, struct check_rank *owner);
/* At the end of a call of a plan over blocks: nobody does so with what I expose. */
int strata_check_exposed_end(struct checker *k, struct check_rank *me);
/* A call begins. */
void strata_check_expose_nothing(const struct checker *k, struct check_rank *me);

/* direct: those between local peers. Whether I have one for any in this call. */
bool strata_check_direct_exposed(const struct checker *k, const struct check_rank *me);
/* Plans over items: where direct blocks are waited for local peers' slots say where theirs lie.
 * While I wait for a signal I take them from who is there: CHECK_TOOK, CHECK_BLOCKED or an error.
 * */
int strata_check_direct_taken(struct checker *k, struct check_rank *me);
int strata_check_take_early(struct checker *k, struct check_rank *me);
/* Plans over blocks: what local peers expose of those above the threshold is taken when the steps
 * are done.
 */
int strata_check_long_taken(struct checker *k, struct check_rank *me);
/* Plans over items: I have taken the owner's direct block; at the end of the call all have said so
 * of mine, or have left. */
int strata_check_say_taken(struct checker *k, struct check_rank *me, struct check_rank *owner);
int strata_check_told(struct checker *k, struct check_rank *me);
/* May this block of mine be written, for all that local peers have read? */
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

/* blocks: steps on sets of blocks, and not of items */
strata_check_one_step strata_check_blocks_send, strata_check_blocks_recv, strata_check_blocks_copy;
/* All messages are complete and waited for. */
int strata_check_blocks_arrived(struct checker *k, struct check_rank *me);
/* meet: the two do. The same blocks in the same order? What was sent goes where it is received. */
bool strata_check_meet_blocks(struct checker *k, const struct check_message *recv,
                              const struct check_message *send);

#endif
