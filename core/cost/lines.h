/* Transfers of cache lines between the members of a node: what a small call's time is made of. A
 * line goes from one core to another in some 100 ns, and what is read of it next may lie behind
 * what this one says.
 *
 * Who awaits a signal waits for the line that it lies in: one transfer, and one for several members
 * together, for they are read side by side. What of the local peers' memory is read then is there
 * already where it lies in the same line. Else it takes a further one; two where a table says where
 * it lies, and that does not fit there either. What is received in messages takes none. */
#ifndef STRATA_CORE_COST_LINES_H
#define STRATA_CORE_COST_LINES_H

#include "core/cost/machine_cost.h"
#include "core/plan/actions.h"

/* How far a rank has read what it has awaited. */
struct strata_lines {
    const struct strata_plan *plan;
    double bytes; /* of a slice, or of a block in the node's memory */
    bool come;    /* signals have come, and the memory that they are about was not read yet */
};

/* block_bytes: as for a cost (core/cost/plan_cost.h). */
void strata_lines_begin(struct strata_lines *l, const struct strata_plan *plan, double block_bytes);
/* How many the plan's next action takes, one after another. */
int strata_lines_of(struct strata_lines *l, const struct strata_action *a);

/* What it takes, for closed forms, to read a slot without tables that has so many bytes, when its
 * signal was seen. */
void strata_cost_slot(struct strata_cost *cost, double bytes, const struct strata_machine *machine);

#endif
