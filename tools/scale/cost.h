/* strata price: what its files share. */
#ifndef STRATA_TOOLS_SCALE_COST_H
#define STRATA_TOOLS_SCALE_COST_H

#include <stdint.h>

#include "sim/sampled/sampled.h"
#include "tools/scale/scale.h"

/* What one rank sends in a call, counted from its plan message by message. */
struct tool_traffic {
    double messages, messages_node; /* to other nodes, inside the node */
    double bytes, bytes_node;
    double copied;
    int rounds; /* waits that completed anything, one after another */
};

/* A rank that was looked at. */
struct tool_sample {
    int rank;
    const char *why; /* "busiest", "first", "last", "drawn" */
    struct tool_traffic traffic;
    double seconds; /* by the cost model */
    double memory;  /* bytes of Strata's: scratch, slot, and the landing of lanes it leads */
    double plan;    /* bytes of the plan itself */
};

enum { TOOL_SAMPLES = 64 };

struct tool_samples {
    struct tool_sample sample[TOOL_SAMPLES];
    int count;
};

/* What the command has made of its arguments. */
struct tool_costing {
    struct tool_plan_case *c;
    const struct tool_plan_request *request;
    struct tool_samples samples;
    uint64_t state; /* of the numbers drawn */
    bool direct;    /* blocks are above the threshold */
};

/* The busiest rank, the first, the last, and `drawn` others. */
void tool_samples_draw(struct tool_costing *p, int drawn);
/* Builds the plan of each and fills in its figures. Returns an exit code. */
int tool_samples_measure(struct tool_costing *p);

#endif
