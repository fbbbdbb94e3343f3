#include "api/call/plans.h"

#include <string.h>

#include "api/attach/group.h"
#include "api/attach/process.h"
#include "api/attach/settings.h"
#include "api/call/prepared.h"
#include "core/base/memory.h"
#include "core/check/check.h"
#include "core/plan/limits.h"
#include "hier/registry.h"

#define MOST_PROVED 64 /* ranks; beyond, a proof takes too long to be waited for */

/* Builds all ranks' plans and proves them together. */
static int prove(const struct strata_group *g, const struct strata_algorithm *algorithm,
                 struct strata_problem problem, struct strata_diagnostic *message)
{
    struct strata_plan **plans = strata_allocate((size_t)g->ranks, sizeof(struct strata_plan *));
    int error = plans ? STRATA_OK : STRATA_ERR_MEMORY;

    for (int r = 0; error == STRATA_OK && r < g->ranks; r++) {
        problem.rank = r;
        error = strata_algorithm_plan(algorithm, &problem, &plans[r], message);
    }
    if (error == STRATA_OK) {
        error = strata_check_plan((const struct strata_plan *const *)plans, g->ranks, 1, message);
    }
    for (int r = 0; plans && r < g->ranks; r++) {
        strata_plan_destroy(plans[r]);
    }
    strata_release(plans);
    return error;
}

/* Whether another entry's plan of the same name is what would be built: plans in a node's memory
 * and those in passes depend on the longest block. */
static bool serves(const struct strata_selection_entry *other,
                   const struct strata_selection_entry *entry,
                   const struct strata_capacity *capacity)
{
    struct strata_limits limits = other->plan->limits; /* threshold 0: nothing is staged */

    if (strata_plan_key_most(&other->key) == strata_plan_key_most(&entry->key)) {
        return true;
    }
    if (strata_plan_over_blocks(other->plan)) {
        return !other->plan->exchange.staged;
    }
    if (limits.threshold == 0) {
        return true;
    }
    strata_limits_pass(capacity, &limits);
    return limits.passes == other->plan->limits.passes;
}

/* The plan of another entry for the same problem, under the same name; NULL if none has it. */
static struct strata_kept_plan *find_kept(const struct strata_plan_table *table,
                                          const struct strata_selection_entry *entry,
                                          const struct strata_capacity *capacity)
{
    for (int i = 0; i < STRATA_PLAN_LISTS; i++) {
        for (struct strata_selection_entry *e = table->list[i]; e; e = e->next) {
            if (e->kept && strata_plan_key_same_problem(&e->key, &entry->key) &&
                strcmp(e->algorithm, entry->algorithm) == 0 && serves(e, entry, capacity)) {
                return e->kept;
            }
        }
    }
    return NULL;
}

/* gatherv, scatterv: how blocks go that are too long for the plan. */
static int make_rank_to_rank(struct strata_problem problem, struct strata_kept_plan *kept,
                             struct strata_diagnostic *message)
{
    const struct strata_algorithm *linear = strata_registry_find("linear");

    problem.collective = STRATA_ALLTOALLV;
    problem.parameter[0] = linear->parameters[0].most; /* all at once */
    return strata_algorithm_plan(linear, &problem, &kept->rank_to_rank, message);
}

static int make_kept(const struct strata_group *g, const struct strata_algorithm *algorithm,
                     const struct strata_problem *problem, struct strata_kept_plan **kept,
                     struct strata_diagnostic *message)
{
    int error;

    *kept = strata_allocate(1, sizeof **kept);
    if (!*kept) {
        return STRATA_ERR_MEMORY;
    }
    error = strata_algorithm_plan(algorithm, problem, &(*kept)->plan, message);
    if (error == STRATA_OK && strata_plan_over_blocks((*kept)->plan) &&
        (*kept)->plan->limits.threshold > 0) {
        error = make_rank_to_rank(*problem, *kept, message);
    }
    if (error == STRATA_OK && g->settings->config.check && g->ranks <= MOST_PROVED) {
        error = prove(g, algorithm, *problem, message);
    }
    return error;
}

static int build(struct strata_group *g, const struct strata_problem *problem,
                 const struct strata_algorithm *algorithm, struct strata_selection_entry *entry,
                 struct strata_diagnostic *message)
{
    int error = STRATA_OK;

