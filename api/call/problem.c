#include "api/call/problem.h"

#include "api/attach/settings.h"

/* Whether STRATA_SIZES leaves the key's calls to MPI's own, because no size of the key is in its
 * list. MPI's own does not promise the same bits, and a result that lies once in each node was
 * asked for by name: these calls are never left. */
static bool leaves(const struct strata_group *g, const struct strata_plan_key *key)
{
    size_t least, most;
    strata_plan_key_means(key, &least, &most);
    return key->collective != STRATA_BARRIER && !key->left_fold && !key->once &&
           !strata_ranges_meet(&g->settings->sizes, least, most);
}

/* Two sizes are known up to a factor of two: of all blocks together, and of the longest block. All
 * blocks together are no longer than if each were the longest. */
static void bound_by_longest(struct strata_problem *problem)
{
    size_t longest = problem->capacity.longest, ranks = (size_t)problem->topology->ranks;
    if (problem->collective == STRATA_REDUCE_SCATTER && longest > 0 &&
        longest < problem->most_bytes / ranks) {
        problem->most_bytes = longest * ranks;
    }
}

struct strata_problem strata_problem_of(const struct strata_group *g,
                                        const struct strata_plan_key *key, bool beside)
{
    struct strata_problem problem = {
        .collective = key->collective,
        .rank = g->rank,
        .topology = g->topology,
        .flat = g->flat,
        .capacity = g->capacity,
        .root = key->root,
        .commutative = key->commutative,
        .left_fold = key->left_fold,
        .once = key->once,
        .bulky = key->bulky,
        .torus = g->torus.ndims > 0 ? &g->torus : NULL,
        .nonblocking = beside,
        .plans_only = g->thread != NULL,
        .messages_only = key->messages_only,
        .lengths_known = key->lengths_known,
    };
    strata_plan_key_bytes(key, &problem);
    bound_by_longest(&problem);
    problem.native_size = leaves(g, key);
    return problem;
}
