#include "api/call/bound_call.h"

#include "api/attach/settings.h"
#include "api/call/long_blocks.h"
#include "api/call/trial.h"
#include "api/process/process.h"
#include "api/types/reduction_operator.h"
#include "core/base/memory.h"
#include "core/engine/engine_sizes.h"
#include "intranode/helpers.h"

/* On communicators of more ranks only a few calls with arrays are remembered, for their arrays are
 * long. */
enum { MOST_RANKS = 1024, MOST_LONG = 2 };
/* The most calls that differ only in their buffers. Programs use two or three. */
enum { MOST_ALIKE = 3 };

void strata_bound_fini(struct strata_bound_call *b)
{
    strata_unbind(&b->binding);
    strata_tape_destroy(b->tape);
    strata_release(b->kept.word);
    strata_release(b->arrays);
    strata_selection_entry_hold(&b->call.entry, NULL);
}

static void equip(struct strata_execution *x, struct strata_group *g,
                  const struct strata_plan *plan)
{
    x->plan = plan;
    x->nodes = g->topology;
    x->memory = plan->exchange.staged ? &g->memory : NULL;
    x->transport = g->messages;
    x->transport_self = &g->transport;
    x->workers = &g->workers;
    x->check = g->capacity.check;
    x->by_buckets = true;
    x->fixed_scratch = strata_engine_fixed_scratch(plan, x->check);
}

void strata_bound_plan(struct strata_bound_call *b, struct strata_group *g,
                       struct strata_selection_entry *entry)
{
    b->state = STRATA_CALL_COLD;
    if (b->call.entry == entry) {
        return;
    }
    strata_tape_destroy(b->tape);
    b->tape = NULL;
    strata_selection_entry_hold(&b->call.entry, entry);
    b->x = (struct strata_execution){.op = &b->binding.combination.base};
    equip(&b->x, g, entry->plan);
    b->binding.process = &strata_process_here;
    b->binding.comm = g->comm;
    b->call.process = &strata_process_here;
    b->call.signature = &b->own;
    b->call.binding = &b->binding;
    b->call.x = &b->x;
    b->call.bound = b;
}

int strata_bound_find_room(struct strata_bound_call *b, const struct strata_signature *s)
{
    const size_t bytes = STRATA_ARRAY_BYTES + STRATA_SNAPSHOT_BYTES;
    b->varies = strata_collective_info[s->collective].varying;
    if (b->varies && !b->arrays) {
        b->arrays = strata_allocate((size_t)s->ranks, bytes);
    }
    return b->varies && !b->arrays ? MPI_ERR_NO_MEM : MPI_SUCCESS;
}

void strata_bound_ask(struct strata_bound_call *b, const struct strata_signature *s)
{
    b->signature = b->own = *s;
    if (b->varies) {
        strata_snapshot_take(&b->own, b->arrays + (size_t)s->ranks * STRATA_ARRAY_BYTES);
    }
}

int strata_bound_lay_out(struct strata_bound_call *b)
{
    int error;
    b->binding.arrays = b->arrays;
    b->binding.arrays_bytes = b->arrays ? (size_t)b->own.ranks * STRATA_ARRAY_BYTES : 0;
    b->binding.arrays_used = 0;
    error = strata_bind(&b->own, &b->binding, &b->x);
    b->x.in_place = b->own.in_place || b->own.collective == STRATA_BCAST;
    b->x.long_blocks = NULL;
    b->state = error == MPI_SUCCESS ? STRATA_CALL_BOUND : STRATA_CALL_COLD;
    return error;
}

void strata_bound_tape(struct strata_bound_call *b, bool walked)
{
    bool taped = false;
    if (!b->tape) {
        b->tape = strata_tape_create(b->x.plan, b->x.check);
    }
    if (b->tape) {
        taped = (walked ? strata_tape_record : strata_tape_foresee)(b->tape, &b->x);
    }
    b->state = !taped                                          ? STRATA_CALL_UNTAPED
               : b->tape->longest >= b->x.workers->least_bytes ? STRATA_CALL_TAPED_LONG
                                                               : STRATA_CALL_TAPED;
}

bool strata_bound_follows_long(const struct strata_bound_call *b)
{
    return b->state == STRATA_CALL_TAPED_LONG && !strata_helpers_here;
}

/* When the call was last used, by the clock of its entry's table. A call without an entry goes
 * first. A use of the first call of a list is counted in its entry alone. */
