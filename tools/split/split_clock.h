/* The time of virtual ranks on a described cluster. */
#ifndef STRATA_TOOLS_SPLIT_SPLIT_CLOCK_H
#define STRATA_TOOLS_SPLIT_SPLIT_CLOCK_H

#include "core/cost/machine.h"
#include "sim/virtual/virtual_stations.h"
#include "tools/scale/platform.h"

struct split_clock {
    struct tool_platform platform;
    struct strata_machine machine;
    struct strata_virtual_clock clock;
    int axes[TOOL_TORUS_AXES]; /* as many nodes as the ranks need */
};

/* Reads a platform by its name or file. per_node: ranks of a node; 0: as many as it has cores. */
int split_clock_read(struct split_clock *clock, const char *platform, int per_node,
                     struct strata_diagnostic *message);
/* Makes room for so many ranks. A torus that is too small is doubled along its shortest axis, the
 * last of these, until it is large enough. */
void split_clock_fit(struct split_clock *clock, int ranks);

#endif
