/* Declarations that the files of strata price share. */
#ifndef STRATA_TOOLS_SCALE_COST_H
#define STRATA_TOOLS_SCALE_COST_H

#include <stdint.h>

#include "sim/sampled/sampled.h"
#include "tools/scale/scale.h"

/* The messages, bytes and copies of one rank in a call, counted from its plan. */
struct tool_traffic {
    double messages, messages_node; /* to other nodes; inside the node */
    double bytes, bytes_node;
    double copied;
    int rounds; /* waits that complete something, one after another */
};

/* One of the sampled ranks. */
struct tool_sample {
    int rank;
    const char *why; /* "first", "last", "drawn", or "bounds the call" of the dearest */
    struct tool_traffic traffic;
    double seconds; /* estimated by the cost model */
    double memory;  /* Strata's own, in bytes: scratch, slot, landing of the rank's lanes */
    double plan;    /* the plan itself, in bytes */
};

enum { TOOL_SAMPLES = 64 };

struct tool_samples {
    struct tool_sample sample[TOOL_SAMPLES];
    int count;
};

/* The case that the arguments describe, and the samples of it. */
struct tool_costing {
    struct tool_plan_case *c;
    const struct tool_plan_request *request;
    struct tool_samples samples;
    uint64_t state; /* of the random numbers */
    bool direct;    /* blocks are longer than the threshold */
};

/* Chooses the busiest rank, the first, the last, and `drawn` others at random. */
void tool_samples_draw(struct tool_costing *p, int drawn);
/* Builds the plan of each sampled rank and fills in its figures. Returns an exit code. */
int tool_samples_measure(struct tool_costing *p);

#endif
