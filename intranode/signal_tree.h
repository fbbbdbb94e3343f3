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

/* The same tree's ways up and down, apart. Up: when member 0 goes on, all have arrived. */
void strata_signal_tree_rise(struct strata_builder *b, const struct strata_problem *problem);
void strata_signal_tree_release(struct strata_builder *b, const struct strata_problem *problem);

/* A member's place in the binomial tree of its node, whose root may be any member. */
struct strata_tree_place {
    const struct strata_topology *topology;
    int node, root, me;
    int top; /* the largest level of which the member stands for its object; -1: it is the root */
};
struct strata_tree_place strata_tree_place(const struct strata_problem *problem, int root);

/* The objects of a level that lie in one object of the next larger level with the member's. Each is
 * known by the member that stands for it. */
struct strata_tree_group {
    const struct strata_tree_place *place;
    int level;
    int at, seen, others; /* the last member looked at; objects seen, in all and of this group */
    int member, index;    /* of the current object, and its number; the root's has number 0 */
};

/* The members that the member hears on the way up, nearest first: binomial among the members of
 * each cache, then among a domain's caches, a package's domains and the node's packages. */
struct strata_tree_children {
    struct strata_tree_group group;
    int mine; /* the number of my object there */
};
void strata_tree_children_begin(struct strata_tree_children *c,
                                const struct strata_tree_place *place);
/* The next one; -1: there is none. */
int strata_tree_children_next(struct strata_tree_children *c);

/* On the way down: the member from which this one hears; -1: it is the root. One hop goes from the
 * node to its packages, from these to their domains, then to caches and to single members. So one
 * signal enters each. */
int strata_tree_above(const struct strata_tree_place *place);
/* Whether other members hear from this one there. */
bool strata_tree_tells(const struct strata_tree_place *place);

/* The hops of the longest ways in the tree of a largest node: up, and down. */
struct strata_tree_hops {
    int up[STRATA_INNER_LEVELS + 1],
        down[STRATA_INNER_LEVELS + 1]; /* by strata_topology_distance */
};
struct strata_tree_hops strata_tree_hops(const struct strata_topology *t);

/* On the longest way down of that node: how many members read the lines on it, as if all read one
 * line. */
int strata_tree_readers(const struct strata_topology *t);

/* Adds the cost of the waits of the busiest rank, member 0 of a largest node; with `everybody` also
 * that of the member farthest from it, where levels are known. */
void strata_signal_tree_cost(struct strata_cost *total, const struct strata_topology *t,
                             enum strata_signal_tree tree, bool everybody,
                             const struct strata_machine *machine);
/* The same for the longest way up and down again. Where ranks share cores, each hop after the first
 * waits until the member between has its turn. */
void strata_signal_tree_both_cost(struct strata_cost *total, const struct strata_topology *t,
                                  const struct strata_machine *machine);

#endif
