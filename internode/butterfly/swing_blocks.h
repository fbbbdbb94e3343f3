/* Who meets whom in Swing and in Bine butterflies, and which blocks they exchange, in closed form.
 *
 * In step s an even rank r meets r + rho(s) and an odd one r - rho(s), modulo the (even) number of
 * ranks, with rho(s) = 1 - 2 + 4 - .. + (-2)^s = 1, -1, 3, -5, 11, ...; there are ceil(log2 ranks)
 * steps. The displacement of block b at rank r is b - r where r is even and r - b where r is odd;
 * if it is d on one side of a meeting it is rho(s) - d on the other, so all ranks are alike.
 *
 * A rank's block sets out from its rank in the last step and spreads in steps back to step 0. What
 * ranks hold before step s has spread to them are the displacements made of the steps s, s+1, ..:
 * numbers of base -2 with their last digits fixed, so arithmetic progressions. Where ranks are no
 * power of two some displacements are made in two ways; the first to come counts, and nothing is
 * sent twice. What that leaves are, again, progressions modulo the number of ranks: two for each
 * step, of even and of odd displacements. */
#ifndef STRATA_INTERNODE_BUTTERFLY_SWING_BLOCKS_H
#define STRATA_INTERNODE_BUTTERFLY_SWING_BLOCKS_H

#include <stdint.h>

#include "core/plan/set.h"

/* Blocks first, first + stride, ..., modulo the ranks of the butterfly. */
struct strata_comb {
    int64_t first, count, stride;
};

int strata_swing_steps(int ranks);    /* ceil(log2 ranks) */
int64_t strata_swing_reach(int step); /* rho(step) */
int strata_swing_partner(int ranks, int rank, int step);

/* The blocks that `rank` sends to its partner in this step of a reduce-scatter, which goes from
 * step 0 up. In an allgather, which goes down to step 0, it receives them. */
void strata_swing_sent(int ranks, int rank, int step, struct strata_comb sent[2]);

/* The blocks that a rank neither sends nor receives in step 0 of a reduce-scatter: none, unless
 * ranks are twice an odd number. */
void strata_swing_left(int ranks, int rank, struct strata_comb left[4]);
int64_t strata_swing_left_count(int ranks);

/* The number of steps of a reduce-scatter in which a rank receives its own block: all, or all but
 * one. */
int strata_swing_returns(int ranks);

/* Where blocks 0 .. blocks-1 lie: block b is number base + (b - first) mod blocks of a store of
 * `space` blocks. */
struct strata_swing_location {
    enum strata_store store;
    int space, blocks, base, first;
};

/* The boxes of a set under construction. */
struct strata_box_list {
    int count;
    struct strata_box box[32];
};

/* Appends a comb's blocks, modulo `ranks` (at most the place's blocks), or `count` blocks in a row,
 * modulo the place's. */
void strata_swing_location_comb(struct strata_box_list *list,
                                const struct strata_swing_location *place, int ranks,
                                struct strata_comb comb);
void strata_swing_location_run(struct strata_box_list *list,
                               const struct strata_swing_location *place, int first, int count);

#endif
