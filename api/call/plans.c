#include "api/call/plans.h"

#include <stdio.h>
#include <string.h>

#include "api/attach/group.h"
#include "api/attach/settings.h"
#include "api/call/bound_call.h"
#include "api/call/exposed.h"
#include "api/call/problem.h"
#include "api/call/trial.h"
#include "api/process/process.h"
#include "api/process/prover.h"
#include "core/base/memory.h"
#include "core/plan/limits.h"
#include "hier/registry.h"
#include "hier/tuned.h"

#define MOST_PROVED 64 /* ranks; a proof for more takes too long */

/* Builds all ranks' plans and proves them together, if the checker is there. */
static int prove(const struct strata_group *g, const struct strata_algorithm *algorithm,
                 struct strata_problem problem, struct strata_diagnostic *message)
{
    strata_prove *prove_plans = strata_prover();
    if (!prove_plans) {
        return STRATA_OK; /* a wrong setting was reported */
    }
    struct strata_plan **plans = strata_allocate((size_t)g->ranks, sizeof(struct strata_plan *));
    int error = plans ? STRATA_OK : STRATA_ERR_MEMORY;

    for (int r = 0; error == STRATA_OK && r < g->ranks; r++) {
        problem.rank = r;
        error = strata_algorithm_plan(algorithm, &problem, &plans[r], message);
    }
    if (error == STRATA_OK) {
        error = prove_plans((const struct strata_plan *const *)plans, g->ranks, 1, message);
    }
    for (int r = 0; plans && r < g->ranks; r++) {
        strata_plan_destroy(plans[r]);
    }
    strata_release(plans);
    return error;
}

/* Whether the plan of another entry, of the same algorithm, is the plan that would be built. Plans
 * that stage blocks, and plans of several passes, depend on the longest block. */
