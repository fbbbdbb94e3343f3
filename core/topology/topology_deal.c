/* Applies levels to ranks: finds the number of ranks, and deals them to nodes and to the
 * objects inside nodes. */
#include "core/topology/topology_levels.h"

#include <limits.h>
#include <stdio.h>

#include "core/base/memory.h"

static int sum_of_sizes(const struct strata_level_text *level)
{
    long sum = 0;
    for (int i = 0; i < level->count && sum <= INT_MAX; i++) {
        sum += level->sizes[i];
    }
    return sum <= INT_MAX ? (int)sum : INT_MAX;
}

int strata_levels_ranks(const struct strata_topology_text *p, int *ranks)
{
    const struct strata_level_text *node = &p->level[STRATA_LEVEL_NODE],
                                   *rank = &p->level[STRATA_LEVEL_RANK];
    char what[128];
    if (*ranks <= 0 && !rank->text && !node->sizes) {
        return strata_level_complain(p, STRATA_LEVEL_NODE,
                                     "leaves the number of ranks open: add rank:COUNT");
    }
    *ranks = *ranks > 0 ? *ranks : rank->text ? rank->count : sum_of_sizes(node);
    if (rank->text && rank->count != *ranks) {
        snprintf(what, sizeof what, "is not the number of ranks, which is %d", *ranks);
        return strata_level_complain(p, STRATA_LEVEL_RANK, what);
    }
    if (node->sizes && sum_of_sizes(node) != *ranks) {
        snprintf(what, sizeof what, "adds up to %d ranks, but there are %d", sum_of_sizes(node),
                 *ranks);
        return strata_level_complain(p, STRATA_LEVEL_NODE, what);
    }
    if (node->count > *ranks) {
        snprintf(what, sizeof what, "is more nodes than there are ranks (%d)", *ranks);
        return strata_level_complain(p, STRATA_LEVEL_NODE, what);
    }
    return STRATA_OK;
}

/* Deals `members` things to the level's groups; group[i] is the group of thing i. `left` has room
 * for one number for each group. */
static void deal(const struct strata_level_text *level, int members, int *left, int *group)
{
    for (int g = 0; g < level->count; g++) {
        left[g] =
            level->sizes ? level->sizes[g] : members / level->count + (g < members % level->count);
    }
    for (int i = 0, g = 0; i < members; i++) {
        while (left[g] == 0) {
            g = (g + 1) % level->count;
        }
        group[i] = g;
        left[g]--;
        g = level->cyclic ? (g + 1) % level->count : g;
    }
}

/* What a level deals: the ranks of each object of the next larger level, one object after
 * another. */
struct dealing {
    const struct strata_topology_text *p;
    enum strata_level_name level, larger;
    int *members; /* [ranks] ranks, by their larger object */
    int *first;   /* [objects + 1] the first of each larger object in `members` */
    int objects;
    int *left, *group; /* room for `deal` */
};

/* Sorts the ranks by their object, in rank order inside each. object[rank] < objects. */
static void sort_members(struct dealing *d, const int *object, int ranks)
{
    for (int i = 0; i <= d->objects; i++) {
        d->first[i] = 0;
    }
    for (int rank = 0; rank < ranks; rank++) {
        d->first[object[rank] + 1]++;
    }
    for (int i = 0; i < d->objects; i++) {
        d->first[i + 1] += d->first[i];
    }
    for (int rank = 0; rank < ranks; rank++) { /* first[i] goes on to first[i + 1] ... */
        d->members[d->first[object[rank]]++] = rank;
    }
    for (int i = d->objects; i > 0; i--) { /* ... and back */
        d->first[i] = d->first[i - 1];
    }
    d->first[0] = 0;
}

/* Whether each larger object can be dealt as the text says. */
static int check_sizes(const struct dealing *d)
{
    const struct strata_level_text *level = &d->p->level[d->level];
    const char *larger = strata_level_words[d->larger];
    char what[128];
    int largest = 0;
    for (int i = 0; i < d->objects; i++) {
        int size = d->first[i + 1] - d->first[i];
        largest = size > largest ? size : largest;
        if (level->sizes && sum_of_sizes(level) != size) {
            snprintf(what, sizeof what, "adds up to %d ranks, but %s %d has %d",
                     sum_of_sizes(level), larger, i, size);
            return strata_level_complain(d->p, d->level, what);
        }
    }
    if (!level->sizes && level->count > largest) {
        snprintf(what, sizeof what, "is more %ss than the largest %s has ranks (%d)",
                 strata_level_words[d->level], larger, largest);
        return strata_level_complain(d->p, d->level, what);
    }
    return STRATA_OK;
}

