/* One rank's call: its beginning, and the checks at its end. */
#include "sim/virtual/virtual_call.h"

#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/engine/engine_sizes.h"
#include "core/engine/tape.h"
#include "sim/virtual/virtual_transport.h"

enum { GARBAGE = 0xA5, THREADS = 3, GUARD = 64 };

/* Threads that work one after another, the last first: chunks must not depend on order. */
static int run_chunks(strata_chunk_body *body, void *argument, int chunks)
{
    for (int chunk = chunks - 1; chunk >= 0; chunk--) {
        body(argument, chunk, chunks);
    }
    return chunks - 1;
}

static int count_threads(size_t bytes)
{
    (void)bytes;
    return THREADS;
}

static const struct strata_workers workers = {
    .least_bytes = 64, .team_bytes = 64, .count = count_threads, .run = run_chunks};

static struct strata_virtual_call *call_of(const struct strata_virtual_job *job, int rank, int call)
{
    return &job->calls[(size_t)call * (size_t)job->world->topology->ranks + (size_t)rank];
}

/* Remembers the first error. */
int strata_virtual_fail(const struct strata_virtual_job *job, int error, const char *text)
{
    if (job->world->error == STRATA_OK) {
        job->world->error = strata_fail(job->message, error, "%s", text);
    }
    return error;
}

/* The nodes' memory is large enough for the plan. */
static int check_room(const struct strata_virtual *w, const struct strata_virtual_call *call,
                      const struct strata_layout *work)
{
    const struct strata_plan *plan = call->plan;
    size_t slot = 0, landing = 0;
    if (plan->exchange.staged) {
        strata_engine_node_need(plan, work, call->check, &slot, &landing);
    }
    bool fits = slot <= w->sizes.slot[plan->blocks.ring] && landing <= w->sizes.landing;
    return fits ? STRATA_OK : STRATA_ERR_CAPACITY;
}

