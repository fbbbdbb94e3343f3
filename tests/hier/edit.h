/* Takes plans apart and puts them together again, to insert faults. */
#ifndef STRATA_TESTS_HIER_EDIT_H
#define STRATA_TESTS_HIER_EDIT_H

#include "core/plan/plan.h"

/* Copies `count` objects into an array with room for `room`. */
void *edit_copy_array(const void *from, int count, int room, size_t size);

/* A copy of the plan with room for two more steps, two more sets, and `boxes` more boxes. */
struct strata_plan *edit_copy(const struct strata_plan *plan, int boxes);
void edit_remove(struct strata_plan *plan, int at);
void edit_insert(struct strata_plan *plan, int at, struct strata_step step);
int edit_add_set(struct strata_plan *plan, const struct strata_box *boxes, int count);

#endif
