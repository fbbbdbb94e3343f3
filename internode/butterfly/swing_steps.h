/* The exchanges that Swing and Bine build their collectives from
 * (internode/butterfly/swing_blocks.h says who meets whom). Where the number of ranks is odd the
 * last one is outside of the butterfly: in the step in which the others move half, a quarter,
 * ... of their blocks it exchanges one block with each of half, a quarter, ... of them. */
#ifndef STRATA_INTERNODE_BUTTERFLY_SWING_STEPS_H
#define STRATA_INTERNODE_BUTTERFLY_SWING_STEPS_H

#include "core/plan/builder.h"
#include "core/price/formula_cost.h"
#include "internode/butterfly/swing_blocks.h"

/* Each rank's block of the output to all. */
void strata_swing_allgather(struct strata_builder *b, int ranks, int rank);

/* Work store for the reduce-scatter and the allreduce: the sums, what arrives, and one block
 * more for odd numbers of ranks. */
struct strata_blocks strata_swing_work(int ranks, int rank);
/* Where that has the sums; block `rank` is its number 0. */
struct strata_swing_place strata_swing_sums(int ranks, int rank);
/* What all ranks' inputs sum up to: block `rank` in work (two ranks or more); in the output;
 * all. */
void strata_swing_sum(struct strata_builder *b, int ranks, int rank);
void strata_swing_reduce_scatter(struct strata_builder *b, int ranks, int rank);
void strata_swing_allreduce(struct strata_builder *b, int ranks, int rank);

/* What these do; the allreduce in vectors. */
struct strata_formula strata_swing_allgather_formula(int ranks);
struct strata_formula strata_swing_sum_formula(int ranks);
double strata_swing_copied(int ranks, int rank); /* by one rank in strata_swing_sum */
struct strata_formula strata_swing_reduce_scatter_formula(int ranks);
struct strata_formula strata_swing_allreduce_formula(int ranks);

#endif