static int allocate_scratch(struct strata_virtual_rank *r, const struct strata_virtual_call *call)
{
    r->x.fixed_scratch = strata_engine_fixed_scratch(call->plan, call->check);
    size_t bytes = strata_engine_scratch(&r->x);
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

/* Taped anew, before it has run, as calls are that are described once. */
static void foresee(const struct strata_virtual_call *call, struct strata_virtual_rank *r)
{
    strata_tape_destroy(r->tape);
    r->tape = strata_tape_create(call->plan, call->check);
    if (r->tape) {
        strata_tape_foresee(r->tape, &r->x);
    }
}

static bool same_array(const void *a, const void *b, size_t bytes)
{
    return a && b ? memcmp(a, b, bytes) == 0 : a == b;
}

/* Calls may have copies of one type. */
static bool same_type(const struct strata_type *a, const struct strata_type *b)
{
    return a && b ? a->size == b->size && a->extent == b->extent && a->npieces == b->npieces
                  : a == b;
}

static bool same_layout(const struct strata_layout *a, const struct strata_layout *b, int ranks)
{
    const size_t n = (size_t)ranks;
    return same_type(a->type, b->type) && a->count == b->count && a->segments == b->segments &&
           a->unit == b->unit && same_array(a->counts, b->counts, n * sizeof *a->counts) &&
           same_array(a->displs, b->displs, n * sizeof *a->displs) &&
           same_array(a->lengths, b->lengths, n * sizeof *a->lengths) &&
           same_array(a->displacements, b->displacements, n * sizeof *a->displacements);
}

/* Whether the rank's call differs from the one before it in its buffers at most. */
static bool comes_again(const struct strata_virtual_job *job, int rank, int call)
{
    const int ranks = job->world->topology->ranks;
    if (call == 0) {
        return false;
    }
    const struct strata_virtual_call *now = call_of(job, rank, call);
    const struct strata_virtual_call *before = call_of(job, rank, call - 1);
    return now->plan == before->plan && now->in_place == before->in_place &&
           before->status == STRATA_OK && same_layout(&now->input, &before->input, ranks) &&
           same_layout(&now->output, &before->output, ranks) &&
           same_layout(&now->work, &before->work, ranks);
}

/* A call that comes again leaves a tape, which then serves. */
static void find_tape(const struct strata_virtual_job *job, struct strata_virtual_rank *r, int rank)
{
    if (!comes_again(job, rank, r->call)) {
        strata_tape_destroy(r->tape);
        r->tape = NULL;
    }
    if (r->call == job->world->options.foresee - 1) {
        foresee(call_of(job, rank, r->call), r);
    }
    r->x.tape = r->tape && r->tape->ready ? r->tape : NULL;
}

static void record(const struct strata_virtual_call *call, struct strata_virtual_rank *r)
{
    if (!r->tape) {
        r->tape = strata_tape_create(call->plan, call->check);
    }
    if (r->tape && !r->tape->ready) {
        strata_tape_record(r->tape, &r->x);
    }
}

int strata_virtual_begin(const struct strata_virtual_job *job, int rank)
{
    struct strata_virtual *w = job->world;
    struct strata_virtual_rank *r = &w->rank[rank];
    const struct strata_virtual_call *call = call_of(job, rank, r->call);
    r->x = (struct strata_execution){.plan = call->plan,
                                     .nodes = w->topology,
                                     .input = call->input,
                                     .output = call->output,
                                     .in_place = call->in_place,
                                     .work = call->work,
                                     .op = call->op,
                                     .kept = call->kept,
                                     .check = call->check,
                                     .transport = job->transport,
                                     .transport_self = &w->mail->boxes[rank],
                                     .workers = w->options.alone ? NULL : &workers};
    r->x.memory = call->plan->exchange.staged ? &w->node_memory[rank] : NULL;
    r->running = true;
    w->mail->boxes[rank].call = (unsigned)r->call; /* calls from tapes reserve nothing */
    strata_engine_slice(&r->x, 0);
    int status = check_room(w, call, &r->x.work);
    status = status == STRATA_OK ? allocate_scratch(r, call) : status;
    if (status != STRATA_OK) {
        return strata_fail(&r->x.message, status, "rank %d cannot begin: %s", rank,
                           strata_error_text(status));
    }
    r->x.scratch = r->scratch;
    find_tape(job, r, rank);
    return strata_engine_start(&r->x);
}

/* Checks the engine's status, that it stayed in its scratch, and that it leaves no request open. */
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

void strata_virtual_end(const struct strata_virtual_job *job, int rank, int status)
{
    struct strata_virtual_rank *r = &job->world->rank[rank];
    struct strata_virtual_call *call = call_of(job, rank, r->call);
    call->status = judge(job->world, rank, status);
    call->agreed = r->x.agreed;
    call->count = r->x.count;
    call->message = r->x.message;
    call->taped = r->x.tape != NULL;
    if (!call->taped && call->status == STRATA_OK && comes_again(job, rank, r->call)) {
        record(call, r);
    }
    if (call->status != STRATA_OK) {
        strata_virtual_fail(job, call->status, call->message.text);
    }
    strata_release(r->scratch);
    r->scratch = NULL;
    r->running = false;
    r->call++;
}

bool strata_virtual_finished(const struct strata_virtual_job *job)
{
    for (int rank = 0; rank < job->world->topology->ranks; rank++) {
        if (job->world->rank[rank].call < job->ncalls) {
            return false;
        }
    }
    return true;
}

void strata_virtual_prepare(const struct strata_virtual_job *job)
{
    struct strata_virtual *w = job->world;
    size_t ranks = (size_t)w->topology->ranks;
    w->error = STRATA_OK;
    w->moves = 1;
    for (size_t i = 0; i < ranks * (size_t)job->ncalls; i++) {
        job->calls[i].status = STRATA_PENDING;
    }
    memset(w->rank, 0, ranks * sizeof *w->rank);
}

/* Messages that nobody received are a mistake; ranks that never ended leave a world half done. */
void strata_virtual_conclude(const struct strata_virtual_job *job)
{
    struct strata_virtual *w = job->world;
    bool whole = strata_virtual_finished(job);
    const struct strata_post *unmet = strata_mailboxes_unmet(w->mail);
    if (unmet) {
        char text[STRATA_DIAGNOSTIC_SIZE];
        snprintf(text, sizeof text, "rank %d sent rank %d a message that is never received",
                 unmet->source, unmet->destination);
        strata_virtual_fail(job, STRATA_ERR_PLAN, text);
    }
    for (int rank = 0; rank < w->topology->ranks; rank++) {
        whole = whole && !w->rank[rank].broken;
        strata_release(w->rank[rank].scratch);
        w->rank[rank].scratch = NULL;
        strata_tape_destroy(w->rank[rank].tape);
        w->rank[rank].tape = NULL;
    }
    if (!whole || unmet) {
        strata_virtual_reset(w);
    }
}
