#include "api/call/explain.h"

#include <stdio.h>

#include "core/base/memory.h"

/* The seconds of waiting, without work. */
static double waited(const struct strata_wait_tally *tally)
{
    double seconds = 0;
    for (int reason = 0; reason <= STRATA_WAIT_MESSAGES; reason++) {
        for (int part = STRATA_WAIT_WORK + 1; part < STRATA_WAIT_PARTS; part++) {
            seconds += tally->sum[reason][part].seconds;
        }
    }
    return seconds;
}

/* Makes the record. MPI is asked before the lock is taken, for MPI may hold locks of its own while
 * it calls Strata. */
static void meet(struct strata_process *process, struct strata_state *state)
{
    int length = 0;
    char name[MPI_MAX_OBJECT_NAME] = "";
    PMPI_Comm_get_name(state->comm, name, &length);
    pthread_mutex_lock(&process->lock);
    state->explained = strata_explained_add(&process->explain);
    if (state->explained) {
        snprintf(state->explained->name, sizeof state->explained->name, "%.63s", name);
        state->explained->ranks = state->ranks;
    }
    pthread_mutex_unlock(&process->lock);
}

void strata_explain_meet(struct strata_process *process, struct strata_state *state)
{
    if (process->explain.on && !state->explained) {
        meet(process, state);
    }
}

static void note_group(struct strata_explained_communicator *communicator,
                       struct strata_explained *e, const struct strata_group *g)
{
    communicator->nodes = g->topology->nodes;
    communicator->here = g->placement.processes;
    communicator->cpus = g->placement.cpus;
    communicator->node_bytes = g->region_bytes;
    communicator->scratch_bytes = g->scratch_bytes;
    e->crowded = g->waiter.crowded;
    e->roomless = !g->arena && g->topology->largest > 1;
}

/* Adds the traffic of the state since the last time. */
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

/* Counts a call in its class. */
static struct strata_explained *count(const struct strata_call *c, enum strata_expected_form form,
                                      int bucket)
{
    struct strata_explained_communicator *communicator = c->state->explained;
    struct strata_explained *e =
        communicator ? strata_explained_class(communicator, c, form, bucket) : NULL;
    if (!e) {
        return NULL; /* without memory */
    }
    e->calls++;
    if (c->state->group) {
        note_group(communicator, e, c->state->group);
    }
    return e;
}

static void record(const struct strata_call *c, int bucket, double seconds, double waiting)
{
    struct strata_explained *e = count(c, STRATA_BLOCKING, bucket);
    if (!e) {
        return;
    }
    e->seconds += seconds;
    if (e->calls > 1) {
        const struct strata_later one = {1, seconds, seconds * seconds};
        strata_explained_add_later(&e->later, &one);
    }
    e->waiting += e->plan ? waiting : 0;
    add_traffic(&e->count, &c->state->explained->counted, &c->state->count);
}

void strata_explain_call(const struct strata_call *c, double begin,
                         const struct strata_wait_tally *tally)
{
    struct strata_process *process = c->process;
    double seconds = strata_seconds() - begin;
    if (!c->state || c->state->thread) {
        return;
    }
    int bucket = strata_explained_bucket(c->signature);
    strata_explain_meet(process, c->state);
    pthread_mutex_lock(&process->lock);
    record(c, bucket, seconds, waited(tally));
    pthread_mutex_unlock(&process->lock);
}

void strata_explain_started(const struct strata_call *c, enum strata_expected_form form, int bucket)
{
    (void)count(c, form, bucket);
}

static struct strata_explained *first_call_of(struct strata_explained_communicator *any,
                                              enum strata_collective collective)
{
    struct strata_explained *e = any->last[collective];
    if (!e && (e = strata_allocate(1, sizeof *e))) {
        e->collective = collective;
        snprintf(e->algorithm, sizeof e->algorithm, "native");
        snprintf(e->why, sizeof e->why, "the second call sets a communicator up");
        strata_explained_merge(any, e);
        any->last[collective] = e;
    }
    return e;
}

double strata_explain_first_begin(const struct strata_process *process)
{
    return process->explain.on ? strata_seconds() : 0;
}

void strata_explain_first_call(struct strata_process *process, enum strata_collective collective,
                               double begin)
{
    struct strata_explain *all = &process->explain;
    struct strata_explained *e = NULL;
    pthread_mutex_lock(&process->lock);
    if (!all->first_calls && (all->first_calls = strata_explained_add(all))) {
        snprintf(all->first_calls->name, sizeof all->first_calls->name, "any, its first call");
    }
    e = all->first_calls ? first_call_of(all->first_calls, collective) : NULL;
    if (e) {
        e->calls++;
        e->seconds += strata_seconds() - begin;
    }
    pthread_mutex_unlock(&process->lock);
}
