#include "tools/catalogue/example.h"

#include <stdio.h>
#include <string.h>

#include "core/cost/machine.h"
#include "hier/capacity.h"

void tool_example_end(struct tool_example *e)
{
    strata_topology_destroy(e->topology);
    strata_topology_destroy(e->flat);
}

static bool example_on(struct tool_example *e, const struct strata_algorithm *algorithm,
                       enum strata_collective collective, int ranks, int nodes)
{
    char text[64];
    const struct strata_machine *machine = strata_machine_at(0);
    struct strata_choice forced = {.algorithm = algorithm};
    *e = (struct tool_example){.algorithm = algorithm};
    snprintf(text, sizeof text, "node:%d", nodes);
    if (strata_topology_parse(text, ranks, &e->topology, NULL) != STRATA_OK ||
        strata_topology_flat(ranks, &e->flat) != STRATA_OK) {
        return false;
    }
    e->problem = (struct strata_problem){.collective = collective,
                                         .topology = e->topology,
                                         .flat = e->flat,
                                         .commutative = true,
                                         .once = algorithm->once,
                                         .block_bytes = 64,
                                         .most_bytes = 64};
    if (strata_capacity_divide(e->topology, (size_t)64 << 20, 4096, 4, false,
                               &e->problem.capacity) != STRATA_OK) {
        return false;
    }
    if (strata_select(&forced, &e->problem, machine, &e->selection) != STRATA_OK ||
        e->selection.choice.algorithm != algorithm) {
        e->refusal = e->selection.refusal ? e->selection.refusal : "not applicable";
    }
    memcpy(e->problem.parameter, e->selection.choice.parameter, sizeof e->problem.parameter);
    return true;
}

bool tool_example_begin(struct tool_example *e, const struct strata_algorithm *algorithm,
                        enum strata_collective collective, int ranks)
{
    bool begun =
        example_on(e, algorithm, collective, ranks, ranks % 3 == 0 ? ranks / 3 : (ranks + 1) / 2);
    if (begun && e->refusal && algorithm->level == STRATA_NODE_AWARE) {
        struct tool_example one;
        begun = example_on(&one, algorithm, collective, ranks, 1);
        tool_example_end(one.refusal ? &one : e);
        *e = one.refusal ? *e : one;
    }
    return begun;
}
