/* The one place that decides how to wait: for a member's flag, or for messages.
 *
 * On a flag: spin, and progress MPI (somebody's rendezvous may depend on this rank). Where the host
 * is crowded: yield a few times for other members, but not for a leader that exchanges messages;
 * then sleep in the kernel on the flag's bell, with a time-out, after which MPI makes progress
 * between sleeps. On messages: test and yield; short sleeps where that takes very long, or where
 * yields hand over nothing; never a blocking MPI_Wait. */
#ifndef STRATA_INTRANODE_WAIT_H
#define STRATA_INTRANODE_WAIT_H

#include "core/engine/engine.h"

/* How long each way of waiting is tried before the next one; an attempt is one look by the engine.
 */
struct strata_wait_figures {
    unsigned polls;                 /* looks at a flag in one attempt, by a member with a core */
    unsigned spins;                 /* such attempts before it yields between attempts */
    unsigned flag_yields;           /* crowded: yields before a member sleeps on another's bell */
    unsigned message_looks;         /* crowded: tests for messages between two yields */
    unsigned message_yields;        /* crowded: yields before a rank naps between tests */
    unsigned bell_first;            /* us; the first sleep on the bell, with no progress before */
    unsigned bell_least, bell_most; /* us; a further one doubles from the one to the other */
    unsigned nap_least, nap_most;   /* us; a nap between tests, which no message ends */
};

/* Where a yield hands the core to any member, and where it does not (struct strata_placement says
 * which): docs/waiting.md has the measurements. */
extern const struct strata_wait_figures strata_wait_usual, strata_wait_grouped;

struct strata_waiter {
    bool crowded;
    unsigned attempt;                          /* since something last moved */
    const struct strata_wait_figures *figures; /* NULL: the usual ones */
};

/* Runs an execution to its end: advance, and wait whenever it is pending. Returns its status. */
int strata_wait_run(struct strata_waiter *waiter, struct strata_execution *x);

/* Between two tests for messages: waits a little, longer each time. Before the first, set attempt
 * to 0. */
void strata_wait_between_tests(struct strata_waiter *waiter);

/* The node memory's wake hook where members may sleep (crowded hosts): rings the bells of my flag.
 * The sequentially consistent fence pairs with the sleeper's, or a wake-up could be lost. */
void strata_wait_wake(struct strata_node_memory *memory);

#endif
