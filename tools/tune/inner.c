#include "tools/tune/inner.h"

#include <stdbool.h>

/* Whether both are in one object of a kind, whose numbers these are. A distance is not known where
 * one of them may be in several. */
struct compared {
    bool known, same;
};

static struct compared compare(int a, int b)
{
    return (struct compared){a != STRATA_SEVERAL && b != STRATA_SEVERAL, a == b};
}

/* Two ranks that may run on one processing unit alone take turns on it. */
static bool run_at_once(const struct tool_inner_place *a, const struct tool_inner_place *b)
{
    return a->first != a->last || b->first != b->last || a->first != b->first;
}

enum tool_inner_distance tool_inner_of(const struct tool_inner_place *a,
                                       const struct tool_inner_place *b)
{
    const struct compared package = compare(a->place.package, b->place.package),
                          domain = compare(a->place.domain, b->place.domain),
                          cache = compare(a->place.cache, b->place.cache),
                          core = compare(a->place.core, b->place.core);
    if (!run_at_once(a, b) || !package.known) {
        return TOOL_INNERS;
    }
    return !package.same               ? TOOL_NODE
           : !domain.known             ? TOOL_INNERS
           : !domain.same              ? TOOL_PACKAGE
           : !cache.known              ? TOOL_INNERS
           : !cache.same               ? TOOL_DOMAIN
           : !core.known || !core.same ? TOOL_CACHE
                                       : TOOL_CORE;
}

/* Whether an object of the distance holds several of the next smaller kind. */
static bool has_objects(const struct tool_inner_place *p, enum tool_inner_distance distance)
{
    const int count[] = {p->units,           p->objects.cores,    p->objects.caches,
                         p->objects.domains, p->objects.packages, 1};
    return count[distance] > count[distance + 1];
}

static bool is_placed(const struct tool_inner_place *p, enum tool_inner_distance distance)
{
    return p->place.package != STRATA_SEVERAL && p->place.domain != STRATA_SEVERAL &&
           p->place.cache != STRATA_SEVERAL &&
           (distance != TOOL_CORE || p->place.core != STRATA_SEVERAL);
}

/* Why there is no pair. */
static enum tool_inner_lack lack_of(const struct tool_inner_place *places, int ranks,
                                    enum tool_inner_distance distance)
{
    bool objects = false, placed = true, seen = true;
    for (int r = 0; r < ranks; r++) {
        objects = objects || has_objects(&places[r], distance);
        placed = placed && is_placed(&places[r], distance);
        seen = seen && places[r].units > 0;
    }
    return !seen      ? TOOL_LACKS_PLACES
           : !objects ? TOOL_LACKS_OBJECTS
           : !placed  ? TOOL_LACKS_PLACES
                      : TOOL_LACKS_RANKS;
}

static void pair_on(const struct tool_inner_place *places, const int *member, int members,
                    enum tool_inner_distance distance, int *partner)
{
    for (int i = 0; i < members; i++) {
        for (int k = i + 1; k < members; k++) {
            if (tool_inner_of(&places[member[i]], &places[member[k]]) == distance) {
                partner[member[i]] = member[k];
                partner[member[k]] = member[i];
                return;
            }
        }
    }
}

void tool_inner_pair(const struct tool_inner_place *places, const struct strata_topology *nodes,
                     enum tool_inner_distance distance, struct tool_inner *inner, int *partner)
{
    inner->pairs = 0;
    for (int r = 0; r < nodes->ranks; r++) {
        partner[r] = -1;
    }
    for (int node = 0; node < nodes->nodes; node++) {
        pair_on(places, nodes->rank_at + nodes->first[node], strata_topology_node_size(nodes, node),
                distance, partner);
    }
    for (int r = nodes->ranks - 1; r >= 0; r--) {
        if (partner[r] > r) {
            inner->pairs++;
            inner->first[0] = r;
            inner->first[1] = partner[r];
        }
    }
    inner->lack = inner->pairs > 0 ? TOOL_LACKS_NOTHING : lack_of(places, nodes->ranks, distance);
}
