/* Runs virtual ranks: picks one, lets its engine go as far as it can, until all are done or nobody
 * can move. */
#include "sim/virtual/virtual_run.h"

#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/engine/engine_sizes.h"
#include "sim/virtual/virtual_pick.h"
#include "sim/virtual/virtual_transport.h"
#include "sim/virtual/virtual_world.h"

enum { GARBAGE = 0xA5, TEAM = 3, GUARD = 64 };

struct run {
    struct strata_virtual *world;
    struct strata_virtual_call *calls;
    int ncalls;
    struct strata_diagnostic *message;
};

/* A team whose members work one after another, the last first: chunks must not depend on order. */
static void run_chunks(void (*body)(void *argument, int chunk, int chunks), void *argument,
                       int chunks)
{
    for (int chunk = chunks - 1; chunk >= 0; chunk--) {
        body(argument, chunk, chunks);
    }
}

static const struct strata_team team = {.threads = TEAM, .least_bytes = 64, .run = run_chunks};

static struct strata_virtual_call *call_of(const struct run *run, int rank, int call)
{
    return &run->calls[(size_t)call * (size_t)run->world->topology->ranks + (size_t)rank];
}

/* Remembers the first error. */
static int record_error(const struct run *run, int error, const char *text)
{
    if (run->world->error == STRATA_OK) {
        run->world->error = strata_fail(run->message, error, "%s", text);
    }
    return error;
}

/* The nodes' memory is large enough for the plan. */
static int check_room(const struct strata_virtual *w, const struct strata_virtual_call *call)
{
    const struct strata_plan *plan = call->plan;
    const struct strata_exchange *e = &plan->exchange;
    if (!e->staged) {
        return STRATA_OK;
    }
    if (strata_plan_over_blocks(plan)) {
        size_t slot = 0, all = 0;
        strata_engine_node_need(plan, &call->work, &slot, &all);
        return slot <= w->slot_bytes && all <= w->landing_bytes ? STRATA_OK : STRATA_ERR_CAPACITY;
    }
    size_t slot = strata_slot_bytes_at(plan->topology->ranks, plan->topology->nodes, e->lanes,
                                       plan->limits.slice);
    size_t landing = (size_t)e->lanes * strata_lane_bytes(plan, call->check);
    bool fits = slot <= w->slot_bytes && landing <= w->landing_bytes;
    return fits ? STRATA_OK : STRATA_ERR_CAPACITY;
}

static int allocate_scratch(struct strata_virtual_rank *r, const struct strata_virtual_call *call)
{
    size_t bytes =
        strata_plan_over_blocks(call->plan)
            ? strata_engine_block_scratch(&r->x)
            : strata_engine_scratch(call->plan, &call->input, call->in_place, call->check);
    r->scratch = strata_allocate(bytes + GUARD, 1);
    r->scratch_bytes = bytes;
    if (!r->scratch) {
        return STRATA_ERR_MEMORY;
    }
    memset(r->scratch, GARBAGE, bytes + GUARD);
    return STRATA_OK;
}

static bool guard_stands(const struct strata_virtual_rank *r)
{
    bool stands = true;
    for (size_t i = 0; r->scratch && i < GUARD; i++) {
        stands = stands && r->scratch[r->scratch_bytes + i] == GARBAGE;
    }
    return stands;
}

static int begin_call(const struct run *run, int rank)
{
    struct strata_virtual *w = run->world;
    struct strata_virtual_rank *r = &w->rank[rank];
    const struct strata_virtual_call *call = call_of(run, rank, r->call);
    r->x = (struct strata_execution){.plan = call->plan,
                                     .nodes = w->topology,
                                     .input = call->input,
                                     .output = call->output,
                                     .in_place = call->in_place,
                                     .work = call->work,
                                     .op = call->op,
                                     .check = call->check,
                                     .transport = w->options.spots ? &strata_transport_virtual_spots
                                                                   : &strata_transport_virtual,
                                     .transport_self = &w->mail->boxes[rank],
                                     .team = &team};
    r->running = true;
    int status = check_room(w, call);
    status = status == STRATA_OK ? allocate_scratch(r, call) : status;
    if (status != STRATA_OK) {
        return strata_fail(&r->x.message, status, "rank %d cannot begin: %s", rank,
                           strata_error_text(status));
    }
    r->x.memory = call->plan->exchange.staged ? &w->node_memory[rank] : NULL;
    r->x.scratch = r->scratch;
    if (!strata_plan_over_blocks(call->plan)) {
        r->x.fixed_scratch = strata_engine_fixed_scratch(call->plan, call->check);
    }
    return strata_engine_start(&r->x);
}

