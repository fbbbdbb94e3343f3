#include "api/attach/stalled_call.h"

#include <stdio.h>

#include "api/process/process.h"
#include "api/process/timeout.h"
#include "core/base/each_thread.h"
#include "internode/mpi/transport_mpi.h"
#include "intranode/wait.h"

void strata_stall_peer(const struct strata_execution *x, char *text)
{
    bool receive = false;
    int peer;
    if (x->pending_member >= 0) {
        peer = strata_topology_rank(x->nodes, x->nodes->node_of[x->plan->rank], x->pending_member);
        snprintf(text, STRATA_STALL_TEXT, "rank %d, in the node's memory", peer);
        return;
    }
    peer = strata_transport_mpi_missing(x->transport_self, &receive);
    if (peer < 0) {
        snprintf(text, STRATA_STALL_TEXT, "messages that have just come");
    } else {
        snprintf(text, STRATA_STALL_TEXT,
                 receive ? "a message of rank %d" : "rank %d, to take a message", peer);
    }
}

void strata_stall_round(const struct strata_execution *x, char *text)
{
    const struct strata_cursor *c = &x->cursor;
    const char *label = x->tape ? "" : strata_cursor_label(c);
    text[0] = '\0';
    if (*label && c->depth > 0) {
        snprintf(text, STRATA_STALL_TEXT, " (%s, round %d)", label, c->counter[c->depth - 1] + 1);
    } else if (*label) {
        snprintf(text, STRATA_STALL_TEXT, " (%s)", label);
    }
}

/* A group serves several communicators, so its calls cannot tell on which one they are. */
static void say_of_call(const struct strata_execution *x, int seconds)
{
    char awaited[STRATA_STALL_TEXT], round[STRATA_STALL_TEXT];
    strata_stall_peer(x, awaited);
    strata_stall_round(x, round);
    fprintf(stderr,
            STRATA_STALLED
            "in %s (%s) on a communicator of %d ranks: it waits for %s%s" STRATA_STALL_ASKED,
            strata_process_here.world_rank, seconds, strata_collective_name(x->plan->collective),
            x->plan->name, x->nodes->ranks, awaited, round);
}

void strata_stall_call(const struct strata_execution *x, unsigned attempt)
{
    static STRATA_EACH_THREAD double since;
    static STRATA_EACH_THREAD bool said;
    const double now = strata_seconds();

    if (attempt == STRATA_WAIT_STILL) {
        since = now;
        said = false;
    } else if (!said && now - since >= (double)strata_process_here.config.stall) {
        said = true;
        say_of_call(x, (int)(now - since));
    }
}
