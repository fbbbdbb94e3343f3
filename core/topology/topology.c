/* Topologies from colours: numbering nodes, positions, sub-communicators. */
#include "core/topology/topology.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

static int known_levels(const struct strata_inner_colours *inner)
{
    int known = 0;
    for (int level = 0; inner && level < STRATA_INNER_LEVELS; level++) {
        known += inner->of[level] != NULL;
    }
    return known;
}

/* One block of memory holds all arrays; node_of is its start. Behind the others lie zeros, an array
 * for each known level, and where any is known the two of turns and that of `near`. */
static struct strata_topology *topology_create(int ranks, int nodes,
                                               const struct strata_inner_colours *inner)
{
    struct strata_topology *t = strata_allocate(1, sizeof *t);
    int known = known_levels(inner), arrays_of_all = 4 + known + (known > 0 ? 3 : 0);
    size_t count = (size_t)arrays_of_all * (size_t)ranks + (size_t)nodes + 1;
    int *arrays = t ? strata_allocate(count, sizeof *arrays) : NULL;
    if (!arrays) {
        strata_release(t);
        return NULL;
    }
    t->ranks = ranks;
    t->nodes = nodes;
    t->node_of = arrays;
    t->local_of = t->node_of + ranks;
    t->rank_at = t->local_of + ranks;
    t->first = t->rank_at + ranks;
    t->turn_of = t->local_of;
    t->in_turn = t->rank_at;
    for (int level = 0; level < STRATA_INNER_LEVELS; level++) {
        t->inner_of[level] = t->first + nodes + 1;
    }
    return t;
}

void strata_topology_destroy(struct strata_topology *topology)
{
    if (topology) {
        strata_release(topology->node_of);
        strata_release(topology);
    }
}

static bool in_order(const struct strata_topology *t)
{
    int position = 0;
    while (position < t->ranks && t->rank_at[position] == position) {
        position++;
    }
    return position == t->ranks;
}

/* Of ranks that are in order. */
static int find_run(const struct strata_topology *t)
{
    int begin = 0;
    for (int node = 1; node < t->nodes; node++) {
        begin |= t->first[node];
    }
    return begin > 0 ? begin & -begin : 1;
}

static void find_order(struct strata_topology *t)
{
    t->dealt = t->largest == t->smallest;
    for (int rank = 0; rank < t->ranks && t->dealt; rank++) {
        t->dealt = t->node_of[rank] == rank % t->nodes;
    }
    t->row = in_order(t) ? t->largest : 0;
    t->run = t->row > 0 ? find_run(t) : 1;
}

/* Fills all other arrays from node_of. */
static void topology_place(struct strata_topology *t)
{
    for (int rank = 0; rank < t->ranks; rank++) {
        t->local_of[rank] = t->first[t->node_of[rank] + 1]++; /* counts ranks, for now */
    }
    t->largest = 0;
    t->smallest = t->ranks;
    for (int node = 0; node < t->nodes; node++) {
        int size = t->first[node + 1];
        t->largest = size > t->largest ? size : t->largest;
        t->smallest = size < t->smallest ? size : t->smallest;
        t->first[node + 1] += t->first[node];
    }
    for (int rank = 0; rank < t->ranks; rank++) {
        t->rank_at[strata_topology_position(t, rank)] = rank;
    }
    find_order(t);
}

/* A rank with its colour, which counts inside the larger object that holds the rank. */
struct coloured {
    int larger, colour, rank;
};

static int ascending(int a, int b)
{
    return (a > b) - (a < b);
}

static int compare_coloured(const void *left, const void *right)
{
    const struct coloured *a = left, *b = right;
    int order = ascending(a->larger, b->larger);
    order = order != 0 ? order : ascending(a->colour, b->colour);
    return order != 0 ? order : ascending(a->rank, b->rank);
}

static bool same_object(const struct coloured *a, const struct coloured *b)
{
    return a->larger == b->larger && a->colour == b->colour;
}

/* head[rank] := the smallest rank of its object. Returns the number of objects. */
static int find_heads(struct coloured *sorted, int ranks, int *head)
{
    int objects = 0;
    qsort(sorted, (size_t)ranks, sizeof *sorted, compare_coloured);
    for (int i = 0; i < ranks; i++) {
        bool fresh = i == 0 || !same_object(&sorted[i], &sorted[i - 1]);
        objects += fresh;
        head[sorted[i].rank] = fresh ? sorted[i].rank : head[sorted[i - 1].rank];
    }
    return objects;
}

/* For the numbering of objects in the order of their first ranks, and for turns. */
struct numbering {
    struct coloured *sorted; /* [ranks] */
    int *head;               /* [ranks] */
};

