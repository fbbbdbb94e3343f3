#include "tests/hier/edit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/memory.h"

void *edit_copy_array(const void *from, int count, int room, size_t size)
{
    void *to = strata_allocate((size_t)room, size);
    assert_non_null(to);
    return count > 0 ? memcpy(to, from, (size_t)count * size) : to;
}

struct strata_plan *edit_copy(const struct strata_plan *p, int boxes)
{
    struct strata_plan *copy = edit_copy_array(p, 1, 1, sizeof *p);
    copy->steps = edit_copy_array(p->steps, p->nsteps, p->nsteps + 2, sizeof *p->steps);
    copy->sets = edit_copy_array(p->sets, p->nsets, p->nsets + 2, sizeof *p->sets);
    copy->boxes = edit_copy_array(p->boxes, p->nboxes, p->nboxes + boxes, sizeof *p->boxes);
    copy->labels = edit_copy_array(p->labels, p->labels_size, p->labels_size + 1, 1);
    return copy;
}

void edit_remove(struct strata_plan *plan, int at)
{
    memmove(&plan->steps[at], &plan->steps[at + 1],
            (size_t)(plan->nsteps - at - 1) * sizeof *plan->steps);
    plan->nsteps--;
}

void edit_insert(struct strata_plan *plan, int at, struct strata_step step)
{
    memmove(&plan->steps[at + 1], &plan->steps[at],
            (size_t)(plan->nsteps - at) * sizeof *plan->steps);
    plan->steps[at] = step;
    plan->nsteps++;
}

int edit_add_set(struct strata_plan *plan, const struct strata_box *boxes, int count)
{
    plan->sets[plan->nsets] = (struct strata_plan_set){.first_box = plan->nboxes, .nboxes = count};
    for (int i = 0; i < count; i++) {
        plan->boxes[plan->nboxes++] = boxes[i];
    }
    return plan->nsets++;
}
