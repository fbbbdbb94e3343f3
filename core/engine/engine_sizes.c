/* The memory that a call needs, for both families of plans. */
#include "core/engine/engine_family.h"

size_t strata_engine_fixed_scratch(const struct strata_plan *plan, bool check)
{
    return strata_family_of(plan)->fixed_scratch(plan, check);
}

size_t strata_engine_scratch(struct strata_execution *x)
{
    return strata_family_of(x->plan)->scratch(x);
}

void strata_engine_node_need(const struct strata_plan *plan, const struct strata_layout *work,
                             bool check, size_t *slot, size_t *landing)
{
    strata_family_of(plan)->node_need(plan, work, check, slot, landing);
}