/* Numbers a level's objects in each node: those of equal colour inside the same larger object. */
static void number_level(const struct strata_topology *t, const struct numbering *n,
                         const int *larger, const int *colour, int *number)
{
    for (int node = 0; node < t->nodes; node++) {
        const int *member = t->rank_at + t->first[node];
        int size = strata_topology_node_size(t, node), objects = 0;
        for (int i = 0; i < size; i++) {
            n->sorted[i] = (struct coloured){larger[member[i]], colour[member[i]], member[i]};
        }
        find_heads(n->sorted, size, n->head);
        for (int i = 0; i < size; i++) {
            int rank = member[i], head = n->head[rank];
            number[rank] = head == rank ? objects++ : number[head];
        }
    }
}

/* Deals the level's objects: each takes a turn after the other, until all of the members have had
 * one. Objects whose first members are near an adapter come first. order: the ranks of each node,
 * in the order in which the objects give them. */
static void deal_level(const struct strata_topology *t, const struct numbering *n, int level,
                       int *order)
{
    for (int node = 0; node < t->nodes; node++) {
        int size = strata_topology_node_size(t, node), *member = order + t->first[node];
        int *seen = n->head; /* twice the members seen of each object, and 1 if it comes first */
        memset(seen, 0, (size_t)size * sizeof *seen);
        for (int i = 0; i < size; i++) {
            int object = t->inner_of[level][member[i]];
            seen[object] += seen[object] == 0 && t->near && t->near[member[i]];
            int place = seen[object] % 2 ? object - size : object;
            n->sorted[i] = (struct coloured){seen[object] / 2, place, member[i]};
            seen[object] += 2;
        }
        qsort(n->sorted, (size_t)size, sizeof *n->sorted, compare_coloured);
        for (int i = 0; i < size; i++) {
            member[i] = n->sorted[i].rank;
        }
    }
}

/* The larger levels last: inside each of their objects the order of the smaller ones stays. */
static void find_turns(struct strata_topology *t, const struct numbering *n, int *turn, int *order)
{
    memcpy(order, t->rank_at, (size_t)t->ranks * sizeof *order);
    for (int level = STRATA_INNER_LEVELS - 1; level >= 0; level--) {
        deal_level(t, n, level, order);
    }
    for (int position = 0; position < t->ranks; position++) {
        turn[order[position]] = position - t->first[t->node_of[order[position]]];
    }
    t->turn_of = turn;
    t->in_turn = order;
}

static void number_levels(struct strata_topology *t, const struct numbering *n,
                          const struct strata_inner_colours *inner)
{
    int *zeros = t->first + t->nodes + 1, *next = zeros + t->ranks;
    const int *larger = zeros;
    for (int level = 0; level < STRATA_INNER_LEVELS; level++) {
        t->known[level] = inner->of[level] != NULL;
        if (t->known[level]) {
            number_level(t, n, larger, inner->of[level], next);
            larger = next;
            next += t->ranks;
        }
        t->inner_of[level] = larger;
    }
    if (strata_topology_has_levels(t) && t->nodes > 1) {
        int *near = next + 2 * (size_t)t->ranks;
        for (int rank = 0; inner->near && rank < t->ranks; rank++) {
            near[rank] = inner->near[rank] != 0;
        }
        t->near = inner->near ? near : NULL;
        find_turns(t, n, next, next + t->ranks);
    }
}

/* Objects are numbered in the order of their first members. count: [largest] scratch. */
static void find_widest(struct strata_topology *t, int *count)
{
    const int *member = t->rank_at + t->first[t->node_of[strata_busiest_rank(t)]];
    for (int level = 0; level <= STRATA_INNER_LEVELS; level++) {
        int objects = 0, most = 0;
        memset(count, 0, (size_t)t->largest * sizeof *count);
        for (int i = 0; i < t->largest; i++) {
            if (strata_topology_object(t, member[i], level) == objects) {
                int inside = ++count[strata_topology_object(t, member[i], level - 1)];
                most = inside > most ? inside : most;
                objects++;
            }
        }
        t->widest[level] = most;
    }
}

