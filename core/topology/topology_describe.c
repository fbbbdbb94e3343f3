/* A topology in one line for people. */
#include <stdbool.h>
#include <stdio.h>

#include "core/topology/topology.h"

/* Dealt in turn: ranks in order go through the nodes again and again, past those that are full. */
static bool order_is_cyclic(const struct strata_topology *t)
{
    for (int rank = 1; rank < t->ranks; rank++) {
        int round = t->local_of[rank], before = t->local_of[rank - 1];
        if (round < before || (round == before && t->node_of[rank] < t->node_of[rank - 1])) {
            return false;
        }
    }
    return true;
}

static const char *order_name(const struct strata_topology *t)
{
    for (int rank = 0; rank < t->ranks; rank++) {
        if (t->rank_at[rank] != rank) {
            return order_is_cyclic(t) ? "cyclic order" : "mixed order";
        }
    }
    return "block order";
}

int strata_topology_describe(const struct strata_topology *t, char *text, size_t size)
{
    char each[48], numa[48] = "";
    int domains = 0;
    for (int rank = 0; rank < t->ranks; rank++) {
        domains = t->numa_of[rank] >= domains ? t->numa_of[rank] + 1 : domains;
    }
    if (t->smallest == t->largest) {
        snprintf(each, sizeof each, "%d each", t->largest);
    } else {
        snprintf(each, sizeof each, "%d to %d each", t->smallest, t->largest);
    }
    if (t->numa_levels) {
        snprintf(numa, sizeof numa, ", %d NUMA domain%s a node", domains, domains == 1 ? "" : "s");
    }
    return snprintf(text, size, "%d rank%s on %d node%s (%s), %s%s", t->ranks,
                    t->ranks == 1 ? "" : "s", t->nodes, t->nodes == 1 ? "" : "s", each,
                    order_name(t), numa);
}
