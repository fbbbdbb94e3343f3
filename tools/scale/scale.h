/* What strata price and strata replay share: options that say how ranks lie on nodes, shorter than
 * a topology. */
#ifndef STRATA_TOOLS_SCALE_SCALE_H
#define STRATA_TOOLS_SCALE_SCALE_H

#include "tools/plan/plan.h"

/* Reads a whole number from least to most. Returns an exit code. */
int tool_whole_number(const struct tool_command *command, const char *name, const char *text,
                      long least, long most, long *value);

struct tool_scale {
    const char *ranks, *ranks_per_node, *mapping; /* as given, or NULL */
    char topology[256];
};

/* Sets the request's topology from --ranks, --ranks-per-node, --mapping and --topo. Returns an exit
 * code. */
int tool_scale_topology(struct tool_scale *scale, struct tool_plan_request *request);

#endif
