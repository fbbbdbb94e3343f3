/* Applies levels to ranks: finds the number of ranks, and deals them to nodes and domains. */
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

/* numa[rank] := domain, from the nodes of t. */
static int deal_domains(const struct strata_topology_text *p, const struct strata_topology *t,
                        int *numa)
{
    const struct strata_level_text *level = &p->level[STRATA_LEVEL_NUMA];
    char what[128];
    if (!level->sizes && level->count > t->largest) {
        snprintf(what, sizeof what, "is more domains than the largest node has ranks (%d)",
                 t->largest);
        return strata_level_complain(p, STRATA_LEVEL_NUMA, what);
    }
    int *left = strata_allocate((size_t)level->count + (size_t)t->largest, sizeof *left);
    if (!left) {
        return STRATA_ERR_MEMORY;
    }
    int status = STRATA_OK, *group = left + level->count;
    for (int node = 0; node < t->nodes && status == STRATA_OK; node++) {
        int size = strata_topology_node_size(t, node);
        if (level->sizes && sum_of_sizes(level) != size) {
            snprintf(what, sizeof what, "adds up to %d ranks, but node %d has %d",
                     sum_of_sizes(level), node, size);
            status = strata_level_complain(p, STRATA_LEVEL_NUMA, what);
            break;
        }
        deal(level, size, left, group);
        for (int i = 0; i < size; i++) {
            numa[strata_topology_rank(t, node, i)] = group[i];
        }
    }
    strata_release(left);
    return status;
}

int strata_levels_deal(const struct strata_topology_text *p, int ranks,
                       struct strata_topology **topology)
{
    const struct strata_level_text *nodes = &p->level[STRATA_LEVEL_NODE];
    int *node = strata_allocate(2 * (size_t)ranks + (size_t)nodes->count, sizeof *node);
    if (!node) {
        return STRATA_ERR_MEMORY;
    }
    int *numa = node + ranks;
    struct strata_topology *t = NULL;
    deal(nodes, ranks, numa + ranks, node);
    int status = strata_topology_from_colours(ranks, node, NULL, &t);
    if (status == STRATA_OK && p->level[STRATA_LEVEL_NUMA].text) {
        status = deal_domains(p, t, numa);
        strata_topology_destroy(t);
        t = NULL;
        if (status == STRATA_OK) {
            status = strata_topology_from_colours(ranks, node, numa, &t);
        }
    }
    if (status == STRATA_OK) {
        *topology = t;
    }
    strata_release(node);
    return status;
}
