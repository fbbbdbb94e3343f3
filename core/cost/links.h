/* The links of a torus between nodes, as far as messages share them. A machine's torus_x, torus_y
 * and torus_z say its shape: nodes follow each other along x, then y, then z, and messages go along
 * one axis after another, the shorter way. So all messages of a node to one other node go over the
 * same links, however many links it has, and a message to a node far away takes many links. */
#ifndef STRATA_CORE_COST_LINKS_H
#define STRATA_CORE_COST_LINKS_H

#include "core/cost/machine.h"
#include "core/plan/algorithm.h"

/* Makes the machine what the messages of a round see, of which `leaving` leave each node. */
void strata_machine_route(struct strata_machine *machine, const struct strata_topology *t,
                          const struct strata_flat_round *round, double leaving);
/* The same for a round among `nodes` nodes, of which each is a rank. */
void strata_machine_route_nodes(struct strata_machine *machine, int nodes,
                                const struct strata_flat_round *round);
/* Makes it what an algorithm sees among ranks of which each has a node: the mean of its rounds, by
 * their bytes. */
void strata_machine_route_mean(struct strata_machine *machine,
                               const struct strata_algorithm *algorithm,
                               const struct strata_problem *problem);
/* Makes it what the root of a tree of that radix sees, whose children of one weight get their
 * messages together: those in the same direction share its link there. */
void strata_machine_route_tree(struct strata_machine *machine, const struct strata_topology *t,
                               int radix);
/* The machine as trees see it that send both ways of each axis of `torus` at once, on which ranks
 * lie, `row` of them on each node. */
struct strata_machine strata_machine_along(const struct strata_machine *machine,
                                           const struct strata_torus *torus, int row);

#endif
