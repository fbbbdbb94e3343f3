/* The events of one rank in a call: its plan's actions (core/plan/actions.h) with bytes, and
 * messages, waits and signals one by one. Time-independent traces are written from them, and
 * traffic is counted. Every block has the same length; the vector of a collective over one vector
 * has a given length and is cut as a call cuts it. A signal in a node, which is a flag in shared
 * memory, becomes a message without bytes to each member that awaits it. */
#ifndef STRATA_SIM_TRACE_TRACE_H
#define STRATA_SIM_TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/plan/plan.h"

/* Sends and receives post a message of `bytes` bytes; receives at their worst size. Their waits
 * end when the oldest such message of that peer and tag is complete. */
enum strata_event_kind {
    STRATA_EVENT_RECV,
    STRATA_EVENT_SEND,
    STRATA_EVENT_WAIT_RECV,
    STRATA_EVENT_WAIT_SEND,
    STRATA_EVENT_COPY,    /* of `bytes` bytes in `pieces` pieces */
    STRATA_EVENT_COMBINE, /* of `bytes` bytes with as many others */
    STRATA_EVENT_SIGNAL,  /* a message without bytes leaves for `peer`, complete at once */
    STRATA_EVENT_AWAIT,   /* posts the receive of a signal from `peer` */
    STRATA_EVENT_SEEN     /* waits for that signal; of signals that are awaited together the last
                             one has in `pieces` the number of the others */
};

/* Tags: of messages of lanes and blocks, of direct blocks, and of signals, to which their number is
 * added. */
enum { STRATA_TAG_LANE = 0, STRATA_TAG_DIRECT = 1, STRATA_TAG_SIGNAL = 2 };

struct strata_event {
    enum strata_event_kind kind;
    int peer; /* rank */
    int tag;
    double bytes, pieces;
    int stage; /* waits so far that completed a message: rounds of this rank */
};

struct strata_trace {
    const struct strata_plan *plan;
    const struct strata_topology *nodes; /* the communicator's */
    size_t bytes;                        /* bytes of a block, or of the vector */
    size_t unit;                         /* a vector is cut at multiples of so many bytes */
    bool again;                          /* an earlier call of the same shape kept its lengths
                                            (core/engine/kept_lengths.h) */
    /* readers[member]: the signals of this rank that the member of its node awaits, bit 1 <<
     * signal; NULL: no signal is sent or awaited. strata_plan_awaits of all members gives it. */
    const unsigned char *readers;
    /* Takes one event; an error ends the trace. */
    int (*take)(void *self, const struct strata_event *event);
    void *self;
};

/* STRATA_OK, STRATA_ERR_MEMORY, STRATA_ERR_UNSUPPORTED (the native collective has no steps) or the
 * error that `take` returned. */
int strata_trace_run(const struct strata_trace *trace);

#endif
