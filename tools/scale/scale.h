/* What the commands for very many ranks share (price, replay): how ranks lie on nodes, told in
 * options that are shorter than a topology. */
#ifndef STRATA_TOOLS_SCALE_SCALE_H
#define STRATA_TOOLS_SCALE_SCALE_H

#include "tools/plan/plan.h"

/* An option that a command has beside those of strata plan; the table ends with a NULL name. */
struct tool_own_option {
    const char *name;
    const char **value; /* set where the option is given */
};

/* Takes these options out of the command line. Returns an exit code. */
int tool_take_options(const struct tool_command *command, int *argc, char **argv,
                      const struct tool_own_option *own);

/* A whole number from least to most. Returns an exit code. */
int tool_whole_number(const struct tool_command *command, const char *name, const char *text,
                      long least, long most, long *value);

struct tool_scale {
    const char *ranks, *ranks_per_node, *mapping; /* as given; NULL when not */
    char topology[256];
};

/* Reads what is left of the command line into the request, the topology from either --topo (with
 * --ranks, where it leaves the number open) or the three above. Returns an exit code. */
int tool_scale_read(struct tool_scale *scale, struct tool_plan_request *request, int argc,
                    char **argv);

#endif
