/* A Bine butterfly over a power of two of ranks whose messages are rows of blocks.
 *
 * Positions number the ranks anew: bit by bit, from the highest, a position says in which steps a
 * block that sets out from there travels to reach rank 0. Two ranks that meet in step s have the
 * same first s bits, so with block p at the rank of position p every message is half, a quarter,
 * ... of all blocks, side by side. */
#ifndef STRATA_INTERNODE_BUTTERFLY_BINE_HALVES_H
#define STRATA_INTERNODE_BUTTERFLY_BINE_HALVES_H

#include "core/plan/builder.h"
#include "internode/butterfly/swing_blocks.h"

int strata_bine_position(int ranks, int rank);
int strata_bine_rank_at(int ranks, int position);

/* The work store of the reduce-scatter, and the place where that leaves its sums. */
struct strata_blocks strata_bine_halves_work(int ranks, int rank);
struct strata_swing_location strata_bine_halves_sums(int ranks, int rank);
/* Sums the inputs' blocks at the rank's position. */
void strata_bine_halves_reduce(struct strata_builder *b, int ranks, int rank);
/* Gathers all blocks in the output, beginning with the block at the rank's position. */
void strata_bine_halves_gather(struct strata_builder *b, int ranks, int rank);

#endif
