/* What one rank does in a call, as a list of actions that no longer know the plan: messages with
 * their bytes, waits, copies. From it time-independent traces are written, and traffic is counted.
 *
 * Every block has the same length (of collectives over one vector: the vector's length is given and
 * cut as a call cuts it). Node-local signals, which are flags in shared memory, become messages
 * without bytes from whoever publishes a signal to each member that awaits it. */
#ifndef STRATA_SIM_TRACE_TRACE_H
#define STRATA_SIM_TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/plan/plan.h"

/* One row declares a kind of action:
 *   recv, send    posts a message of `bytes` bytes; receives at their worst size
 *   wait_recv, wait_send
 *                 until the oldest such message of that peer and tag is complete
 *   copy          `bytes` in `pieces` pieces
 *   combine       `bytes` with as many others
 *   signal        a message without bytes leaves for `peer`, complete at once
 *   await         until the one from `peer` is there */
enum strata_action_kind {
    STRATA_ACT_RECV,
    STRATA_ACT_SEND,
    STRATA_ACT_WAIT_RECV,
    STRATA_ACT_WAIT_SEND,
    STRATA_ACT_COPY,
    STRATA_ACT_COMBINE,
    STRATA_ACT_SIGNAL,
    STRATA_ACT_AWAIT,
    STRATA_ACTIONS
};

/* Tags: messages of lanes and blocks, direct blocks, signals by their number. */
enum { STRATA_TAG_LANE = 0, STRATA_TAG_DIRECT = 1, STRATA_TAG_SIGNAL = 2 };

struct strata_action {
    enum strata_action_kind kind;
    int peer; /* rank */
    int tag;
    double bytes, pieces;
    int stage; /* waits that completed anything so far: rounds of this rank */
};

struct strata_trace {
    const struct strata_plan *plan;
    const struct strata_topology *nodes; /* the communicator's */
    size_t bytes;                        /* of a block, or of the vector */
    size_t unit;                         /* a vector is cut at multiples of this many bytes */
    /* readers[member]: signals of mine that the member of my node awaits, bit 1 << signal; NULL: no
     * signal is sent or awaited. It follows from what strata_plan_awaits says of all members. */
    const unsigned char *readers;
    /* Takes one action; an error ends the trace. */
    int (*act)(void *self, const struct strata_action *action);
    void *self;
};

/* STRATA_OK, STRATA_ERR_MEMORY, STRATA_ERR_UNSUPPORTED (MPI's own collective has no steps) or what
 * act returned. */
int strata_trace_run(const struct strata_trace *trace);

#endif
