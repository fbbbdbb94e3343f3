/* What the library says about itself and about a communicator: the version, the algorithms of the
 * registry, and the communicator's state as the public struct. */
#include <stdio.h>
#include <string.h>

#include "api/attach/arenas.h"
#include "api/attach/state.h"
#include "api/call/execute.h"
#include "api/call/results.h"
#include "api/life/life.h"
#include "api/request/request.h"
#include "core/plan/collective.h"
#include "hier/registry.h"
#include "include/strata.h"

const char *strata_version(void)
{
    return STRATA_VERSION_STRING;
}

const char *strata_algorithm_at(const char *collective, int index)
{
    enum strata_collective wanted;
    const struct strata_algorithm *algorithm = NULL;
    if (!collective || index < 0 || !strata_collective_find(collective, &wanted)) {
        return NULL;
    }
    for (int i = 0; (algorithm = strata_registry_at(i)); i++) {
        if (algorithm->collectives >> wanted & 1 && index-- == 0) {
            return algorithm->name;
        }
    }
    return NULL;
}

static void report_plan(const struct strata_state *state, struct strata_report *report)
{
    const struct strata_selection_entry *entry = state->last;
    const char *variable = strata_collective_info[entry->key.collective].variable;
    strata_selection_say(&entry->selection, state->last_forced ? "strata_comm_force" : variable,
                         report->why, sizeof report->why);
    snprintf(report->algorithm, sizeof report->algorithm, "%s", entry->algorithm);
    if (entry->plan) {
        report->lanes = entry->plan->exchange.lanes;
        report->passes = entry->plan->limits.passes;
        report->threshold = entry->plan->limits.threshold;
    }
}

static void report_traffic(const struct strata_state *state, struct strata_report *report)
{
    struct strata_traffic_count all = state->count;
    report->helped = state->served.helped;
    if (state->sequence) {
        strata_requests_lock();
        strata_call_count(&all, &state->sequence->count);
        report->helped += state->sequence->helped;
        strata_requests_unlock();
    }
    report->messages = all.messages;
    report->messages_node = all.messages_node;
    report->bytes = all.bytes;
    report->bytes_node = all.bytes_node;
    report->copied = all.copied;
    report->lent_mapped = all.exposed[STRATA_WAY_MAPPED];
    report->lent_read = all.exposed[STRATA_WAY_READ];
    report->lent_pieces = all.exposed[STRATA_WAY_PIECES];
    report->lent_asked = all.exposed[STRATA_WAY_ASKED];
    report->teams_opened = state->served.opened;
}

static void report_group(const struct strata_state *state, struct strata_report *report)
{
    const struct strata_group *g = state->group;
    const struct strata_topology *t = g->topology;
    unsigned memories = state->sequence ? state->sequence->memories.count : 0;
    report->ranks = t->ranks;
    report->nodes = t->nodes;
    report->node_ranks = strata_group_members(g);
    report->node_memory_bytes = g->region_bytes * (1 + memories); /* each node memory of the
                                                                     sequence is as large as the
                                                                     group's */
    report->scratch_bytes = g->scratch_bytes;
    report->threads = g->helping.threads;
    report->helps_from = g->helping.gain.least_bytes < SIZE_MAX ? g->helping.gain.least_bytes : 0;
}

static void report_state(const struct strata_state *state, struct strata_report *report)
{
    report->standing = state->standing;
    for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
        report->calls += state->served.plans[c];
        report->calls_native += state->served.native[c];
    }
    report_traffic(state, report);
    strata_state_why(state, state->last_why, report->why, sizeof report->why);
    if (report->calls + report->calls_native > 0) {
        snprintf(report->algorithm, sizeof report->algorithm, "native");
    }
    if (state->last) {
        report_plan(state, report);
    }
    report->results = state->results.once;
    report->results_copied = state->results.copies;
    report->results_bytes = strata_results_bytes(state);
    snprintf(report->results_why, sizeof report->results_why, "%s", state->results.why);
    if (state->group) {
        report_group(state, report);
    }
}

static void report_process(struct strata_process *process, struct strata_report *report)
{
    pthread_mutex_lock(&process->lock);
    report->private_communicators = process->ngroups + (process->alone != MPI_COMM_NULL);
    for (const struct strata_arena_entry *e = process->arenas; e; e = e->next) {
        size_t memory_index = strata_arena_largest(e->arena);
        report->arenas++;
        report->private_communicators++; /* the private communicator of the arena's host */
        report->arena_bytes += e->bytes;
        report->arena_spare =
            memory_index > report->arena_spare ? memory_index : report->arena_spare;
    }
    pthread_mutex_unlock(&process->lock);
}

int strata_comm_report(MPI_Comm comm, struct strata_report *report)
{
    struct strata_process *process = strata_process();
    struct strata_report all = {.standing = STRATA_STANDING_NEW};
    const struct strata_state *state;
    if (comm == MPI_COMM_NULL) {
        return strata_raise(comm, MPI_ERR_COMM, "comm_report", "the communicator is MPI_COMM_NULL");
    }
    if (!report || report->size < offsetof(struct strata_report, algorithm)) {
        return strata_raise(comm, MPI_ERR_ARG, "comm_report", "report is null or its size not set");
    }
    state = process ? strata_state_peek(process, comm) : NULL;
    if (state) {
        report_state(state, &all);
    }
    if (process) {
        report_process(process, &all);
    }
    all.size = report->size < sizeof all ? report->size : sizeof all;
    memcpy(report, &all, all.size);
    return MPI_SUCCESS;
}
