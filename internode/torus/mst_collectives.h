/* Each collective by a minimum-spanning tree, for the algorithms of that family. */
#ifndef STRATA_INTERNODE_TORUS_MST_COLLECTIVES_H
#define STRATA_INTERNODE_TORUS_MST_COLLECTIVES_H

#include "core/cost/machine_cost.h"
#include "core/plan/algorithm.h"
#include "internode/torus/mst_partition.h"

#define STRATA_MST_COLLECTIVES                                                                     \
    (1u << STRATA_BCAST | 1u << STRATA_REDUCE | 1u << STRATA_SCATTER | 1u << STRATA_SCATTERV |     \
     1u << STRATA_GATHER | 1u << STRATA_GATHERV | 1u << STRATA_ALLGATHER |                         \
     1u << STRATA_ALLGATHERV | 1u << STRATA_ALLREDUCE | 1u << STRATA_REDUCE_SCATTER |              \
     1u << STRATA_REDUCE_SCATTER_BLOCK)

/* An algorithm's build and formula, for a scheme that is not open. */
void strata_mst_build(const struct strata_problem *problem, struct strata_mst_scheme *mst,
                      struct strata_builder *b);
struct strata_formula strata_mst_formula(const struct strata_problem *problem,
                                         struct strata_mst_scheme *mst);
/* The cost of the way up and down. In a reduction the rank counts that combines most, for it
 * receives as many vectors. */
struct strata_cost strata_mst_cost(const struct strata_problem *problem,
                                   struct strata_mst_scheme *mst,
                                   const struct strata_machine *machine);

#endif
