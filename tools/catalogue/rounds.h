/* The rounds of a plan, found from the plans of all ranks. */
#ifndef STRATA_TOOLS_CATALOGUE_ROUNDS_H
#define STRATA_TOOLS_CATALOGUE_ROUNDS_H

#include "core/plan/plan.h"

/* One message as the pictures draw it, or a signal in the node memory: the rank that awaits it
 * reads what the sender has written. */
struct tool_arrow {
    int from, to; /* ranks */
    int stage;    /* the sender's stage: the number of its waits before */
    int arrives;  /* the receiver's stage */
    /* The round in which it leaves, and the round in which it has arrived, both from 0. */
    int round, end;
    bool signal;   /* a signal: its sender does not wait, and it brings no blocks */
    double volume; /* blocks, or the part of the vector that the segments are */
};

struct tool_rounds {
    struct tool_arrow *arrows;
    int narrows, rounds;
};

/* Follows all messages and signals, with direct blocks. Returns STRATA_OK or an error. */
int tool_rounds_find(const struct strata_plan *const *plans, int ranks, struct tool_rounds *rounds);
void tool_rounds_release(struct tool_rounds *rounds);

#endif
