/* A partial result of a reduction that grows from stage to stage, in the order of ranks and with
 * as few copies as that allows.
 *
 * In a stage a rank exchanges with a peer whose operands lie all before or all after its own. What
 * comes from higher ranks is the right operand, so mine is combined into it and the result moves
 * to where it was received; what comes from lower ranks is combined into mine, which stays. So a
 * result moves to and fro between two places, and where it begins is chosen so that it ends in the
 * first. Only when lower ranks come first must my operand be copied, as the input is never
 * written. An operator that commutes does not care: the result moves in the first stage, out of
 * the input, and in the last, if that is another one. */
#ifndef STRATA_INTERNODE_PARTS_PARTIAL_H
#define STRATA_INTERNODE_PARTS_PARTIAL_H

#include "core/plan/builder.h"
#include "internode/parts/fold.h"

/* Boxes of blocks that have no store yet and do not wrap around. */
struct strata_portion {
    struct strata_box box[2];
    int nboxes;
};

static inline struct strata_portion strata_portion_range(int space, int first, int count)
{
    return (struct strata_portion){{strata_box_range(space, first, count)}, 1};
}

/* Where blocks lie: block i is number i + shift of a store of `space` blocks. */
struct strata_partial_location {
    enum strata_store store;
    int space, shift;
};

int strata_partial_location_set(struct strata_builder *b, struct strata_partial_location place,
                                const struct strata_portion *part);

struct strata_partial {
    struct strata_builder *b;
    struct strata_partial_location input, place[2]; /* the result ends in place[0] */
    bool commutative;
    int rank, stages;
    unsigned lower; /* bit s: in stage s the peer's operands come before mine */
    int stage;      /* the next stage */
};

/* For a rank that acts: one stage with its partner, if it has one, then one for each bit of its
 * member's number, the lowest first (in another order only if the operator commutes). The caller
 * sets `input` and `place`. */
struct strata_partial strata_partial_of(struct strata_builder *b, const struct strata_fold *fold,
                                        int rank, bool commutative);

/* One stage: sends `sent` (NULL: nothing) and combines the blocks that arrive with `kept`. */
void strata_partial_exchange(struct strata_partial *p, int peer, const struct strata_portion *sent,
                             const struct strata_portion *kept);

/* For a rank that does not act: sends its input to its partner and receives the result from it. A
 * set of -1 stands for nothing. */
void strata_partial_aside(struct strata_builder *b, int partner, int input, int result);

#endif