static bool serves(const struct strata_selection_entry *other,
                   const struct strata_selection_entry *entry,
                   const struct strata_capacity *capacity)
{
    struct strata_limits limits = other->plan->limits; /* threshold 0: no block is staged */
    if (strata_plan_key_most(&other->key) == strata_plan_key_most(&entry->key) &&
        other->key.longest == entry->key.longest) {
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

/* The plan of another entry for the same problem and algorithm; NULL if there is none. */
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

/* gatherv, scatterv: makes the plan for blocks that are too long for the call's plan. */
static int make_rank_to_rank(struct strata_problem problem, struct strata_kept_plan *kept,
                             struct strata_diagnostic *message)
{
    const struct strata_algorithm *linear = strata_registry_find("linear");
    problem.collective = STRATA_ALLTOALLV;
    problem.parameter[0] = linear->parameters[0].most; /* all messages at once */
    return strata_algorithm_plan(linear, &problem, &kept->rank_to_rank, message);
}

/* Whether some of the long blocks go in messages, because they are not exposed. */
static bool sends_long_blocks(const struct strata_plan *plan)
{
    return strata_lengths_told(plan) && (!plan->exchange.exposes || plan->topology->nodes > 1);
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
    if (error == STRATA_OK && sends_long_blocks((*kept)->plan)) {
        error = make_rank_to_rank(*problem, *kept, message);
    }
    if (error == STRATA_OK && g->settings->config.check && g->ranks <= MOST_PROVED) {
        error = prove(g, algorithm, *problem, message);
    }
    return error;
}

static int build(struct strata_group *g, const struct strata_plan_table *table,
                 const struct strata_problem *problem, const struct strata_algorithm *algorithm,
                 struct strata_selection_entry *entry, struct strata_diagnostic *message)
{
    int error = STRATA_OK;
    strata_algorithm_name(algorithm, problem->parameter, entry->algorithm, sizeof entry->algorithm);
    if (algorithm->level == STRATA_MPI) {
        return STRATA_OK;
    }
    entry->kept = find_kept(table, entry, &problem->capacity);
    if (!entry->kept) {
        error = make_kept(g, algorithm, problem, &entry->kept, message);
    }
    if (entry->kept) {
        entry->kept->entries++;
        entry->plan = entry->kept->plan;
    }
    if (error == STRATA_OK && !problem->nonblocking) {
        error = strata_bound_begin(&g->calls) ? STRATA_OK : STRATA_ERR_MEMORY;
    }
    return error;
}

static void say_measured(struct strata_selection *selection, int measured)
{
    selection->forced = false;
    snprintf(selection->why, sizeof selection->why,
             "measured: the fastest of %d when the call was described", measured);
}

/* A table may say what was the fastest. */
static int choose(const struct strata_group *g, const struct strata_plan_key *key,
                  const struct strata_problem *problem, struct strata_selection *selection)
{
    struct strata_choice choice = key->forced;
    if (!choice.algorithm) {
        (void)strata_tuned_choice(g->tuned, g->tuned_rows, problem, &choice);
    }
    return strata_select(&choice, problem, &g->machine, selection);
}

static int fill(struct strata_group *g, const struct strata_plan_table *table,
                struct strata_selection_entry *entry, struct strata_diagnostic *message)
{
    const struct strata_plan_key *key = &entry->key;
    struct strata_problem problem = strata_problem_of(g, key, table != &g->plans);
    problem.mapped = entry->mapped || key->mapped;
    const int error = choose(g, key, &problem, &entry->selection);
    const struct strata_algorithm *algorithm = entry->selection.choice.algorithm;

    if (error != STRATA_OK || !algorithm) {
        return strata_fail(message, error != STRATA_OK ? error : STRATA_ERR_UNSUPPORTED,
                           "no algorithm is applicable");
    }
    if (key->measured > 0) {
        say_measured(&entry->selection, key->measured);
    }
    memcpy(problem.parameter, entry->selection.choice.parameter, sizeof problem.parameter);
    return build(g, table, &problem, algorithm, entry, message);
}

/* Whether another plan would be chosen if exposed blocks lay in mapped memory. */
static bool depends_on_exposed(const struct strata_group *g, const struct strata_plan_key *key)
{
    struct strata_problem problem = strata_problem_of(g, key, false);
    struct strata_selection usual, mapped;
    if (!problem.capacity.single_copy || choose(g, key, &problem, &usual) != STRATA_OK) {
        return false;
    }
    problem.mapped = true;
    return choose(g, key, &problem, &mapped) == STRATA_OK &&
           !strata_choice_same(&usual.choice, &mapped.choice);
}

/* Returns the worst error of all ranks. */
static int agree(struct strata_group *g, int own, struct strata_diagnostic *message)
{
    int worst = own;
    if (strata_group_agree(g, &worst, 1, MPI_INT, MPI_MAX) != MPI_SUCCESS) {
        worst = STRATA_ERR_TRANSPORT;
    }
    return worst == STRATA_OK || own != STRATA_OK /* `message` holds this rank's own error */
               ? worst
               : strata_fail(message, worst, "on another rank: %s", strata_error_text(worst));
}

/* Whether the root exchanges a message with each rank. */
static int root_meets_all(const struct strata_algorithm *algorithm, struct strata_problem problem,
                          bool *all, struct strata_diagnostic *message)
{
    const int ranks = problem.flat->ranks;
    bool *met = strata_allocate((size_t)ranks, sizeof *met);
    struct strata_plan *roots = NULL;
    int error = met ? STRATA_OK : STRATA_ERR_MEMORY, count = 0;
    problem.rank = problem.root;
    error =
        error == STRATA_OK ? strata_algorithm_plan(algorithm, &problem, &roots, message) : error;
    for (int i = 0; roots && i < roots->nsteps; i++) {
        const struct strata_step *step = &roots->steps[i];
        if (step->op == STRATA_STEP_SEND_BLOCKS || step->op == STRATA_STEP_RECV_BLOCKS) {
            count += !met[step->peer];
            met[step->peer] = true;
        }
    }
    *all = count >= ranks - 1;
    strata_plan_destroy(roots);
    strata_release(met);
    return error;
}

/* gatherv, scatterv: lengths go first if a rank passes on blocks whose lengths its arguments do not
 * tell, or would not learn that no message comes for it. In one node whose members expose long
 * blocks, slots tell all lengths. All ranks find the same. */
static int find_lengths_first(const struct strata_group *g, struct strata_selection_entry *entry,
                              struct strata_diagnostic *message)
{
    const struct strata_choice *choice = &entry->selection.choice;
    struct strata_problem problem = strata_problem_of(g, &entry->key, false);
    const struct strata_plan *plan = entry->plan;
    bool all = false;
    int error = STRATA_OK;
    if (!plan || !strata_collective_one_knows(entry->key.collective)) {
        return STRATA_OK;
    }
    if (plan->exchange.staged) {
        bool exposes = plan->blocks.exposes || plan->exchange.exposes;
        entry->lengths_first = plan->topology->nodes > 1 || !exposes;
    } else {
        memcpy(problem.parameter, choice->parameter, sizeof problem.parameter);
        error = root_meets_all(choice->algorithm, problem, &all, message);
        entry->lengths_first = !all;
    }
    return error;
}

/* Makes an entry. Local. NULL on failure. */
static struct strata_selection_entry *create(struct strata_group *g,
                                             const struct strata_selection_entry *like, int *error,
                                             struct strata_diagnostic *message)
{
    struct strata_selection_entry *entry = strata_allocate(1, sizeof *entry);
    *error = STRATA_ERR_MEMORY;
    if (entry) {
        *entry = *like;
        *error = fill(g, &g->plans, entry, message);
    }
    if (*error == STRATA_OK) {
        *error = find_lengths_first(g, entry, message);
    }
    if (*error != STRATA_OK) {
        strata_selection_entry_destroy(entry);
        return NULL;
    }
    strata_trial_prepare(g, entry);
    return entry;
}

/* Makes the entry with memory that was set aside for it. A rank for which this memory is not enough
 * is out of step: nobody asks the others, who go on. */
static struct strata_selection_entry *create_from_reserve(struct strata_group *g,
                                                          const struct strata_selection_entry *like,
                                                          int *error,
                                                          struct strata_diagnostic *message)
{
    strata_reserve_spend();
    struct strata_selection_entry *entry = create(g, like, error, message);
    (void)strata_reserve_keep();
    if (*error == STRATA_ERR_MEMORY) {
        strata_group_break(g);
        *error = strata_fail(message, STRATA_ERR_TRANSPORT, "out of memory");
    }
    return entry;
}

/* A rank may lack memory, so the ranks agree whether all have the plan, but only where each rank
 * waits for all in any case. In other calls the agreement could stop the program: a rank that
 * calls on two communicators in another order than its local peers would wait for them, and they
 * for it. */
static int make(struct strata_group *g, const struct strata_plan_key *key,
                const struct strata_signature *call, struct strata_selection_entry **made,
                struct strata_diagnostic *message)
{
    struct strata_selection_entry like = {.key = *key,
                                          .depends_on_mapping = depends_on_exposed(g, key)};
    const bool agrees =
        like.depends_on_mapping || !call || strata_collective_waits(key->collective);
    int error =
        like.depends_on_mapping && call ? strata_exposed_agree(g, call, &like.mapped) : STRATA_OK;
    if (error != STRATA_OK) {
        return strata_fail(message, error, "the ranks could not agree");
    }
    like.early = like.depends_on_mapping && !call;
    struct strata_selection_entry *entry = create(g, &like, &error, message);
    if (agrees) {
        error = agree(g, error, message);
    } else if (error == STRATA_ERR_MEMORY) {
        entry = create_from_reserve(g, &like, &error, message);
    }
    if (error == STRATA_OK && strata_signal_carrier_learn(g->carrier, entry->plan) != STRATA_OK) {
        error = strata_fail(message, STRATA_ERR_TRANSPORT, "the members of a node could not agree");
    }
    if (error != STRATA_OK) {
        strata_selection_entry_destroy(entry);
        return error;
    }
    strata_plan_table_keep(&g->plans, entry, g->ranks);
    *made = entry;
    return STRATA_OK;
}

int strata_plans_find(struct strata_group *group, const struct strata_plan_key *key,
                      const struct strata_signature *call, struct strata_selection_entry **entry,
                      struct strata_diagnostic *message)
{
    int error = STRATA_OK;
    *entry = strata_plan_table_find(&group->plans, key);
    if (*entry && (*entry)->early && call) {
        strata_plan_table_drop(&group->plans, *entry);
        *entry = NULL;
    }
    if (!*entry) {
        error = make(group, key, call, entry, message);
    }
    if (*entry) {
        strata_plan_table_use(&group->plans, *entry);
    }
    return error == STRATA_ERR_MEMORY || error == STRATA_ERR_UNSUPPORTED ? STRATA_OK : error;
}

int strata_plans_find_nonblocking(struct strata_group *group, struct strata_plan_table *table,
                                  const struct strata_plan_key *key,
                                  struct strata_selection_entry **entry,
                                  struct strata_diagnostic *message)
{
    struct strata_selection_entry *made = NULL;
    int error = STRATA_OK;
    *entry = strata_plan_table_find(table, key);
    if (!*entry) {
        made = strata_allocate(1, sizeof *made);
        error = made ? STRATA_OK : STRATA_ERR_MEMORY;
    }
    if (made) {
        made->key = *key;
        error = fill(group, table, made, message);
    }
    if (error != STRATA_OK) {
        strata_selection_entry_destroy(made);
        return error == STRATA_ERR_UNSUPPORTED ? STRATA_OK : error;
    }
    if (made) {
        strata_plan_table_keep(table, made, group->ranks);
        *entry = made;
    }
    strata_plan_table_use(table, *entry);
    return STRATA_OK;
}
