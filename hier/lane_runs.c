#include "hier/lane_runs.h"

static int leader_of(const void *self, int node)
{
    const struct strata_lane_runs *r = self;
    const struct strata_topology *t = r->problem->topology;
    int members = strata_topology_node_size(t, node);
    return strata_topology_rank(t, node, strata_run_begin(r, r->lane, members));
}

/* Number `number` of the sets of all blocks that a store has. */
struct part {
    enum strata_store store;
    int sets, number;
};

/* There the blocks of nodes from `first` on, at most `count` of them, as long as they have as many
 * members; *taken := how many. */
static struct strata_box stretch(const struct strata_lane_runs *r, struct part part, int first,
                                 int count, int *taken)
{
    const struct strata_topology *t = r->problem->topology;
    int members = strata_topology_node_size(t, first), width = strata_run_width(r, members);
    int begin = t->first[first] + strata_run_begin(r, r->lane, members);
    int space = part.sets * t->ranks;
    *taken = 1;
    while (*taken < count && strata_topology_node_size(t, first + *taken) == members) {
        ++*taken;
    }
    if (*taken == 1 || width == members || width == 0) {
        int from = width > 0 ? part.number * t->ranks + begin : 0;
        return strata_box_in(part.store, strata_box_range(space, from, *taken * width));
    }
    return (struct strata_box){
        .space = space,
        .origin = part.number * t->ranks + begin,
        .limit = space,
        .ndims = 2,
        .store = (int16_t)part.store,
        .dim = {{.length = *taken, .stride = members}, {.length = width, .stride = 1}}};
}

static struct strata_box results_of(const struct strata_lane_runs *r)
{
    const struct strata_topology *t = r->problem->topology;
    int rank = r->problem->rank, width = strata_run_width(r, r->members), taken;
    if (width > 1) {
        struct part slot = {STRATA_SLOT, r->members, r->me};
        return stretch(r, slot, t->node_of[rank], 1, &taken);
    }
    return strata_box_in(STRATA_OUTPUT, strata_box_range(t->ranks, rank, width));
}

static struct strata_box blocks_of(const void *self, struct strata_run run, int *taken)
{
    const struct strata_lane_runs *r = self;
    int nodes = r->problem->topology->nodes, node = run.first, count = run.count;
    struct part part = {STRATA_WORK, r->work, 0};
    if (run.store == STRATA_OUTPUT) {
        *taken = 1;
        return results_of(r);
    }
    if (run.store == STRATA_SLOT) {
        part = (struct part){STRATA_SLOT, r->members, r->member};
    } else if (run.store == STRATA_WORK) {
        int number = r->exchange->blocks.work_first + run.first;
        node = number % nodes;
        count = count < nodes - node ? count : nodes - node;
        part.number = 1 + number / nodes;
    }
    return stretch(r, part, node, count, taken);
}

struct strata_embedding strata_run_embedding(const struct strata_lane_runs *r)
{
    return (struct strata_embedding){.self = r, .rank = leader_of, .box = blocks_of};
}
