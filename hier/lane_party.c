/* A set of nodes becomes one of positions: each node stands for its members' that the lane serves.
 * Where all nodes are equally large a box of nodes is one of positions, with a dimension more;
 * elsewhere consecutive nodes of one size are. A node's own positions always run up, so that
 * both ends of a message have the same order, whatever boxes they name the nodes with. */
#include "hier/lane_party.h"

#include "core/base/memory.h"

/* Boxes found so far. */
struct list {
    struct strata_box *boxes;
    int count, capacity;
    bool failed;
};

static void add(struct list *list, struct strata_box box)
{
    if (list->count == list->capacity && !list->failed) {
        int capacity = 2 * list->capacity + 4;
        void *boxes = strata_reallocate(list->boxes, (size_t)capacity, sizeof *list->boxes);
        list->failed = !boxes;
        list->boxes = boxes ? boxes : list->boxes;
        list->capacity = boxes ? capacity : list->capacity;
    }
    if (!list->failed) {
        list->boxes[list->count++] = strata_box_in(STRATA_SHARED, box);
    }
}

/* Nodes first .. end-1, all as large as the first. */
static void add_equal(struct list *list, const struct strata_lane *l, int first, int end)
{
    const struct strata_topology *t = l->topology;
    int width = strata_lane_width(t, first, l->lane, l->lanes);
    if (width > 0) {
        int size = strata_topology_node_size(t, first);
        add(list, (struct strata_box){.space = t->ranks,
                                      .origin = t->first[first] + l->lane,
                                      .limit = t->ranks,
                                      .ndims = 2,
                                      .dim = {{.length = end - first, .stride = size},
                                              {.length = width, .stride = l->lanes}}});
    }
}

/* Nodes first .. end-1. With one lane all of their positions, which lie in a row. */
static void add_nodes(struct list *list, const struct strata_lane *l, int first, int end)
{
    const struct strata_topology *t = l->topology;
    if (l->lanes == 1) {
        add(list, strata_box_range(t->ranks, t->first[first], t->first[end] - t->first[first]));
        return;
    }
    while (first < end) {
        int size = strata_topology_node_size(t, first), next = first + 1;
        while (next < end && strata_topology_node_size(t, next) == size) {
            next++;
        }
        add_equal(list, l, first, next);
        first = next;
    }
}

/* All nodes have `size` members: node n is positions n * size .. n * size + size-1. */
static struct strata_box widened(const struct strata_lane *l, struct strata_box box, int size)
{
    int width = strata_lane_width(l->topology, 0, l->lane, l->lanes);
    for (int d = 0; d < box.ndims; d++) {
        box.dim[d].stride *= size;
    }
    box.dim[box.ndims++] = (struct strata_dim){.length = width, .stride = l->lanes};
    box.space *= size;
    box.limit *= size;
    box.origin = box.origin * size + l->lane;
    return box;
}

static void add_box(struct list *list, const struct strata_lane *l, const struct strata_box *box)
{
    const struct strata_topology *t = l->topology;
    struct strata_set_iterator it;
    struct strata_run run;
    if (t->smallest == t->largest && box->ndims < STRATA_BOX_DIMS && !box->down) {
        add(list, widened(l, *box, t->largest));
        return;
    }
    for (strata_set_begin(&it, (struct strata_set){box, 1, 0}); strata_set_next(&it, &run);) {
        add_nodes(list, l, run.first, run.first + run.count);
    }
}

static int set_of_members(const struct strata_party *party, struct strata_builder *b,
                          const struct strata_box *boxes, int nboxes)
{
    struct list list = {0};
    for (int i = 0; i < nboxes; i++) {
        add_box(&list, party->self, &boxes[i]);
    }
    int set =
        list.failed ? strata_build_no_memory(b) : strata_build_set_of(b, list.boxes, list.count);
    strata_release(list.boxes);
    return set;
}

static int leader_of(const struct strata_party *party, int node)
{
    const struct strata_lane *l = party->self;
    return strata_topology_rank(l->topology, node, strata_lane_leader(l->topology, node, l->lane));
}

struct strata_party strata_party_lane(const struct strata_lane *lane, int rank)
{
    const struct strata_topology *t = lane->topology;
    return (struct strata_party){.size = t->nodes,
                                 .me = t->node_of[rank],
                                 .rank = leader_of,
                                 .set = set_of_members,
                                 .self = lane,
                                 .stride = t->smallest == t->largest ? t->largest : 0};
}
