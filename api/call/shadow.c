#include "api/call/shadow.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "api/attach/settings.h"
#include "api/call/rehearsal.h"
#include "api/call/run.h"
#include "api/call/shadow_bound.h"
#include "api/call/shadow_numbers.h"
#include "api/types/reduction_operator.h"
#include "internode/mpi/traits_mpi.h"

/* Everything that one call and its shadow need. */
struct shadow {
    struct strata_call *call;
    struct strata_shadow_data data;
    struct strata_shadow_bound bound;
    struct strata_rehearsal bytes; /* MPI's own call; not for reductions */
};

bool strata_shadow_due(struct strata_call *c)
{
    const struct strata_config *config = &c->state->group->settings->config;
    const struct strata_signature *s = c->signature;
    int64_t every = c->state->group->settings->shadows;
    bool own = strata_collective_reduces(s->collective) && !strata_operator_predefined(s->op);
    return every > 0 && !c->state->thread && (!own || config->shadow_operators) &&
           c->state->shadows++ % every == 0;
}

/* Whether the ranks agree on what they find. In calls in which a rank may go ahead of others no
 * rank waits, and each judges alone. */
static bool agrees(const struct strata_call *c)
{
    return strata_collective_waits(c->signature->collective);
}

/* The least value of all ranks of the call, or, if they do not agree, this rank's. */
static int least(const struct strata_call *c, int value)
{
    if (agrees(c)) {
        strata_group_agree(c->state->group, &value, 1, MPI_INT, MPI_MIN);
    }
    return value;
}

static void say(const struct shadow *w, const char *what)
{
    const struct strata_call *c = w->call;
    fprintf(stderr, "strata: shadow: rank %d (%d of MPI_COMM_WORLD), call %lld by %s, %s: %s\n",
            c->state->rank, c->process->world_rank, (long long)c->state->shadows,
            c->entry->algorithm, strata_collective_name(c->signature->collective), what);
}

/* Says something like "block 2, element 5, MPI_INT: 7, but 9 by MPI's own". */
static void say_element(const struct shadow *w, size_t byte)
{
    const struct strata_signature *s = w->call->signature;
    char ours[64], theirs[64], name[MPI_MAX_OBJECT_NAME] = "", where[64] = "", text[512];
    int block = 0, length = 0;
    size_t element = 0;
    size_t size = strata_shadow_element(&w->data, byte, &block, &element);
    MPI_Datatype type = strata_side_type(&s->recv, block);
    bool part = strata_collective_scatters(s->collective); /* this rank's block of the combined
                                                              vector, which lies at the beginning */
    element = part ? byte / size : element;
    size_t at = (part ? 0 : w->data.at[block]) + element * size;
    size_t number = w->bound.number > 0 ? byte : at;

    PMPI_Type_get_name(type, name, &length);
    strata_shadow_say(w->bound.number, type, w->data.ours + number, size, ours);
    strata_shadow_say(w->bound.number, type, w->data.theirs + number, size, theirs);
    if (strata_collective_info[s->collective].ranked) {
        snprintf(where, sizeof where, "block %d, ", w->data.blocks == 1 || part ? s->rank : block);
    }
    snprintf(text, sizeof text, "%selement %zu, %s: %s, but %s by MPI's own", where, element,
             length > 0 ? name : "a derived datatype", ours, theirs);
    say(w, text);
}

static void say_stray(const struct shadow *w, const char *stray)
{
    char text[128];
    snprintf(text, sizeof text, "byte %td of the receive buffer was written, which is in no block",
             stray - (const char *)w->call->signature->recv.buffer);
    say(w, text);
}

/* A rank that judges alone may be the only one outside MPI_Finalize. Where the launcher may not
 * survive its MPI_Abort, it ends itself, which ends the job. */
static void end_job(const struct strata_call *c)
{
    if (strata_mpi_traits()->abort_may_hang && !agrees(c)) {
        _exit(1);
    }
    strata_end_job();
}

/* The first of the ranks that found a difference reports it, and ends the program. */
static void judge(const struct shadow *w)
{
    const struct strata_call *c = w->call;
    size_t byte = 0;
    const char *stray = strata_shadow_stray(&w->data);
    bool differs = strata_shadow_differ(&w->bound, &byte);
    int first = least(c, differs || stray ? c->state->rank : c->state->ranks);
    if (first == c->state->rank) {
        if (differs) {
            say_element(w, byte);
        } else {
            say_stray(w, stray);
        }
        end_job(c);
    }
    if (first < c->state->ranks) {
        sleep(10); /* the reporting rank ends this one */
        strata_end_job();
    }
}

/* Runs the plan into this buffer, and packs what it received. Returns an MPI error code. */
static int call_ours(struct shadow *w, void *buffer)
{
    struct strata_signature *s = w->call->signature;
    void *own = s->recv.buffer;
    s->recv.buffer = buffer;
    int error = strata_call_run(w->call);
    strata_shadow_pack(&w->data, w->data.ours);
    w->call->signature = s; /* strata_call_run has set the bound call's signature */
    s->recv.buffer = own;
    return error;
}

