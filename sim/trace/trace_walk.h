/* What the files of the trace share: the state of one walk through a plan. Private to sim/. */
#ifndef STRATA_SIM_TRACE_TRACE_WALK_H
#define STRATA_SIM_TRACE_TRACE_WALK_H

#include "core/engine/layout.h"
#include "core/plan/actions.h"
#include "sim/trace/trace.h"

/* A message posted and not waited for. */
struct strata_trace_open {
    int peer;
    bool receive;
    double unpack, pieces; /* what is copied once it is there */
};

struct strata_trace_queue {
    struct strata_trace_open *open;
    int first, end, capacity;
};

/* Items that have been received and take effect at the wait. */
struct strata_trace_landing {
    int lane, distance;
    struct strata_set set;
};

struct strata_trace_walk {
    const struct strata_trace *trace;
    const struct strata_plan *plan;
    struct strata_actions actions;
    struct strata_layout layout; /* gives the length of a block */
    int32_t *moved;              /* [lanes][nodes] how far the item at each distance has come */
    struct strata_trace_queue queue[2]; /* by tag */
    struct strata_trace_landing *landing;
    int nlanding, landing_capacity;
    unsigned char *seen;    /* [members] signals of this pass that have been awaited */
    unsigned char *sent;    /* [members] and that were signalled */
    unsigned char *awaited; /* [members] as strata_plan_awaits says */
    int pass, stage;
};

/* Of a set of blocks or of items: bytes, pieces that are copied one by one, and places that do not
 * lie side by side. */
struct strata_trace_volume {
    double bytes, pieces, places;
};

/* trace_volume.c: how long a staged block is in this pass. */
size_t strata_trace_slice(const struct strata_trace_walk *w);
/* The blocks of a set, as they lie in this rank's stores. */
struct strata_trace_volume strata_trace_blocks(const struct strata_trace_walk *w,
                                               struct strata_set set);
/* The items of a lane message that the node sends now, without header and lengths. On all nodes an
 * item of one distance has come equally far. */
struct strata_trace_volume strata_trace_items(const struct strata_trace_walk *w, int node, int lane,
                                              struct strata_set set);
/* What has been received moves on by the distance of its sender. */
void strata_trace_land(struct strata_trace_walk *w);

#endif
