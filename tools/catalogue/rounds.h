/* The rounds of a plan, found from the plans of all ranks. */
#ifndef STRATA_TOOLS_CATALOGUE_ROUNDS_H
#define STRATA_TOOLS_CATALOGUE_ROUNDS_H

#include "core/plan/plan.h"

/* One message as it is drawn, or a signal in a node's memory: who awaited it reads what its sender
 * had written. */
struct tool_arrow {
    int from, to;   /* ranks */
    int stage;      /* the sender's: how many waits it had behind it */
    int arrives;    /* the receiver's stage */
    int round, end; /* when it leaves and when it has arrived, counted from 0 */
    bool signal;    /* its sender does not wait, and it brings no blocks */
    double volume;  /* blocks, or for segments a part of the vector */
};

struct tool_rounds {
    struct tool_arrow *arrows;
    int narrows, rounds;
};

/* Follows all messages and signals; direct blocks are taken to be there. STRATA_OK or an error. */
int tool_rounds_find(const struct strata_plan *const *plans, int ranks, struct tool_rounds *rounds);
void tool_rounds_release(struct tool_rounds *rounds);

#endif