/* object[rank] := the rank's object of the smaller level, numbered over all ranks. */
static void deal_members(struct dealing *d, int *object)
{
    const struct strata_level_text *level = &d->p->level[d->level];
    int objects = 0;
    for (int i = 0; i < d->objects; i++) {
        int size = d->first[i + 1] - d->first[i], used = 0;
        deal(level, size, d->left, d->group);
        for (int m = 0; m < size; m++) {
            object[d->members[d->first[i] + m]] = objects + d->group[m];
            used = d->group[m] >= used ? d->group[m] + 1 : used;
        }
        objects += used;
    }
    d->objects = objects;
}

/* Deals the ranks from the nodes down. inner->of[level] becomes an array in `colours`, which has
 * room for all levels. */
static int deal_inside(struct dealing *d, int ranks, const int *node, int *colours,
                       struct strata_inner_colours *inner)
{
    const int *object = node;
    int status = STRATA_OK;
    d->larger = STRATA_LEVEL_NODE;
    d->objects = d->p->level[STRATA_LEVEL_NODE].count;
    for (int level = 0; level < STRATA_INNER_LEVELS && status == STRATA_OK; level++) {
        d->level = (enum strata_level_name)(STRATA_LEVEL_PACKAGE + level);
        if (d->p->level[d->level].text) {
            sort_members(d, object, ranks);
            status = check_sizes(d);
            if (status == STRATA_OK) {
                deal_members(d, colours);
                inner->of[level] = object = colours;
                colours += ranks;
                d->larger = d->level;
            }
        }
    }
    return status;
}

/* near[rank] := whether the rank's domain, or else its package, is the one of its node that has the
 * adapter. Objects are numbered node by node. least: room for a number for each node. */
static int find_near(const struct strata_topology_text *p, int ranks, const int *node,
                     const struct strata_inner_colours *inner, int *least, int *near)
{
    const struct strata_level_text *adapter = &p->level[STRATA_LEVEL_ADAPTER];
    const int *domain = inner->of[STRATA_DOMAIN], *object = domain ? domain : inner->of[0];
    bool found = false;
    for (int rank = ranks - 1; object && rank >= 0; rank--) {
        least[node[rank]] = object[rank];
    }
    for (int rank = 0; object && rank < ranks; rank++) {
        int *first = &least[node[rank]];
        *first = object[rank] < *first ? object[rank] : *first;
    }
    for (int rank = 0; object && rank < ranks; rank++) {
        near[rank] = object[rank] - least[node[rank]] == adapter->count - 1;
        found = found || near[rank];
    }
    return found ? STRATA_OK
                 : strata_level_complain(p, STRATA_LEVEL_ADAPTER,
                                         "is the number of no domain or package of a node");
}

int strata_levels_deal(const struct strata_topology_text *p, int ranks,
                       struct strata_topology **topology)
{
    size_t n = (size_t)ranks; /* of the objects of a level there are no more, or they are refused */
    int *node = strata_allocate((6 + STRATA_INNER_LEVELS) * n + 1, sizeof *node);
    if (!node) {
        return STRATA_ERR_MEMORY;
    }
    struct dealing d = {.p = p, .members = node + n, .group = node + 2 * n};
    int *colours = node + 3 * n;
    struct strata_inner_colours inner = {{NULL}, NULL};
    d.left = colours + STRATA_INNER_LEVELS * n;
    d.first = d.left + n;
    deal(&p->level[STRATA_LEVEL_NODE], ranks, d.left, node);
    int status = deal_inside(&d, ranks, node, colours, &inner);
    if (status == STRATA_OK && p->level[STRATA_LEVEL_ADAPTER].text) {
        int *near = d.first + n + 1;
        status = find_near(p, ranks, node, &inner, d.left, near);
        inner.near = near;
    }
    status = status ? status : strata_topology_from_colours(ranks, node, &inner, topology);
    strata_release(node);
    return status;
}