static uint64_t last_use(const struct strata_bound_calls *calls, const struct strata_bound_call *b)
{
    return !b->call.entry ? 0 : b == calls->of[b->own.collective] ? b->call.entry->used : b->used;
}

void strata_bound_push(struct strata_bound_calls *calls, struct strata_bound_call *b)
{
    struct strata_bound_call **head = &calls->of[b->own.collective];
    if (*head) {
        (*head)->used = last_use(calls, *head);
    }
    b->next = *head;
    *head = b;
    calls->count++;
}

struct strata_bound_call *strata_bound_pop(struct strata_bound_calls *calls,
                                           struct strata_bound_call **link)
{
    struct strata_bound_call *b = *link;
    *link = b->next;
    calls->count--;
    return b;
}

struct strata_bound_call **strata_bound_oldest(struct strata_bound_calls *calls, bool varies)
{
    struct strata_bound_call **found = NULL;
    for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
        for (struct strata_bound_call **at = &calls->of[c]; *at; at = &(*at)->next) {
            if ((!varies || (*at)->arrays) &&
                (!found || last_use(calls, *at) <= last_use(calls, *found))) {
                found = at;
            }
        }
    }
    return found;
}

static void destroy(struct strata_bound_calls *calls)
{
    for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
        while (calls->of[c]) {
            struct strata_bound_call *b = strata_bound_pop(calls, &calls->of[c]);
            strata_bound_fini(b);
            strata_release(b);
        }
    }
}

bool strata_bound_begin(struct strata_bound_calls *calls)
{
    struct strata_bound_call *b;
    calls->destroy = destroy;
    if (calls->count > 0) {
        return true;
    }
    b = strata_allocate(1, sizeof *b);
    if (b) {
        strata_bound_push(calls, b);
    }
    return b != NULL;
}

/* Takes the call that was unused for longest for another one. The entry that the report shows
 * stays. */
static struct strata_bound_call *reuse(struct strata_state *state, bool varies)
{
    struct strata_bound_call **oldest = strata_bound_oldest(state->calls, varies);
    struct strata_bound_call *b = oldest ? strata_bound_pop(state->calls, oldest) : NULL;
    if (b && b->call.entry && b->call.entry == state->last) {
        strata_selection_entry_hold(&state->held, state->last);
    }
    if (b) {
        b->until = b->passed = 0;
    }
    return b;
}

static int count_long(const struct strata_bound_calls *calls)
{
    int count = 0;
    for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
        for (const struct strata_bound_call *b = calls->of[c]; b; b = b->next) {
            count += b->arrays != NULL;
        }
    }
    return count;
}

/* A bound call that is in no list: new, or taken from another call. NULL: without memory. */
static struct strata_bound_call *obtain(struct strata_state *state,
                                        enum strata_collective collective)
{
    const bool is_long = strata_collective_info[collective].varying && state->ranks > MOST_RANKS;
    struct strata_bound_call *b = NULL;
    if (is_long && count_long(state->calls) >= MOST_LONG) {
        return reuse(state, true);
    }
    if (state->calls->count < STRATA_BOUND_CALLS) {
        b = strata_allocate(1, sizeof *b);
    }
    return b ? b : reuse(state, false);
}

static bool is_like(const struct strata_bound_call *b, const struct strata_call *c)
{
    return b->call.entry == c->entry && b->state != STRATA_CALL_COLD &&
           strata_snapshot_same_call(&b->own, c->signature, true);
}

/* Finds a bound call that differs at most in its buffers, if enough of them are remembered; then
 * *like is true. Otherwise takes one, which the entry's plan serves from now on. */
static struct strata_bound_call *find(const struct strata_call *c, bool *like)
{
    struct strata_bound_calls *calls = c->state->calls;
    struct strata_bound_call **last = NULL, *b;
    int count = 0;
    for (struct strata_bound_call **at = &calls->of[c->signature->collective]; *at;
         at = &(*at)->next) {
        if (is_like(*at, c)) {
            last = at;
            count++;
        }
    }
    *like = count == MOST_ALIKE || (last && calls->count >= STRATA_BOUND_CALLS);
    b = *like ? strata_bound_pop(calls, last) : obtain(c->state, c->signature->collective);
    if (!*like) {
        strata_bound_plan(b, c->state->group, c->entry);
    }
    b->own.collective = c->signature->collective;
    strata_bound_push(calls, b);
    return b;
}

/* gatherv, scatterv: whether this rank knows the lengths, and does nothing but run the plan. */
static bool is_plain(const struct strata_call *c)
{
    return !c->entry->lengths_first && !(strata_long_blocks_apart(c) && strata_long_blocks_here(c));
}

