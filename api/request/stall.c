#include "api/request/stall.h"

#include <stdio.h>

#include "api/attach/process.h"
#include "api/attach/state.h"

enum { TEXT = 160 };

struct finding {
    const char *collective, *algorithm;
    char communicator[MPI_MAX_OBJECT_NAME], awaited[TEXT];
};

static bool is_open(const struct strata_request *r)
{
    return r && r->phase != STRATA_REQUEST_INACTIVE && r->phase != STRATA_REQUEST_COMPLETE;
}

static void find_awaited(const struct strata_request *r, char *text)
{
    const struct strata_sequence *s = r->sequence;
    bool receive = false;
    int peer = -1;

    if (r->phase == STRATA_REQUEST_QUEUED) {
        snprintf(text, TEXT, "its turn, after older calls of the communicator");
        return;
    }
    if (r->phase == STRATA_REQUEST_RUNNING) {
        peer =
            strata_transport_mpi_missing(&s->transport[r->number % (uint64_t)s->places], &receive);
    }
    if (peer < 0) {
        snprintf(text, TEXT, "MPI's own call");
    } else {
        snprintf(text, TEXT, receive ? "a message of rank %d" : "rank %d, to take a message", peer);
    }
}

/* The communicator may be gone; where a plan serves the request, its sequence knows. */
static struct finding examine(const struct strata_request *r)
{
    struct finding f = {.collective = strata_collective_name(r->signature.collective),
                        .algorithm = r->sequence ? r->entry->algorithm : "native"};
    int length = 0;

    if (r->sequence && r->sequence->state) {
        PMPI_Comm_get_name(r->signature.comm, f.communicator, &length);
    }
    find_awaited(r, f.awaited);
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

static void say(int count, struct strata_request *requests[], int seconds)
{
    struct finding f;

    if (find(count, requests, &f)) {
        fprintf(stderr,
                "strata: rank %d of MPI_COMM_WORLD has waited %d s for i%s (%s) on %s: it waits "
                "for %s; has that rank begun the call, and does it make progress "
                "(strata_progress, STRATA_PROGRESS)?\n",
                strata_process_here.world_rank, seconds, f.collective, f.algorithm,
                f.communicator[0] ? f.communicator : "a communicator without a name", f.awaited);
    }
}

void strata_stall_look(struct strata_stall *stall, int complete, int count,
                       struct strata_request *requests[])
{
    const int64_t patience = strata_process_here.config.stall;
    const unsigned seldom = 64; /* looks; a clock costs more than most of them */

    if (patience == 0 || stall->said || ++stall->looks % seldom != 0) {
        return;
    }
    double now = PMPI_Wtime();
    if (stall->since == 0 || stall->complete != complete) {
        stall->since = now;
        stall->complete = complete;
    } else if (now - stall->since >= (double)patience) {
        stall->said = true;
        say(count, requests, (int)(now - stall->since));
    }
}