/* Whether the collective only moves data. The shadow moves bytes, one block behind another: MPIs
 * themselves fail with some datatypes that plans serve, of extent 0 or less, or of more bytes than
 * an int counts. */
static bool moves(const struct strata_signature *s)
{
    return !strata_collective_reduces(s->collective) && s->collective != STRATA_BARRIER;
}

/* The side whose blocks the shadow sends. An exchange may be in place on this rank alone, so its
 * shadow is in place on no rank (api/call/apart.h). */
static const struct strata_side *sent_side(const struct strata_signature *s)
{
    return s->in_place && strata_collective_transposes(s->collective) ? &s->recv : &s->send;
}

/* False: there is no memory, or an int cannot count the bytes. */
static bool make_bytes(struct shadow *w)
{
    struct strata_signature apart = *w->call->signature;
    bool absolute = apart.send.part != STRATA_NONE && !apart.send.buffer && apart.send.sum > 0;
    apart.send = *sent_side(w->call->signature);
    return !moves(&apart) || (!absolute && strata_rehearsal_init(&w->bytes, &apart) == MPI_SUCCESS);
}

/* Fills the shadow's buffers before the plan runs. */
static void fill_bytes(struct shadow *w)
{
    const struct strata_signature *s = w->call->signature;
    strata_shadow_pack(&w->data, w->data.before);
    memcpy(w->data.theirs, w->data.before, w->data.at[w->data.blocks]);
    if (moves(s) && sent_side(s)->part != STRATA_NONE) {
        strata_shadow_pack_side(s, sent_side(s), w->bytes.send.memory);
    }
    if (moves(s) && s->recv.part != STRATA_NONE) {
        w->bytes.signature.recv.buffer = w->data.theirs;
    }
}

/* Makes the call with MPI's own, with the data from before the plan, and leaves its result in the
 * program's buffer. */
static int call_theirs(struct shadow *w)
{
    struct strata_shadow_data *data = &w->data;
    int error;
    if (moves(data->signature)) {
        error = strata_native_call(&w->bytes.signature);
        strata_shadow_unpack(data, data->theirs);
        return error;
    }
    strata_shadow_unpack(data, data->before);
    error = strata_native_call(data->signature);
    strata_shadow_pack(data, data->theirs);
    return error;
}

/* Makes the call again and compares. If a rank had an error, nothing is compared, for its buffer is
 * undefined. */
static int call_again(struct shadow *w, int error)
{
    if (!least(w->call, error == MPI_SUCCESS)) {
        if (!agrees(w->call)) { /* the other ranks need this one in their calls of MPI's own */
            (void)call_theirs(w);
        }
        return error;
    }
    error = call_theirs(w);
    if (least(w->call,
              error == MPI_SUCCESS && strata_shadow_bound_find(&w->bound) == MPI_SUCCESS)) {
        judge(w);
    }
    return error;
}

/* This rank alone may lack memory for a shadow. Then it takes part in the other ranks' call of
 * MPI's own. The program ends where this rank's operands would be overwritten by then, or where the
 * others may make several calls. */
static int call_both(struct strata_call *c)
{
    struct strata_signature *s = c->signature;
    int error;
    if (strata_collective_reduces(s->collective) &&
        (s->in_place || strata_operator_predefined(s->op))) {
        end_job(c);
    }
    error = strata_call_run(c);
    c->signature = s; /* strata_call_run has set the bound call's signature */
    (void)strata_native_call(s);
    return error;
}

/* Whether only plans can combine so many bytes in one call. All ranks know it, and none
 * compares. */
static bool is_too_long(const struct strata_call *c)
{
    const struct strata_side *side = strata_telling_side(c->signature);
    const MPI_Count most = INT_MAX;
    return strata_collective_reduces(c->signature->collective) && side->datatype &&
           side->sum > most / (MPI_Count)(side->datatype->flat.size + 1);
}

int strata_shadow_run(struct strata_call *c)
{
    if (is_too_long(c)) {
        return strata_call_run(c);
    }
    struct shadow w = {.call = c};
    bool room = strata_shadow_data_init(&w.data, c->signature) &&
                strata_shadow_bound_init(&w.bound, &w.data) && make_bytes(&w);
    int error;

    if (!least(c, room)) {
        if (c->state->rank == 0 || !agrees(c)) {
            strata_warn(
                "shadow: a call is not compared: some rank has no memory for it, 2 GiB or more, a "
                "buffer at MPI_BOTTOM, or operands that lie between each other");
        }
        error = agrees(c) ? strata_call_run(c) : call_both(c);
    } else {
        fill_bytes(&w);
        error = call_again(&w, call_ours(&w, strata_shadow_guard(&w.data)));
    }
    strata_rehearsal_fini(&w.bytes);
    strata_shadow_bound_fini(&w.bound);
    strata_shadow_data_fini(&w.data);
    return error;
}