/* Whether the side's datatype can be used. A side without elements may have any datatype, but the
 * next call may have elements. */
static bool has_datatype(const struct strata_side *side)
{
    return side->part == STRATA_NONE || side->types || side->datatype;
}

/* Whether calls with the same arguments are always served alike. Ranks that remember the call and
 * ranks that do not must decide alike. So the decision may depend only on arguments by value,
 * contents of arrays, datatypes that were not deleted, and predefined operators. A call whose
 * result lies once in each node (key.once) is not settled: it lies elsewhere in each call. Nor are
 * calls of a trial, which all ranks count. */
static bool settled(const struct strata_call *c)
{
    const enum strata_collective collective = c->signature->collective;
    return has_datatype(&c->signature->send) && has_datatype(&c->signature->recv) &&
           !c->binding->holds && !c->entry->key.once && !strata_trial_goes_on(c->entry) &&
           (!strata_collective_one_knows(collective) || is_plain(c)) &&
           (!strata_collective_reduces(collective) ||
            strata_operator_predefined(c->signature->op)) &&
           c->state->group->settings->shadows == 0 && !c->process->explain.on;
}

/* Makes room for arrays. Where memory lacks, another call gives its room up. */
static int find_room(struct strata_bound_call *b, const struct strata_call *c)
{
    int error = strata_bound_find_room(b, c->signature);
    struct strata_bound_call **other =
        error == MPI_SUCCESS ? NULL : strata_bound_oldest(c->state->calls, true);
    if (other) {
        b->arrays = (*other)->arrays;
        (*other)->arrays = NULL;
        (*other)->until = 0;
        (*other)->state = STRATA_CALL_COLD;
        error = MPI_SUCCESS;
    }
    return error;
}

/* Lays out a call that is like an earlier one. It keeps its tape, unless handles of datatypes may
 * mean other datatypes now. */
static int lay_out_again(struct strata_bound_call *b, bool fresh)
{
    const enum strata_bound_state before = b->state;
    int error = strata_bound_lay_out(b);
    if (error == MPI_SUCCESS &&
        (fresh || before == STRATA_CALL_WALKED || /* a tape is made of the next walk */
         (strata_bound_taped(before) && !b->own.send.types && !b->own.recv.types &&
          strata_tape_fits(b->tape, &b->x)))) {
        b->state = before;
    }
    return error;
}

int strata_bound_prepare(struct strata_call *c)
{
    const unsigned changes = strata_changes_now(c->process);
    bool like, fresh;
    struct strata_bound_call *b = find(c, &like);
    int error = find_room(b, c);
    fresh = b->known == changes;
    b->known = b->until = b->passed = 0;
    c->bound = b;
    c->binding = &b->binding;
    c->x = &b->x;
    if (error != MPI_SUCCESS) {
        return error;
    }
    strata_bound_ask(b, c->signature);
    b->known = changes;
    c->signature = &b->own;
    b->call = *c;
    error = like ? lay_out_again(b, fresh) : strata_bound_lay_out(b);
    b->until = error == MPI_SUCCESS && settled(c) ? changes : 0;
    return error;
}

static bool is_passed(const struct strata_bound_call *b, const struct strata_call *c)
{
    const struct strata_signature *s = c->signature;
    return b->state == STRATA_CALL_COLD && b->call.entry == c->entry &&
           b->own.send.type == s->send.type && b->own.recv.type == s->recv.type &&
           b->own.op == s->op && b->own.root == s->root;
}

void strata_bound_pass(const struct strata_call *c, const struct strata_count_range *range)
{
    struct strata_bound_calls *calls = c->state->calls;
    struct strata_bound_call **at = &calls->of[c->signature->collective], *b;
    calls->destroy = destroy;
    while (*at && !is_passed(*at, c)) {
        at = &(*at)->next;
    }
    b = *at ? strata_bound_pop(calls, at) : obtain(c->state, c->signature->collective);
    if (!b) {
        return;
    }
    strata_selection_entry_hold(&b->call.entry, c->entry);
    b->state = STRATA_CALL_COLD;
    b->signature = b->own = *c->signature;
    b->known = strata_changes_now(c->process);
    b->passed = range ? b->known : 0;
    b->range = range ? *range : b->range;
    strata_bound_push(calls, b);
}

void strata_bound_pass_none(struct strata_state *state, enum strata_collective collective)
{
    for (struct strata_bound_call *b = state->calls->of[collective]; b; b = b->next) {
        b->passed = 0;
    }
}