    strata_algorithm_name(algorithm, problem->parameter, entry->algorithm, sizeof entry->algorithm);
    if (algorithm->level == STRATA_MPI) {
        return STRATA_OK;
    }
    entry->kept = find_kept(&g->plans, entry, &problem->capacity);
    if (!entry->kept) {
        error = make_kept(g, algorithm, problem, &entry->kept, message);
    }
    if (entry->kept) {
        entry->kept->entries++;
        entry->plan = entry->kept->plan;
    }
    if (error == STRATA_OK) {
        entry->prepared = strata_prepared_create(strata_process_raw(), g, entry->plan);
        error = entry->prepared ? STRATA_OK : STRATA_ERR_MEMORY;
    }
    return error;
}

static int fill(struct strata_group *g, struct strata_selection_entry *entry,
                struct strata_diagnostic *message)
{
    const struct strata_plan_key *key = &entry->key;
    struct strata_problem problem = {
        .collective = key->collective,
        .rank = g->rank,
        .topology = g->topology,
        .flat = g->flat,
        .capacity = g->capacity,
        .root = key->root,
        .commutative = key->commutative,
        .bulky = key->bulky,
        .torus = g->torus.ndims > 0 ? &g->torus : NULL,
    };
    strata_plan_key_bytes(key, &problem);
    problem.capacity.longest = problem.most_bytes;
    int error = strata_select(&key->forced, &problem, &g->machine, &entry->selection);

    if (error != STRATA_OK) {
        return strata_fail(message, error, "no algorithm is applicable");
    }
    memcpy(problem.parameter, entry->selection.choice.parameter, sizeof problem.parameter);
    return build(g, &problem, entry->selection.choice.algorithm, entry, message);
}

/* Whether this rank moves blocks whose lengths its arguments do not tell. */
static bool passes_on(const struct strata_selection_entry *entry)
{
    bool one_knows =
        entry->key.collective == STRATA_GATHERV || entry->key.collective == STRATA_SCATTERV;

    return one_knows && entry->plan &&
           (entry->plan->blocks.work > 0 || entry->plan->exchange.staged);
}

/* Every rank goes to the same agreement, with or without an entry of its own. */
static int make(struct strata_group *g, const struct strata_plan_key *key,
                struct strata_selection_entry **made, struct strata_diagnostic *message)
{
    struct strata_selection_entry *entry = strata_allocate(1, sizeof *entry);
    int word[2] = {STRATA_ERR_MEMORY, 0}; /* error; whether lengths go first */
    int error = STRATA_ERR_MEMORY;

    if (entry) {
        entry->key = *key;
        word[0] = error = fill(g, entry, message);
        word[1] = passes_on(entry);
    }
    if (PMPI_Allreduce(MPI_IN_PLACE, word, 2, MPI_INT, MPI_MAX, g->comm) != MPI_SUCCESS) {
        word[0] = STRATA_ERR_TRANSPORT;
    }
    if (word[0] != STRATA_OK || !entry) {
        strata_selection_entry_destroy(entry);
        return error != STRATA_OK ? word[0]
                                  : strata_fail(message, word[0], "on another rank: %s",
                                                strata_error_text(word[0]));
    }
    if (strata_signal_carrier_learn(g->carrier, entry->plan) != STRATA_OK) {
        strata_selection_entry_destroy(entry);
        return strata_fail(message, STRATA_ERR_TRANSPORT, "the members of a node could not agree");
    }
    entry->lengths_first = word[1] != 0;
    strata_plan_table_keep(&g->plans, entry, g->ranks);
    *made = entry;
    return STRATA_OK;
}

int strata_plans_find(struct strata_group *group, const struct strata_plan_key *key,
                      struct strata_selection_entry **entry, struct strata_diagnostic *message)
{
    int error = STRATA_OK;

    *entry = strata_plan_table_find(&group->plans, key);
    if (!*entry) {
        error = make(group, key, entry, message);
    }
    if (*entry) {
        strata_plan_table_use(&group->plans, *entry);
    }
    return error == STRATA_ERR_MEMORY || error == STRATA_ERR_UNSUPPORTED ? STRATA_OK : error;
}
