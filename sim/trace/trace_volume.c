/* The bytes that a step moves, and the pieces in which the engine copies them. */
#include "sim/trace/trace_walk.h"

size_t strata_trace_slice(const struct strata_trace_walk *w)
{
    return strata_slice(&w->plan->limits, w->trace->bytes, w->pass);
}

static double run_bytes(const struct strata_trace_walk *w, const struct strata_run *run)
{
    if (!w->layout.segments) {
        return (double)run->count * (double)strata_layout_bytes(&w->layout, 0);
    }
    double bytes = 0;
    for (int i = 0; i < run->count; i++) {
        bytes += (double)strata_layout_bytes(
            &w->layout, strata_block_number(w->plan, run->store, run->first + i));
    }
    return bytes;
}

static bool of_side(int store)
{
    return store == STRATA_INPUT || store == STRATA_OUTPUT;
}

/* Whether blocks are looked up one by one. */
static bool one_by_one(const struct strata_trace_walk *w, const struct strata_run *run)
{
    return strata_store_of_node(run->store) || run->store == STRATA_INPUT_AT ||
           run->store == STRATA_OUTPUT_AT || (w->layout.slice > 0 && of_side(run->store));
}

static double run_pieces(const struct strata_trace_walk *w, const struct strata_run *run)
{
    return one_by_one(w, run) && run->store != STRATA_SLOT ? run->count : 1;
}

/* Whether the block at a position and the next one do not touch: slots of my node's members lie
 * apart, those of a pass in one of them in a row; other nodes' blocks in a row in the landing; by
 * position, and in a result that its node has once, blocks lie as their ranks do; and slices of a
 * side's blocks lie apart. */
static bool apart(const struct strata_trace_walk *w, int store, int position)
{
    const struct strata_topology *t = w->plan->topology;
    if (store == STRATA_SLOT) {
        return (position + 1) % w->plan->blocks.slot == 0;
    }
    bool sliced = w->layout.slice > 0 && w->trace->bytes > w->layout.slice;
    if (of_side(store) || (sliced && !strata_store_of_node(store))) {
        return sliced;
    }
    int here = t->rank_at[position], next = t->rank_at[position + 1];
    int mine = t->node_of[w->plan->rank];
    if (store == STRATA_SHARED && !w->plan->blocks.once) {
        return t->node_of[here] == mine || t->node_of[next] == mine;
    }
    return next != here + 1;
}

static double run_places(const struct strata_trace_walk *w, const struct strata_run *run)
{
    double places = 1;
    for (int i = 0; one_by_one(w, run) && i < run->count - 1; i++) {
        places += apart(w, run->store, run->first + i);
    }
    return places;
}

/* Whether a run begins where the one before ends: in a result that a node has once blocks lie as
 * their ranks do, so those of a lane may touch. */
static bool touches(const struct strata_trace_walk *w, const struct strata_run *run,
                    const struct strata_run *before)
{
    const int *rank_at = w->plan->topology->rank_at;
    return w->plan->blocks.once && run->store == STRATA_SHARED && before->count > 0 &&
           before->store == STRATA_SHARED &&
           rank_at[run->first] == rank_at[before->first + before->count - 1] + 1;
}

struct strata_trace_volume strata_trace_blocks(const struct strata_trace_walk *w,
                                               struct strata_set set)
{
    struct strata_trace_volume volume = {0, 0, 0};
    struct strata_set_iterator it;
    struct strata_run run, before = {.count = 0};
    for (strata_set_begin(&it, set); strata_set_next(&it, &run); before = run) {
        double bytes = run_bytes(w, &run);
        volume.bytes += bytes;
        volume.pieces += bytes > 0 ? run_pieces(w, &run) : 0;
        volume.places += bytes > 0 ? run_places(w, &run) - touches(w, &run, &before) : 0;
    }
    return volume;
}

/* An item is all blocks of its source node for its destination's share of the lane. An item that
 * has not travelled yet is packed member by member. */
struct strata_trace_volume strata_trace_items(const struct strata_trace_walk *w, int node, int lane,
                                              struct strata_set set)
{
    const struct strata_topology *t = w->plan->topology;
    const int32_t *moved = w->moved + (size_t)lane * (size_t)t->nodes;
    int64_t nodes = t->nodes;
    double slice = (double)strata_trace_slice(w);
    struct strata_trace_volume volume = {0, 0, 0};
    struct strata_set_iterator it;
    struct strata_run run;
    for (strata_set_begin(&it, set); strata_set_next(&it, &run);) {
        for (int k = run.first; k < run.first + run.count; k++) {
            int64_t source = node >= moved[k] ? node - moved[k] : node - moved[k] + nodes;
            int64_t destination = source + k < nodes ? source + k : source + k - nodes;
            int members = strata_topology_node_size(t, (int)source);
            int width = strata_lane_width(t, (int)destination, lane, w->plan->exchange.lanes);
            double bytes = (double)members * width * slice;
            volume.bytes += bytes;
            volume.pieces += bytes > 0 ? (moved[k] ? 1 : members) : 0;
        }
    }
    return volume;
}

void strata_trace_land(struct strata_trace_walk *w)
{
    int nodes = w->plan->topology->nodes;
    struct strata_set_iterator it;
    struct strata_run run;
    for (int i = 0; i < w->nlanding; i++) {
        const struct strata_trace_landing *l = &w->landing[i];
        int32_t *moved = w->moved + (size_t)l->lane * (size_t)nodes;
        for (strata_set_begin(&it, l->set); strata_set_next(&it, &run);) {
            for (int k = run.first; k < run.first + run.count; k++) {
                int64_t further = (int64_t)moved[k] + l->distance;
                moved[k] = (int32_t)(further < nodes ? further : further - nodes);
            }
        }
    }
    w->nlanding = 0;
}
