#include "api/request/stall.h"

#include <stdio.h>
#include <string.h>

#include "api/attach/stalled_call.h"
#include "api/process/process.h"
#include "api/request/parts.h"

struct finding {
    const char *collective, *algorithm;
    char communicator[MPI_MAX_OBJECT_NAME], awaited[STRATA_STALL_TEXT], round[STRATA_STALL_TEXT];
};

static bool is_open(const struct strata_request *r)
{
    return r && strata_request_phase(r) != STRATA_REQUEST_INACTIVE &&
           strata_request_phase(r) != STRATA_REQUEST_COMPLETE;
}

static void find_awaited(const struct strata_request *r, char *text)
{
    const int phase = strata_request_phase(r);
    if (phase == STRATA_REQUEST_QUEUED) {
        snprintf(text, STRATA_STALL_TEXT, "its turn, after older calls of the communicator");
    } else if (phase == STRATA_REQUEST_RUNNING) {
        strata_stall_peer(&r->bound.x, text);
    } else {
        snprintf(text, STRATA_STALL_TEXT, "MPI's own call");
    }
}

static struct finding examine(const struct strata_request *r)
{
    struct finding f = {.collective = strata_collective_name(r->bound.own.collective),
                        .algorithm = r->sequence ? r->bound.call.entry->algorithm : "native"};
    if (r->sequence) {
        memcpy(f.communicator, r->sequence->name, sizeof f.communicator);
    }
    find_awaited(r, f.awaited);
    f.round[0] = '\0';
    if (strata_request_phase(r) == STRATA_REQUEST_RUNNING) {
        strata_stall_round(&r->bound.x, f.round);
    }
    return f;
}

/* A request with parts waits for a part that is not ready, or for the first call that is open. */
static struct finding examine_parts(const struct strata_parts *parts)
{
    const int missing = strata_parts_missing(parts);
    const struct strata_request *call = parts->part[missing < 0 ? 0 : missing].call;
    for (int p = 0; missing < 0 && p < parts->calls; p++) {
        call = is_open(parts->part[p].call) ? parts->part[p].call : call;
    }
    struct finding f = examine(call);
    if (missing >= 0) {
        snprintf(f.awaited, sizeof f.awaited, "strata_part_ready of part %d", missing);
    }
    return f;
}

/* Describes the first open request. Other threads complete requests meanwhile. */
static bool find(int count, struct strata_request *requests[], struct finding *f)
{
    bool found = false;
    strata_requests_lock();
    for (int i = 0; i < count && !found; i++) {
        if (is_open(requests[i])) {
            *f = requests[i]->parts ? examine_parts(requests[i]->parts) : examine(requests[i]);
            found = true;
        }
    }
    strata_requests_unlock();
    return found;
}

static void say(int count, struct strata_request *requests[], int seconds)
{
    const int rank = strata_process_here.world_rank;
    struct finding f;
    if (find(count, requests, &f)) {
        fprintf(stderr, STRATA_STALLED "for i%s (%s) on %s: it waits for %s%s" STRATA_STALL_ASKED,
                rank, seconds, f.collective, f.algorithm,
                f.communicator[0] ? f.communicator : "a communicator without a name", f.awaited,
                f.round);
    } else {
        strata_stall_say_mpi(seconds);
    }
}

void strata_stall_look(struct strata_stall *stall, int complete, int count,
                       struct strata_request *requests[])
{
    int seconds = strata_stall_seconds(stall, complete);
    if (seconds > 0) {
        say(count, requests, seconds);
    }
}