int strata_topology_from_colours(int ranks, const int *node,
                                 const struct strata_inner_colours *inner,
                                 struct strata_topology **topology)
{
    if (ranks <= 0) {
        return STRATA_ERR_ARGUMENT;
    }
    int status = STRATA_ERR_MEMORY;
    struct coloured *sorted = strata_allocate((size_t)ranks, sizeof *sorted);
    int *head = strata_allocate((size_t)ranks, sizeof *head);
    if (!sorted || !head) {
        goto release;
    }
    for (int rank = 0; rank < ranks; rank++) {
        sorted[rank] = (struct coloured){0, node[rank], rank};
    }
    struct strata_topology *t = topology_create(ranks, find_heads(sorted, ranks, head), inner);
    if (!t) {
        goto release;
    }
    for (int rank = 0, nodes = 0; rank < ranks; rank++) {
        t->node_of[rank] = head[rank] == rank ? nodes++ : t->node_of[head[rank]];
    }
    topology_place(t);
    if (inner) {
        number_levels(t, &(struct numbering){sorted, head}, inner);
    }
    find_widest(t, head);
    *topology = t;
    status = STRATA_OK;
release:
    strata_release(head);
    strata_release(sorted);
    return status;
}

int strata_topology_flat(int ranks, struct strata_topology **topology)
{
    if (ranks <= 0) {
        return STRATA_ERR_ARGUMENT;
    }
    struct strata_topology *t = topology_create(ranks, ranks, NULL);
    if (!t) {
        return STRATA_ERR_MEMORY;
    }
    for (int rank = 0; rank < ranks; rank++) {
        t->node_of[rank] = rank;
    }
    topology_place(t);
    find_widest(t, &(int){0});
    *topology = t;
    return STRATA_OK;
}

static void pick(const int *of, const int *member, int members, int *picked)
{
    for (int i = 0; i < members; i++) {
        picked[i] = of[member[i]];
    }
}

int strata_topology_restrict(const struct strata_topology *world, int ranks, const int *member,
                             struct strata_topology **topology)
{
    if (ranks <= 0) {
        return STRATA_ERR_ARGUMENT;
    }
    for (int rank = 0; rank < ranks; rank++) {
        if (member[rank] < 0 || member[rank] >= world->ranks) {
            return STRATA_ERR_ARGUMENT;
        }
    }
    int *colours = strata_allocate((2 + STRATA_INNER_LEVELS) * (size_t)ranks, sizeof *colours);
    if (!colours) {
        return STRATA_ERR_MEMORY;
    }
    struct strata_inner_colours inner = {{NULL}, NULL};
    for (int level = 0; level < STRATA_INNER_LEVELS; level++) {
        int *colour = colours + (size_t)(1 + level) * (size_t)ranks;
        pick(world->inner_of[level], member, ranks, colour);
        inner.of[level] = world->known[level] ? colour : NULL;
    }
    if (world->near) {
        int *near = colours + (size_t)(1 + STRATA_INNER_LEVELS) * (size_t)ranks;
        pick(world->near, member, ranks, near);
        inner.near = near;
    }
    pick(world->node_of, member, ranks, colours);
    int status = strata_topology_from_colours(ranks, colours, &inner, topology);
    strata_release(colours);
    return status;
}

int strata_busiest_rank(const struct strata_topology *t)
{
    int node = 0;
    while (strata_topology_node_size(t, node) < t->largest) {
        node++;
    }
    return strata_topology_rank(t, node, 0);
}

bool strata_topology_inside_in_order(const struct strata_topology *t)
{
    bool ordered = true;
    for (int position = 1; position < t->ranks && ordered; position++) {
        int rank = t->rank_at[position], before = t->rank_at[position - 1];
        for (int level = 0; level < STRATA_INNER_LEVELS; level++) {
            ordered = ordered && (t->node_of[before] != t->node_of[rank] ||
                                  t->inner_of[level][before] <= t->inner_of[level][rank]);
        }
    }
    return ordered;
}

int strata_topology_leaving(const struct strata_topology *t, int64_t distance)
{
    int64_t on = (distance % t->ranks + t->ranks) % t->ranks;
    int64_t nearest = on < t->ranks - on ? on : t->ranks - on;
    if (nearest == 0 || t->nodes == 1 || (t->dealt && on % t->nodes == 0)) {
        return 0;
    }
    return t->row > nearest ? (int)nearest : t->largest;
}

int strata_topology_leaving_crosswise(const struct strata_topology *t, int64_t distance)
{
    bool stays = t->run % (2 * distance) == 0 || (t->dealt && distance % t->nodes == 0);
    return stays || t->nodes == 1 ? 0 : t->largest;
}

int strata_topology_leaving_swinging(const struct strata_topology *t, int64_t distance)
{
    int leaving = 0;
    if (t->row == 0 || t->row % 2 != 0) {
        return strata_topology_leaving(t, distance);
    }
    for (int local = 0; local < t->row && t->nodes > 1; local++) {
        int64_t peer = local % 2 ? local - distance : local + distance;
        leaving += peer < 0 || peer >= t->row;
    }
    return leaving;
}
