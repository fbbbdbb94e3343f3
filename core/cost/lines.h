/* Transfers of cache lines between the members of a node, which make up the time of a small call. A
 * line goes from one core to another in some 100 ns, and the next read may depend on its contents.
 *
 * A member that awaits a signal waits for the signal's line: one transfer, and one for several
 * members together, because their signals are read side by side. Data of local peers that lie in
 * the same line are then there already. Otherwise they take one more transfer, or two if a table
 * says where they lie and does not fit in that line either. Data received in messages take none. */
#ifndef STRATA_CORE_COST_LINES_H
#define STRATA_CORE_COST_LINES_H

#include "core/cost/machine_cost.h"
#include "core/plan/actions.h"

/* How far a rank has read the memory behind the signals that it awaited. */
struct strata_lines {
    const struct strata_plan *plan;
    double bytes; /* bytes of a slice, or of a block in the node memory */
    bool come;    /* signals have come, and the memory that they describe was not read yet */
};

/* block_bytes: as for a cost (core/cost/plan_cost.h). */
void strata_lines_begin(struct strata_lines *l, const struct strata_plan *plan, double block_bytes);
/* The number of transfers that the plan's next action takes, one after another. */
int strata_lines_of(struct strata_lines *l, const struct strata_action *a);

/* For closed forms: adds the cost of reading a slot without tables that has `bytes` bytes, when its
 * signal was seen. */
void strata_cost_slot(struct strata_cost *cost, double bytes, const struct strata_machine *machine);

#endif
