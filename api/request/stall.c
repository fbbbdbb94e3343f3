#include "api/request/stall.h"

#include <stdio.h>
#include <string.h>

#include "api/attach/state.h"
#include "api/process/process.h"

enum { TEXT = 160 };

struct finding {
    const char *collective, *algorithm;
    char communicator[MPI_MAX_OBJECT_NAME], awaited[TEXT], round[TEXT];
};

static bool is_open(const struct strata_request *r)
{
    return r && strata_request_phase(r) != STRATA_REQUEST_INACTIVE &&
           strata_request_phase(r) != STRATA_REQUEST_COMPLETE;
}

/* A rank of the communicator, as plans of it number them. */
static void find_peer(const struct strata_execution *x, char *text)
{
    bool receive = false;
    int peer;

    if (x->pending_member >= 0) {
        peer = strata_topology_rank(x->nodes, x->nodes->node_of[x->plan->rank], x->pending_member);
        snprintf(text, TEXT, "rank %d, in the node's memory", peer);
        return;
    }
    peer = strata_transport_mpi_missing(x->transport_self, &receive);
    if (peer < 0) {
        snprintf(text, TEXT, "messages that have just come");
    } else {
        snprintf(text, TEXT, receive ? "a message of rank %d" : "rank %d, to take a message", peer);
    }
}

static void find_awaited(const struct strata_request *r, char *text)
{
    const int phase = strata_request_phase(r);

    if (phase == STRATA_REQUEST_QUEUED) {
        snprintf(text, TEXT, "its turn, after older calls of the communicator");
    } else if (phase == STRATA_REQUEST_RUNNING) {
        find_peer(&r->x, text);
    } else {
        snprintf(text, TEXT, "MPI's own call");
    }
}

/* Where its plan stands; on a tape nobody keeps count. */
static void find_round(const struct strata_execution *x, char *text)
{
    const struct strata_cursor *c = &x->cursor;
    const char *label = x->tape ? "" : strata_cursor_label(c);

    text[0] = '\0';
    if (*label && c->depth > 0) {
        snprintf(text, TEXT, " (%s, round %d)", label, c->counter[c->depth - 1] + 1);
    } else if (*label) {
        snprintf(text, TEXT, " (%s)", label);
    }
}

static struct finding examine(const struct strata_request *r)
{
    struct finding f = {.collective = strata_collective_name(r->signature.collective),
                        .algorithm = r->sequence ? r->entry->algorithm : "native"};

    if (r->sequence) {
        memcpy(f.communicator, r->sequence->name, sizeof f.communicator);
    }
    find_awaited(r, f.awaited);
    f.round[0] = '\0';
    if (strata_request_phase(r) == STRATA_REQUEST_RUNNING) {
        find_round(&r->x, f.round);
    }
    return f;
}

/* Of the first that is open. Other threads complete requests meanwhile. */
static bool find(int count, struct strata_request *requests[], struct finding *f)
{
    bool found = false;

    strata_beside_lock();
    for (int i = 0; i < count && !found; i++) {
        if (is_open(requests[i])) {
            *f = examine(requests[i]);
            found = true;
        }
    }
    strata_beside_unlock();
    return found;
}

#define ASKED                                                                                      \
    "; has that rank begun the call, and does it make progress (strata_progress, "                 \
    "STRATA_PROGRESS)?\n"

static void say(int count, struct strata_request *requests[], int seconds)
{
    const int rank = strata_process_here.world_rank;
    struct finding f;

    if (find(count, requests, &f)) {
        fprintf(stderr, STRATA_STALLED "for i%s (%s) on %s: it waits for %s%s" ASKED, rank, seconds,
                f.collective, f.algorithm,
                f.communicator[0] ? f.communicator : "a communicator without a name", f.awaited,
                f.round);
    } else {
        strata_stall_say_mpi(seconds);
    }
}

/* The state that serves a call's group does not know which of its communicators it is on. */
static void say_of_call(const struct strata_execution *x, int seconds)
{
    char awaited[TEXT], round[TEXT];

    find_peer(x, awaited);
    find_round(x, round);
    fprintf(stderr,
            STRATA_STALLED "in %s (%s) on a communicator of %d ranks: it waits for %s%s" ASKED,
            strata_process_here.world_rank, seconds, strata_collective_name(x->plan->collective),
            x->plan->name, x->nodes->ranks, awaited, round);
}

void strata_stall_call(const struct strata_execution *x, unsigned attempt)
{
    static STRATA_EACH_THREAD double since;
    static STRATA_EACH_THREAD bool said;
    const double now = PMPI_Wtime();

    if (attempt == STRATA_WAIT_STILL) {
        since = now;
        said = false;
    } else if (!said && now - since >= (double)strata_process_here.config.stall) {
        said = true;
        say_of_call(x, (int)(now - since));
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
