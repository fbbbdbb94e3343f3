/* Signal trees as steps of a plan, appended to a builder. No MPI here. */
#ifndef STRATA_INTRANODE_SIGNAL_TREE_H
#define STRATA_INTRANODE_SIGNAL_TREE_H

#include "core/cost/machine_cost.h"
#include "core/plan/algorithm.h"

enum strata_signal_tree { STRATA_SIGNAL_TREE_FLAT = 1, STRATA_SIGNAL_TREE_BINOMIAL = 2 };

/* Signals up the tree that this member's slot is filled. With `everybody`, waits until all members'
 * slots are filled. */
void strata_signal_tree_arrive(struct strata_builder *b, const struct strata_problem *problem,
                               enum strata_signal_tree tree, bool everybody);

/* The binomial tree's ways up and down, apart. Up: when member 0 goes on, all have arrived. */
void strata_signal_tree_rise(struct strata_builder *b, const struct strata_problem *problem);
/* Down from member 0, in one hop from the node to its packages, from these to their domains, then
 * to caches and to single members. So one signal enters each. */
void strata_signal_tree_release(struct strata_builder *b, const struct strata_problem *problem);

/* Adds the cost of the waits of the busiest rank, member 0 of a largest node. */
void strata_signal_tree_cost(struct strata_cost *total, const struct strata_topology *t,
                             enum strata_signal_tree tree, const struct strata_machine *machine);
/* The same for the longest way up and down again. Where ranks share cores, each hop after the first
 * waits until the member between has its turn. */
void strata_signal_tree_both_cost(struct strata_cost *total, const struct strata_topology *t,
                                  const struct strata_machine *machine);

#endif
