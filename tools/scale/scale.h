/* What the commands for very many ranks share (price, replay): how ranks lie on nodes, told in
 * options that are shorter than a topology. */
#ifndef STRATA_TOOLS_SCALE_SCALE_H
#define STRATA_TOOLS_SCALE_SCALE_H

#include "tools/plan/plan.h"

/* A whole number from least to most. Returns an exit code. */
int tool_whole_number(const struct tool_command *command, const char *name, const char *text,
                      long least, long most, long *value);

struct tool_scale {
    const char *ranks, *ranks_per_node, *mapping; /* as given; NULL when not */
    char topology[256];
};

/* What --ranks, --ranks-per-node, --mapping and --topo say together becomes the topology of the
 * request. Returns an exit code. */
int tool_scale_topology(struct tool_scale *scale, struct tool_plan_request *request);

#endif
