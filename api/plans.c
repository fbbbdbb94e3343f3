#include "api/plans.h"

#include <stdio.h>
#include <string.h>

#include "core/check.h"
#include "core/memory.h"

#define MOST_PROVED 64 /* ranks; beyond, a proof takes too long to be waited for */

/* Sizes in the same power of two use the same plan: 0, 1, 2..3, 4..7, ... */
static int bucket_of(double bytes)
{
    int bucket = 0;

    for (double limit = 1; limit <= bytes && bucket < 63; limit *= 2) {
        bucket++;
    }
    return bucket;
}

static double bytes_of(int bucket)
{
    return bucket > 0 ? (double)(UINT64_C(1) << (bucket - 1)) : 0;
}

static struct strata_selection_entry *look_up(const struct strata_group *g,
                                              enum strata_collective collective, int bucket)
{
    struct strata_selection_entry *e = g->entries;

    while (e && !(e->collective == collective && e->bucket == bucket)) {
        e = e->next;
    }
    return e;
}

/* Builds all ranks' plans and proves them together. */
static int prove(const struct strata_group *g, const struct strata_algorithm *algorithm,
                 struct strata_problem problem, struct strata_message *message)
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

/* The plan that another size uses already, under the same name; NULL if none does. */
static struct strata_plan *borrow(const struct strata_group *g,
                                  const struct strata_selection_entry *entry)
{
    for (const struct strata_selection_entry *e = g->entries; e; e = e->next) {
        if (e->collective == entry->collective && e->plan &&
            strcmp(e->algorithm, entry->algorithm) == 0) {
            return e->plan;
        }
    }
    return NULL;
}

static int build(const struct strata_group *g, struct strata_problem *problem,
                 const struct strata_algorithm *algorithm, struct strata_selection_entry *entry,
                 struct strata_message *message)
{
    int error = STRATA_OK;

    strata_algorithm_name(algorithm, problem->parameter, entry->algorithm, sizeof entry->algorithm);
    if (algorithm->level == STRATA_MPI) {
        return STRATA_OK;
    }
    entry->plan = borrow(g, entry);
    entry->borrowed = entry->plan != NULL;
    if (!entry->plan) {
        error = strata_algorithm_plan(algorithm, problem, &entry->plan, message);
        if (error == STRATA_OK && g->config.check && g->ranks <= MOST_PROVED) {
            error = prove(g, algorithm, *problem, message);
        }
    }
    if (error == STRATA_OK) {
        entry->fixed_scratch = strata_engine_fixed_scratch(entry->plan, g->capacity.check);
    }
    return error;
}

static int fill(const struct strata_group *g, struct strata_selection_entry *entry,
                struct strata_message *message)
{
    struct strata_problem problem = {
        .collective = entry->collective,
        .rank = g->rank,
        .topology = g->topology,
        .flat = g->flat,
        .capacity = g->capacity,
        .block_bytes = bytes_of(entry->bucket),
    };
    struct strata_selection selection = {.choice = {.algorithm = NULL}};
    int error = strata_select(&g->choice[entry->collective], &problem, &g->machine, &selection);

    if (error != STRATA_OK) {
        return strata_fail(message, error, "no algorithm is applicable");
    }
    memcpy(problem.parameter, selection.choice.parameter, sizeof problem.parameter);
    snprintf(entry->why, sizeof entry->why, "%s", selection.why);
    return build(g, &problem, selection.choice.algorithm, entry, message);
}

/* Every rank goes to the same agreement, with or without an entry of its own. */
static int make(struct strata_group *g, enum strata_collective collective, int bucket,
                struct strata_message *message)
{
    struct strata_selection_entry *entry = strata_allocate(1, sizeof *entry);
    int error = STRATA_ERR_MEMORY;
    int worst;

    if (entry) {
        entry->collective = collective;
        entry->bucket = bucket;
        error = fill(g, entry, message);
    }
    worst = error;
    if (PMPI_Allreduce(&error, &worst, 1, MPI_INT, MPI_MAX, g->comm) != MPI_SUCCESS) {
        worst = STRATA_ERR_TRANSPORT;
    }
    if (worst != STRATA_OK || !entry) {
        strata_entries_destroy(entry);
        return error != STRATA_OK
                   ? worst
                   : strata_fail(message, worst, "on another rank: %s", strata_error_text(worst));
    }
    entry->next = g->entries;
    g->entries = entry;
    return STRATA_OK;
}

int strata_plans_find(struct strata_group *group, enum strata_collective collective, double bytes,
                      const struct strata_selection_entry **entry, struct strata_message *message)
{
    int bucket = bucket_of(bytes);
    int error = STRATA_OK;

    *entry = look_up(group, collective, bucket);
    if (!*entry) {
        error = make(group, collective, bucket, message);
        *entry = error == STRATA_OK ? group->entries : NULL;
    }
    return error == STRATA_ERR_MEMORY || error == STRATA_ERR_UNSUPPORTED ? STRATA_OK : error;
}

void strata_entries_destroy(struct strata_selection_entry *first)
{
    while (first) {
        struct strata_selection_entry *next = first->next;
        if (!first->borrowed) {
            strata_plan_destroy(first->plan);
        }
        strata_release(first);
        first = next;
    }
}
