/* The rooted collectives on a Bine tree (internode/butterfly/bine_tree.h). */
#ifndef STRATA_INTERNODE_BUTTERFLY_BINE_ROOTED_H
#define STRATA_INTERNODE_BUTTERFLY_BINE_ROOTED_H

#include "core/plan/algorithm.h"

/* Each sets the plan's blocks first: one block for the vector, or one for each rank. */
void strata_bine_bcast(const struct strata_problem *problem, struct strata_builder *b);
void strata_bine_reduce(const struct strata_problem *problem, struct strata_builder *b);
void strata_bine_gather(const struct strata_problem *problem, struct strata_builder *b);
void strata_bine_scatter(const struct strata_problem *problem, struct strata_builder *b);

/* With the vector cut into as many blocks as ranks: bcast as scatter and allgather; reduce as
 * reduce-scatter and gather. */
void strata_bine_bcast_scattered(const struct strata_problem *problem, struct strata_builder *b);
void strata_bine_reduce_scattered(const struct strata_problem *problem, struct strata_builder *b);
/* The vectors, or blocks, that the root's largest child hands on, then those of its largest child,
 * and so on. */
double strata_bine_handed_on(int ranks, bool blocks);
struct strata_formula strata_bine_bcast_scattered_formula(int ranks, int root);
struct strata_formula strata_bine_reduce_scattered_formula(int ranks, int root);

#endif
