/* Reductions in one node whose receivers combine everything: node_reduce, node_allreduce. Their
 * only parameter is the segment. */
#ifndef STRATA_HIER_NODE_COMBINE_H
#define STRATA_HIER_NODE_COMBINE_H

#include "hier/node_segments.h"

const char *strata_node_combine_refusal(const struct strata_problem *problem);
/* Everybody's operands go into its slot; whoever gets the result combines them. */
void strata_node_combine_build(const struct strata_problem *problem, struct strata_builder *b);
/* A root combines alone, all of them at once. */
struct strata_cost strata_node_combine_cost(const struct strata_problem *problem,
                                            const struct strata_machine *machine);

#endif
