/* What one rank does in a call, event by event: its plan's actions (core/plan/actions.h) with
 * bytes, and messages, waits and signals one by one. From them time-independent traces are written,
 * and traffic is counted.
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

/* The kinds of events:
 *   recv, send    posts a message of `bytes` bytes; receives at their worst size
 *   wait_recv, wait_send
 *                 until the oldest such message of that peer and tag is complete
 *   copy          `bytes` in `pieces` pieces
 *   combine       `bytes` with as many others
 *   signal        a message without bytes leaves for `peer`, complete at once
 *   await         posts the receive of the one from `peer`
 *   seen          until that is there; the last of those that are awaited together has in `pieces`
 *                 how many others there are */
enum strata_event_kind {
    STRATA_EVENT_RECV,
    STRATA_EVENT_SEND,
    STRATA_EVENT_WAIT_RECV,
    STRATA_EVENT_WAIT_SEND,
    STRATA_EVENT_COPY,
    STRATA_EVENT_COMBINE,
    STRATA_EVENT_SIGNAL,
    STRATA_EVENT_AWAIT,
    STRATA_EVENT_SEEN
};

/* Tags: messages of lanes and blocks, direct blocks, signals by their number. */
enum { STRATA_TAG_LANE = 0, STRATA_TAG_DIRECT = 1, STRATA_TAG_SIGNAL = 2 };

struct strata_event {
    enum strata_event_kind kind;
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
    bool again; /* the call was made before and kept its lengths (core/engine/kept_lengths.h) */
    /* readers[member]: signals of mine that the member of my node awaits, bit 1 << signal; NULL: no
     * signal is sent or awaited. It follows from what strata_plan_awaits says of all members. */
    const unsigned char *readers;
    /* Takes one event; an error ends the trace. */
    int (*take)(void *self, const struct strata_event *event);
    void *self;
};

/* STRATA_OK, STRATA_ERR_MEMORY, STRATA_ERR_UNSUPPORTED (MPI's own collective has no steps) or what
 * take returned. */
int strata_trace_run(const struct strata_trace *trace);

#endif
