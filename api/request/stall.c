#include "api/request/stall.h"

#include <stdio.h>

#include "api/attach/process.h"
#include "api/attach/state.h"

enum { TEXT = 160 };

/* Under the lock. */
static void describe(const struct strata_request *r, char *text)
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

static void say(const struct strata_request *r, int seconds)
{
    char text[TEXT], name[MPI_MAX_OBJECT_NAME] = "";
    const struct strata_sequence *s = r->sequence;
    int length = 0;

    strata_beside_lock();
    describe(r, text);
    strata_beside_unlock();
    if (!s || s->state) {
        PMPI_Comm_get_name(r->signature.comm, name, &length);
    }
    fprintf(stderr,
            "strata: rank %d of MPI_COMM_WORLD has waited %d s for i%s (%s) on %s: it waits for "
            "%s; has that "
            "rank begun the call, and does it make progress (strata_progress, STRATA_PROGRESS)?\n",
            strata_process_here.world_rank, seconds,
            strata_collective_name(r->signature.collective),
            r->entry ? r->entry->algorithm : "native",
            name[0] ? name : "a communicator without a name", text);
}

static bool is_open(const struct strata_request *r)
{
    return r && r->phase != STRATA_REQUEST_INACTIVE && r->phase != STRATA_REQUEST_COMPLETE;
}

static void say_first(int count, struct strata_request *requests[], int seconds)
{
    for (int i = 0; i < count; i++) {
        if (is_open(requests[i])) {
            say(requests[i], seconds);
            return;
        }
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
        say_first(count, requests, (int)(now - stall->since));
    }
}
