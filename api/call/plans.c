#include "api/call/plans.h"

#include <stdio.h>
#include <string.h>

#include "api/attach/group.h"
#include "api/attach/settings.h"
#include "api/call/lent.h"
#include "api/call/prepared.h"
#include "api/call/problem.h"
#include "api/process/agree.h"
#include "api/process/process.h"
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

/* Whether some are messages: those that are not lent. */
static bool sends_long_blocks(const struct strata_plan *plan)
{
    return strata_plan_over_blocks(plan) && plan->limits.threshold > 0 &&
           (!plan->exchange.lends || plan->topology->nodes > 1);
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
    if (error == STRATA_OK && !problem->beside) {
        entry->prepared = strata_prepared_create(&strata_process_here, g, entry->plan);
        error = entry->prepared ? STRATA_OK : STRATA_ERR_MEMORY;
    }
    return error;
}

static void say_measured(struct strata_selection *selection, int measured)
{
    selection->forced = false;
    snprintf(selection->why, sizeof selection->why,
             "measured: the fastest of %d when the call was described", measured);
}

static int fill(struct strata_group *g, const struct strata_plan_table *table,
                struct strata_selection_entry *entry, struct strata_diagnostic *message)
{
    const struct strata_plan_key *key = &entry->key;
    struct strata_problem problem = strata_problem_of(g, key, table != &g->plans);
    problem.mapped = entry->mapped || key->mapped;
    int error = strata_select(&key->forced, &problem, &g->machine, &entry->selection);

    if (error != STRATA_OK) {
        return strata_fail(message, error, "no algorithm is applicable");
    }
    if (key->measured > 0) {
        say_measured(&entry->selection, key->measured);
    }
    memcpy(problem.parameter, entry->selection.choice.parameter, sizeof problem.parameter);
    return build(g, table, &problem, entry->selection.choice.algorithm, entry, message);
}

/* Whether this rank moves blocks whose lengths its arguments do not tell, or would not find out
 * that there is no message for it. In one node whose members lend each other long blocks slots say
 * how long all are. */
static bool passes_on(const struct strata_selection_entry *entry)
{
    const struct strata_plan *plan = entry->plan;

    if (!plan || !strata_collective_one_knows(entry->key.collective)) {
        return false;
    }
    bool said = plan->topology->nodes == 1 && (plan->blocks.lends || plan->exchange.lends);
    return plan->blocks.work > 0 || (plan->exchange.staged && !said);
}

/* Whether another plan would serve where what ranks lend each other is mapped. */
static bool depends_on_lent(const struct strata_group *g, const struct strata_plan_key *key)
{
    struct strata_problem problem = strata_problem_of(g, key, false);
    struct strata_selection usual, mapped;

    if (!problem.capacity.single_copy ||
        strata_select(&key->forced, &problem, &g->machine, &usual) != STRATA_OK) {
        return false;
    }
    problem.mapped = true;
    return strata_select(&key->forced, &problem, &g->machine, &mapped) == STRATA_OK &&
           !strata_choice_same(&usual.choice, &mapped.choice);
}

/* Entries that are made at once, for a root and the next ones; and what the ranks agree about them:
 * the error, and whether lengths go first. */
enum { MOST_ROOTS = 8, ERROR = 0, LENGTHS = 1 };
struct batch {
    int count;
    bool asked, mapped, early; /* as in an entry; of other roots' calls nothing else is known */
    struct strata_selection_entry *entry[MOST_ROOTS];
    int word[MOST_ROOTS][2];
};

/* Calls with root after root agree once for several: for as many as there are other roots of such
 * calls already. All ranks keep the same entries, so all find the same number. */
static int count_roots(struct strata_plan_table *table, const struct strata_plan_key *key,
                       int ranks)
{
    int met = strata_plan_table_count_roots(table, key), count = 1;
    struct strata_plan_key next = *key;

    met = met < MOST_ROOTS ? met : MOST_ROOTS;
    while (strata_collective_rooted(key->collective) && count < met && ++next.root < ranks &&
           !strata_plan_table_find(table, &next)) {
        count++;
    }
    return count;
}

/* Every rank goes to the same agreement, with or without entries of its own. The error is the same
 * on all. */
static int make_batch(struct strata_group *g, const struct strata_plan_key *key,
                      struct batch *batch, struct strata_diagnostic *message)
{
    int error = STRATA_OK;

    for (int i = 0; i < batch->count; i++) {
        struct strata_selection_entry *entry = strata_allocate(1, sizeof *entry);
        batch->entry[i] = entry;
        if (entry) {
            entry->key = *key;
            entry->key.root += i;
            entry->asked = batch->asked;
            entry->mapped = batch->mapped;
            entry->early = batch->early;
        }
        batch->word[i][ERROR] = entry ? fill(g, &g->plans, entry, message) : STRATA_ERR_MEMORY;
        batch->word[i][LENGTHS] = entry && passes_on(entry);
        error = error != STRATA_OK ? error : batch->word[i][ERROR];
    }
    bool mine = error != STRATA_OK; /* the message says it */
    if (strata_agree(batch->word, 2 * batch->count, MPI_INT, MPI_MAX, g->comm) != MPI_SUCCESS) {
        batch->word[0][ERROR] = STRATA_ERR_TRANSPORT;
    }
    error = STRATA_OK;
    for (int i = 0; i < batch->count; i++) {
        error = error != STRATA_OK ? error : batch->word[i][ERROR];
    }
    return error == STRATA_OK || mine
               ? error
               : strata_fail(message, error, "on another rank: %s", strata_error_text(error));
}

static void destroy_batch(struct batch *batch)
{
    for (int i = 0; i < batch->count; i++) {
        strata_selection_entry_destroy(batch->entry[i]);
    }
}

static int make(struct strata_group *g, const struct strata_plan_key *key,
                const struct strata_signature *call, struct strata_selection_entry **made,
                struct strata_diagnostic *message)
{
    struct batch batch = {.count = count_roots(&g->plans, key, g->ranks),
                          .asked = depends_on_lent(g, key)};
    int error = batch.asked && call ? strata_lent_agree(g, call, &batch.mapped) : STRATA_OK;

    if (error != STRATA_OK) {
        return strata_fail(message, error, "the ranks could not agree");
    }
    batch.early = batch.asked && !call;
    error = make_batch(g, key, &batch, message);
    if (error != STRATA_OK && batch.count > 1) { /* this root may have none of it */
        destroy_batch(&batch);
        batch.count = 1;
        error = make_batch(g, key, &batch, message);
    }
    for (int i = 0; error == STRATA_OK && i < batch.count; i++) {
        if (strata_signal_carrier_learn(g->carrier, batch.entry[i]->plan) != STRATA_OK) {
            error =
                strata_fail(message, STRATA_ERR_TRANSPORT, "the members of a node could not agree");
        }
    }
    if (error != STRATA_OK) {
        destroy_batch(&batch);
        return error;
    }
    for (int i = 0; i < batch.count; i++) {
        batch.entry[i]->lengths_first = batch.word[i][LENGTHS] != 0;
        if (batch.entry[i]->lengths_first && batch.entry[i]->prepared) {
            strata_prepared_forget_arrays(batch.entry[i]->prepared);
        }
        strata_plan_table_keep(&g->plans, batch.entry[i], g->ranks);
    }
    *made = batch.entry[0];
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

int strata_plans_find_beside(struct strata_group *group, struct strata_plan_table *table,
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
