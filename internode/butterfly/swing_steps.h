/* The exchanges of which Swing and Bine build their collectives (internode/butterfly/swing_blocks.h
 * says who meets whom). With an odd number of ranks the last one is outside the butterfly: in the
 * step in which the others move half, a quarter, ... of their blocks it exchanges one block with
 * each of half, a quarter, ... of them. */
#ifndef STRATA_INTERNODE_BUTTERFLY_SWING_STEPS_H
#define STRATA_INTERNODE_BUTTERFLY_SWING_STEPS_H

#include "core/cost/formula_cost.h"
#include "core/plan/builder.h"
#include "internode/butterfly/swing_blocks.h"

/* Sends each rank's block of the output to all ranks. */
void strata_swing_allgather(struct strata_builder *b, int ranks, int rank);

/* The work store of the reduce-scatter and the allreduce: the sums, the arriving blocks, and one
 * block more for odd numbers of ranks. */
struct strata_blocks strata_swing_work(int ranks, int rank);
/* The place of the sums in it; block `rank` is number 0. */
struct strata_swing_location strata_swing_sums(int ranks, int rank);
/* Sum up all ranks' inputs: strata_swing_sum leaves block `rank` in work (two ranks or more),
 * strata_swing_reduce_scatter in the output; strata_swing_allreduce leaves all blocks in the
 * output. */
void strata_swing_sum(struct strata_builder *b, int ranks, int rank);
void strata_swing_reduce_scatter(struct strata_builder *b, int ranks, int rank);
void strata_swing_allreduce(struct strata_builder *b, int ranks, int rank);

/* Their formulas; the allreduce counts in vectors. */
struct strata_formula strata_swing_allgather_formula(int ranks);
struct strata_formula strata_swing_sum_formula(int ranks);
double strata_swing_copied(int ranks, int rank); /* blocks that one rank copies in
                                                    strata_swing_sum */
struct strata_formula strata_swing_reduce_scatter_formula(int ranks);
struct strata_formula strata_swing_allreduce_formula(int ranks);

/* Round `number` of a butterfly of blocks among all ranks: a reduce-scatter, an allgather, or one
 * after the other; false behind the last. Messages of the last rank of an odd number do not
 * count. */
bool strata_swing_round(int ranks, bool sums, bool gathers, int number,
                        struct strata_flat_round *round);

#endif
