/* The state of one walk through a plan, which the files of the trace share. Private to sim/. */
#ifndef STRATA_SIM_TRACE_TRACE_WALK_H
#define STRATA_SIM_TRACE_TRACE_WALK_H

#include "core/engine/layout.h"
#include "core/plan/actions.h"
#include "sim/trace/trace.h"

/* A message posted and not waited for. */
struct strata_trace_open {
    int peer;
    bool receive;
    double unpack, pieces; /* bytes and pieces that are copied when it has arrived */
};

struct strata_trace_queue {
    struct strata_trace_open *open;
    int first, end, capacity;
};

/* Items that have been received, and count from the wait on. */
struct strata_trace_landing {
    int lane, distance;
    struct strata_set set;
};

struct strata_trace_walk {
    const struct strata_trace *trace;
    const struct strata_plan *plan;
    struct strata_actions actions;
    struct strata_layout layout; /* has the length of a block */
    int32_t *moved;              /* [lanes][nodes] how far the item at each distance has come */
    struct strata_trace_queue queue[2]; /* by tag */
    struct strata_trace_landing *landing;
    int nlanding, landing_capacity;
    unsigned char *seen;    /* [members] signals of this pass that were awaited */
    unsigned char *sent;    /* [members] signals of this pass that were sent */
    unsigned char *awaited; /* [members] from strata_plan_awaits */
    int pass, stage;
};

/* A set of blocks or items: its bytes, the pieces that are copied one by one, and the places that
 * do not lie side by side. */
struct strata_trace_volume {
    double bytes, pieces, places;
};

/* The functions of trace_volume.c. The bytes of a staged block in this pass. */
size_t strata_trace_slice(const struct strata_trace_walk *w);
/* The blocks of a set, as they lie in this rank's stores. */
struct strata_trace_volume strata_trace_blocks(const struct strata_trace_walk *w,
                                               struct strata_set set);
/* The items of a lane message that the node sends now, without header and lengths. On all nodes an
 * item of one distance has moved equally far. */
struct strata_trace_volume strata_trace_items(const struct strata_trace_walk *w, int node, int lane,
                                              struct strata_set set);
/* Moves the received items on by the distance of their sender. */
void strata_trace_land(struct strata_trace_walk *w);

#endif
