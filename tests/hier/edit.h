/* Plans taken apart and put together again, to put faults into them. */
#ifndef STRATA_TESTS_HIER_EDIT_H
#define STRATA_TESTS_HIER_EDIT_H

#include "core/plan/plan.h"

/* `count` objects with room for `room`. */
void *edit_copy_array(const void *from, int count, int room, size_t size);

/* A copy with room for two more steps and sets, and so many more boxes. */
struct strata_plan *edit_copy(const struct strata_plan *plan, int boxes);
void edit_remove(struct strata_plan *plan, int at);
void edit_insert(struct strata_plan *plan, int at, struct strata_step step);
int edit_add_set(struct strata_plan *plan, const struct strata_box *boxes, int count);

#endif