/* What the engine says, that it stayed in its scratch, and that it leaves no request open. */
static int judge(struct strata_virtual *w, int rank, int status)
{
    struct strata_virtual_rank *r = &w->rank[rank];
    const struct strata_mailbox *box = &w->mail->boxes[rank];
    if (!guard_stands(r)) {
        r->broken = true;
        return strata_fail(&r->x.message, STRATA_ERR_PLAN, "rank %d writes behind its scratch",
                           rank);
    }
    if (box->message.text[0]) {
        r->x.message = box->message;
    }
    if (r->x.abandoned) {
        r->broken = true;
    } else if (strata_mailbox_open(box) > 0) {
        r->broken = true;
        return strata_fail(&r->x.message, STRATA_ERR_PLAN, "rank %d ends with %d requests open",
                           rank, strata_mailbox_open(box));
    }
    return status;
}

static void end_call(const struct run *run, int rank, int status)
{
    struct strata_virtual_rank *r = &run->world->rank[rank];
    struct strata_virtual_call *call = call_of(run, rank, r->call);
    call->status = judge(run->world, rank, status);
    call->agreed = r->x.agreed;
    call->count = r->x.count;
    call->message = r->x.message;
    if (call->status != STRATA_OK) {
        record_error(run, call->status, call->message.text);
    }
    strata_release(r->scratch);
    r->scratch = NULL;
    r->running = false;
    r->call++;
}

static bool same_place(const struct strata_cursor *a, const struct strata_cursor *b)
{
    bool same = a->at == b->at && a->depth == b->depth && a->pass == b->pass;
    for (int d = 0; same && d < a->depth; d++) {
        same = a->counter[d] == b->counter[d];
    }
    return same;
}

/* Lets a rank go as far as it can. It has moved if its steps, its messages or its calls have. */
static void move(const struct run *run, int rank)
{
    struct strata_virtual *w = run->world;
    struct strata_virtual_rank *r = &w->rank[rank];
    uint64_t events = w->mail->events;
    bool fresh = !r->running;
    int status = fresh ? begin_call(run, rank) : STRATA_OK;
    struct strata_cursor before = r->x.cursor;
    strata_mailbox_deliver(&w->mail->boxes[rank]);
    if (status == STRATA_OK) {
        status = strata_engine_advance(&r->x);
    }
    if (status != STRATA_PENDING) {
        end_call(run, rank, status);
        w->moves++;
    } else if (fresh || w->mail->events != events || !same_place(&before, &r->x.cursor)) {
        w->moves++;
    } else {
        r->stuck_at = w->moves;
    }
}

/* "rank 3, call 0: step 7 (await), ...", as many as the text has room for. */
static int deadlock(const struct run *run)
{
    const struct strata_virtual *w = run->world;
    char text[STRATA_DIAGNOSTIC_SIZE] = "nobody can move:";
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
    return record_error(run, STRATA_ERR_PLAN, text);
}

static bool finished(const struct run *run)
{
    for (int rank = 0; rank < run->world->topology->ranks; rank++) {
        if (run->world->rank[rank].call < run->ncalls) {
            return false;
        }
    }
    return true;
}

static void prepare(const struct run *run)
{
    struct strata_virtual *w = run->world;
    size_t ranks = (size_t)w->topology->ranks;
    w->error = STRATA_OK;
    w->moves = 1;
    for (size_t i = 0; i < ranks * (size_t)run->ncalls; i++) {
        run->calls[i].status = STRATA_PENDING;
    }
    memset(w->rank, 0, ranks * sizeof *w->rank);
}

/* Messages that nobody received are a mistake; ranks that never ended leave a world half done. */
static void conclude(const struct run *run)
{
    struct strata_virtual *w = run->world;
    bool whole = finished(run);
    const struct strata_post *unmet = strata_mailboxes_unmet(w->mail);
    if (unmet) {
        char text[STRATA_DIAGNOSTIC_SIZE];
        snprintf(text, sizeof text, "rank %d sent rank %d a message that is never received",
                 unmet->source, unmet->destination);
        record_error(run, STRATA_ERR_PLAN, text);
    }
    for (int rank = 0; rank < w->topology->ranks; rank++) {
        whole = whole && !w->rank[rank].broken;
        strata_release(w->rank[rank].scratch);
        w->rank[rank].scratch = NULL;
    }
    if (!whole || unmet) {
        strata_virtual_reset(w);
    }
}

int strata_virtual_run(struct strata_virtual *world, struct strata_virtual_call *calls, int ncalls,
                       struct strata_diagnostic *message)
{
    struct run run = {world, calls, ncalls, message};
    prepare(&run);
    while (!finished(&run)) {
        int rank = strata_virtual_pick(world, ncalls);
        if (rank >= 0) {
            move(&run, rank);
        } else if (strata_mailboxes_flush(world->mail) > 0) {
            world->moves++;
        } else {
            deadlock(&run);
            break;
        }
    }
    conclude(&run);
    return world->error;
}
