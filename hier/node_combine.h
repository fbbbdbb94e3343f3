/* Reductions in one node in which each receiver combines all operands: node_reduce, node_allreduce.
 * Their only parameter is the segment. */
#ifndef STRATA_HIER_NODE_COMBINE_H
#define STRATA_HIER_NODE_COMBINE_H

#include "hier/node_segments.h"

const char *strata_node_combine_refusal(const struct strata_problem *problem);
/* Each member copies its operands into its slot; each member that gets the result combines them. */
void strata_node_combine_build(const struct strata_problem *problem, struct strata_builder *b);
/* In a reduce the root combines alone, in an allreduce all members at once. */
struct strata_cost strata_node_combine_cost(const struct strata_problem *problem,
                                            const struct strata_machine *machine);

#endif
