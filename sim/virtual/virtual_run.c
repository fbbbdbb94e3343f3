/* Runs virtual ranks: picks one, lets its engine go as far as it can, until all are done or none
 * can move. */
#include "sim/virtual/virtual_run.h"

#include <stdio.h>
#include <string.h>

#include "sim/virtual/virtual_call.h"
#include "sim/virtual/virtual_pick.h"
#include "sim/virtual/virtual_transport.h"

static bool same_place(const struct strata_cursor *a, const struct strata_cursor *b)
{
    bool same = a->at == b->at && a->depth == b->depth && a->pass == b->pass;
    for (int d = 0; same && d < a->depth; d++) {
        same = a->counter[d] == b->counter[d];
    }
    return same;
}

/* Grows with progress that neither the rank's step nor its messages show: blocks that it reads from
 * local peers, questions to them and answers, and its end. */
static uint64_t doings(const struct strata_execution *x)
{
    const struct strata_engine_progress *p = &x->progress;
    uint64_t answered = x->ring ? x->ring->asks : 0;
    uint64_t taken = p->taken + p->early + (uint64_t)p->direct_taken;
    return taken + p->asking + p->departed + answered;
}

/* Whether it would sleep on, for the moment that it waits for has not come. */
static bool sleeps(const struct strata_execution *x)
{
    return x->pending_member >= 0 && !strata_engine_come(x);
}

/* Lets a rank go as far as it can. It has moved if its steps, its messages, its calls, or its epoch
 * of its local peers' memory have. */
static void move(const struct strata_virtual_job *job, int rank)
{
    struct strata_virtual *w = job->world;
    struct strata_virtual_rank *r = &w->rank[rank];
    uint64_t events = w->mail->events;
    bool fresh = !r->running;
    int status = fresh ? strata_virtual_begin(job, rank) : STRATA_OK;
    struct strata_cursor before = r->x.cursor;
    uint64_t done = doings(&r->x);
    bool asleep = !fresh && sleeps(&r->x);
    strata_mailbox_deliver(&w->mail->boxes[rank]);
    if (status == STRATA_OK) {
        status = strata_engine_advance(&r->x);
    }
    if (asleep && status == STRATA_OK && !r->x.message.text[0]) {
        strata_virtual_fail(job, STRATA_ERR_PLAN, "a rank goes on that would not have been woken");
    }
    if (status != STRATA_PENDING) {
        strata_virtual_end(job, rank, status);
        w->moves++;
    } else if (fresh || w->mail->events != events || done != doings(&r->x) ||
               !same_place(&before, &r->x.cursor)) {
        w->moves++;
    } else {
        r->stuck_at = w->moves;
    }
}

/* "rank 3, call 0: step 7 (await), ...", as many as the text has room for. */
static int deadlock(const struct strata_virtual_job *job, const char *what)
{
    const struct strata_virtual *w = job->world;
    char text[STRATA_DIAGNOSTIC_SIZE];
    snprintf(text, sizeof text, "%s:", what);
    size_t used = strlen(text);
    for (int rank = 0; rank < w->topology->ranks && used < sizeof text; rank++) {
        const struct strata_virtual_rank *r = &w->rank[rank];
        if (r->running && r->x.cursor.at < r->x.plan->nsteps) {
            const struct strata_step *step = &r->x.plan->steps[r->x.cursor.at];
            used += (size_t)snprintf(text + used, sizeof text - used,
                                     " rank %d in call %d at step %d (%s, peer %d, count %d);",
                                     rank, r->call, r->x.cursor.at,
                                     strata_step_word((enum strata_op)step->op), step->peer,
                                     step->count);
        }
    }
    return strata_virtual_fail(job, STRATA_ERR_PLAN, text);
}

int strata_virtual_run(struct strata_virtual *world, struct strata_virtual_call *calls, int ncalls,
                       struct strata_diagnostic *message)
{
    struct strata_virtual_job job = {world, calls, ncalls, message,
                                     world->options.spans ? &strata_transport_virtual_spans
                                                          : &strata_transport_virtual};
    strata_virtual_prepare(&job);
    const uint64_t most = world->options.most_moves ? world->options.most_moves : UINT64_MAX;
    while (!strata_virtual_finished(&job)) {
        if (world->moves > most) {
            deadlock(&job, "too many moves");
            break;
        }
        int rank = strata_virtual_pick(world, ncalls);
        if (rank >= 0) {
            move(&job, rank);
        } else if (strata_mailboxes_flush(world->mail) > 0) {
            world->moves++;
        } else {
            deadlock(&job, "nobody can move");
            break;
        }
    }
    strata_virtual_conclude(&job);
    return world->error;
}
