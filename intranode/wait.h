/* The one place that decides how to wait: for a member's flag, or for messages.
 *
 * On a flag: spin a little; progress MPI (somebody's rendezvous may depend on this rank); where the
 * host is crowded yield, then sleep in the kernel on the flag's bell, with a time-out, and progress
 * MPI again. On messages: test, then yield, then short sleeps; never a blocking MPI_Wait. */
#ifndef STRATA_INTRANODE_WAIT_H
#define STRATA_INTRANODE_WAIT_H

#include "core/engine.h"

struct strata_waiter {
    bool crowded;
    unsigned attempt; /* since something last moved */
};

/* Runs an execution to its end: advance, and wait whenever it is pending. Returns its status. */
int strata_wait_run(struct strata_waiter *waiter, struct strata_execution *x);

/* The segment's wake hook where members may sleep (crowded hosts): rings the bell of my flag. The
 * sequentially consistent fence pairs with the sleeper's, or a wake-up could be lost. */
void strata_wait_wake(struct strata_segment *segment);

#endif
