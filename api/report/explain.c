#include "api/report/explain.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "api/attach/settings.h"
#include "api/call/call.h"
#include "api/report/explain_say.h"
#include "core/base/memory.h"

double strata_explain_now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void strata_explain_begin(struct strata_process *process)
{
    process->explain.on = strata_config_explains(&process->config);
    process->explain.begin = strata_explain_now();
}

/* Work is none of it. Threads would add to one tally at once. */
double strata_explain_waited(const struct strata_process *process)
{
    double seconds = 0;

    for (int reason = 0; reason <= STRATA_WAIT_MESSAGES; reason++) {
        for (int part = STRATA_WAIT_WORK + 1; part < STRATA_WAIT_PARTS; part++) {
            seconds += process->explain.tally.sum[reason][part].seconds;
        }
    }
    return seconds;
}

static struct strata_explained_communicator *add_communicator(struct strata_process *process)
{
    struct strata_explained_communicator *new = strata_allocate(1, sizeof *new);
    struct strata_explained_communicator **link = &process->explain.communicators;

    while (new &&*link) {
        link = &(*link)->next;
    }
    if (new) {
        *link = new;
    }
    return new;
}

static struct strata_explained_communicator *communicator_of(struct strata_process *process,
                                                             struct strata_state *state)
{
    if (!state->explained) {
        int length = 0;
        char name[MPI_MAX_OBJECT_NAME] = "";
        state->explained = add_communicator(process);
        if (state->explained) {
            PMPI_Comm_get_name(state->comm, name, &length);
            snprintf(state->explained->name, sizeof state->explained->name, "%.63s", name);
            state->explained->ranks = state->ranks;
        }
    }
    return state->explained;
}

/* The block, or vector, that the call tells of; of blocks that differ the mean. */
static int bucket_of(const struct strata_signature *s)
{
    const struct strata_side *side = s->send.part > s->recv.part ? &s->send : &s->recv;
    int blocks = strata_side_blocks(s, side);
    MPI_Count size = 1; /* alltoallw: elements */

    if (blocks == 0) {
        return 0;
    }
    if (!side->types) {
        PMPI_Type_size_x(side->type, &size);
    }
    uint64_t bytes = (uint64_t)(side->sum * size / blocks);
    return bytes > 0 ? 64 - __builtin_clzll(bytes) : 0;
}

static void describe(const struct strata_call *c, struct strata_explained *e)
{
    const struct strata_selection_entry *entry = c->entry;
    const char *by = strata_collective_info[e->collective].variable;

    snprintf(e->algorithm, sizeof e->algorithm, "%s", entry ? entry->algorithm : "native");
    if (entry) {
        bool forced = c->state->forced >> e->collective & 1;
        strata_selection_say(&entry->selection, forced ? "strata_comm_force" : by, e->why,
                             sizeof e->why);
        e->plan = entry->plan != NULL;
        e->passes = entry->plan ? entry->plan->limits.passes : 0;
        e->predicted = entry->selection.seconds;
    } else {
        strata_state_why(c->state, c->why, e->why, sizeof e->why);
    }
}

/* Whether the call belongs there. */
static bool belongs(const struct strata_explained *e, const struct strata_call *c, int bucket)
{
    char why[sizeof e->why];

    strata_state_why(c->state, c->why, why, sizeof why);
    return e->collective == c->signature->collective && e->bucket == bucket &&
           strcmp(e->algorithm, c->entry ? c->entry->algorithm : "native") == 0 &&
           (c->entry || strcmp(e->why, why) == 0);
}

static struct strata_explained *find(struct strata_explained_communicator *communicator,
                                     const struct strata_call *c)
{
    int bucket = bucket_of(c->signature);
    struct strata_explained **link = &communicator->calls;

    while (*link && !belongs(*link, c, bucket)) {
        link = &(*link)->next;
    }
    if (!*link && (*link = strata_allocate(1, sizeof **link))) {
        (*link)->collective = c->signature->collective;
        (*link)->bucket = bucket;
        describe(c, *link);
    }
    return *link;
}

static void note_group(struct strata_explained_communicator *communicator,
                       const struct strata_group *g)
{
    communicator->nodes = g->topology->nodes;
    communicator->here = g->placement.processes;
    communicator->cpus = g->placement.cpus;
    communicator->crowded = g->waiter.crowded;
    communicator->roomless = !g->arena && g->topology->largest > 1;
    communicator->node_bytes = g->region_bytes;
    communicator->scratch_bytes = g->scratch_bytes;
}

/* What the state has counted since the last time. */
static void add_traffic(struct strata_traffic_count *sum, struct strata_traffic_count *before,
                        const struct strata_traffic_count *now)
{
    sum->messages += now->messages - before->messages;
    sum->messages_node += now->messages_node - before->messages_node;
    sum->bytes += now->bytes - before->bytes;
    sum->bytes_node += now->bytes_node - before->bytes_node;
    sum->copied += now->copied - before->copied;
    *before = *now;
}

static void record(const struct strata_call *c, double seconds, double waiting)
{
    struct strata_explained_communicator *communicator = communicator_of(c->process, c->state);
    struct strata_explained *e = communicator ? find(communicator, c) : NULL;

    if (!e) {
        return; /* without memory */
    }
    e->calls++;
    e->seconds += seconds;
    e->waiting += waiting;
    add_traffic(&e->count, &communicator->counted, &c->state->count);
    if (c->state->group) {
        note_group(communicator, c->state->group);
    }
}

void strata_explain_call(const struct strata_call *c, double begin, double waited)
{
    struct strata_process *process = c->process;

    if (!c->state) {
        return;
    }
    pthread_mutex_lock(&process->lock);
    record(c, strata_explain_now() - begin, strata_explain_waited(process) - waited);
    pthread_mutex_unlock(&process->lock);
    if (c->state->group && !process->multiple) {
        c->state->group->waiter.tally = &process->explain.tally;
    }
}

void strata_explain_first_call(struct strata_process *process, enum strata_collective collective)
{
    struct strata_explain *all = &process->explain;
    struct strata_explained **link;

    pthread_mutex_lock(&process->lock);
    if (!all->first_calls && (all->first_calls = add_communicator(process))) {
        snprintf(all->first_calls->name, sizeof all->first_calls->name, "any, its first call");
    }
    link = all->first_calls ? &all->first_calls->calls : NULL;
    while (link && *link && (*link)->collective != collective) {
        link = &(*link)->next;
    }
    if (link && !*link && (*link = strata_allocate(1, sizeof **link))) {
        (*link)->collective = collective;
        snprintf((*link)->algorithm, sizeof(*link)->algorithm, "native");
        snprintf((*link)->why, sizeof(*link)->why, "the second call sets a communicator up");
    }
    if (link && *link) {
        (*link)->calls++;
    }
    pthread_mutex_unlock(&process->lock);
}

static void release(struct strata_explained_communicator *communicator)
{
    while (communicator->calls) {
        struct strata_explained *next = communicator->calls->next;
        strata_release(communicator->calls);
        communicator->calls = next;
    }
    strata_release(communicator);
}

void strata_explain_finish(struct strata_process *process)
{
    strata_explain_say(process);
    while (process->explain.communicators) {
        struct strata_explained_communicator *next = process->explain.communicators->next;
        release(process->explain.communicators);
        process->explain.communicators = next;
    }
    process->explain.first_calls = NULL;
}
