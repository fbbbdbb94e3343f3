/* The life of a call. Read it from its end, strata_dispatch, upwards. */
#include "api/call/call.h"

#include <string.h>

#include "api/attach/members.h"
#include "api/attach/settings.h"
#include "api/attach/state.h"
#include "api/call/again.h"
#include "api/call/apart.h"
#include "api/call/arguments.h"
#include "api/call/device.h"
#include "api/call/explain.h"
#include "api/call/one_memory.h"
#include "api/call/plans.h"
#include "api/call/run.h"
#include "api/call/shadow.h"
#include "api/call/sizes.h"
#include "api/call/trial.h"
#include "api/life/life.h"
#include "api/process/recorded.h"
#include "api/types/reduction_operator.h"
#include "core/base/seldom.h"
#include "internode/mpi/quiet_mpi.h"

/* Makes the call with MPI's own, and finds the error that MPI raised in it. Returns what MPI
 * returns. */
static int make_native(struct strata_call *c, bool moving, int *error)
{
    const struct strata_signature *s = c->signature;
    const bool hears = strata_hears(c->process, s->comm);
    *error = strata_apart_due(s, c->judged) ? strata_apart_native(s, moving)
             : moving                       ? strata_native_moving_requests(s)
                                            : strata_native_call(s);
    c->failed = *error != MPI_SUCCESS;
    return hears ? strata_heard(s->comm, *error) : *error;
}

/* Makes the call with MPI's own. No rank counts a call whose arguments MPI refuses. */
static int call_native(struct strata_call *c)
{
    struct strata_state *state = c->state;
    int error = MPI_SUCCESS;
    strata_call_note(c);
    c->moving = c->moving || state->beside || (c->entry && c->entry->moving);
    const int returned = make_native(c, c->moving, &error);
    c->refused = strata_refused(error);
    if (c->refused) {
        state->refused =
            state->refused || (c->counted && state->standing == STRATA_STANDING_WAITING);
        return returned;
    }
    state->served.native[c->signature->collective]++;
    if (c->entry && c->entry->moving && /* so no rank remembers the call */
        !strata_trial_goes_on(c->entry)) {
        strata_trial_count(c->entry);
    }
    strata_native_remember(c);
    strata_sizes_learn(c);
    return returned;
}

/* Tells the recorder what serves the call. */
static STRATA_SELDOM void tell(const struct strata_call *c, const char *algorithm)
{
    strata_record_served(c->signature->comm, c->signature->collective, algorithm);
}

static int call_native_told(struct strata_call *c)
{
    tell(c, NULL);
    return call_native(c);
}

/* The last call of this collective, if its arguments were right and handles mean what they meant
 * then; or NULL. */
static const struct strata_signature *last_right(const struct strata_call *c)
{
    const struct strata_bound_call *b = c->state->calls->of[c->signature->collective];
    return b && b->known == strata_changes_now(c->process) ? &b->own : NULL;
}

/* MPI checks the operator once for equal pairs in a row. */
static int check_operator(const struct strata_call *c)
{
    const struct strata_signature *s = c->signature, *last = last_right(c);
    bool known = last && last->op == s->op && last->send.type == s->send.type;
    return known ? MPI_SUCCESS : strata_operator_check(c->process, s->op, s->send.type);
}

static void recall_datatype(const struct strata_call *c, struct strata_side *side,
                            const struct strata_side *last)
{
    if (side->part != STRATA_NONE && side->type != MPI_DATATYPE_NULL) {
        side->datatype = last && last->type == side->type && last->datatype
                             ? last->datatype
                             : strata_datatype_peek(c->process, side->type);
    }
}

/* Finds the datatypes that were made before. New ones are made later, after the check of
 * arguments. */
static void recall_datatypes(struct strata_call *c)
{
    const struct strata_signature *last = last_right(c);
    if (c->signature->collective != STRATA_ALLTOALLW) {
        recall_datatype(c, &c->signature->send, last ? &last->send : NULL);
        recall_datatype(c, &c->signature->recv, last ? &last->recv : NULL);
    }
}

static int check(struct strata_call *c, const char **text)
{
    struct strata_signature *s = c->signature;
    int error;
    if (c->state->inter) {
        return MPI_SUCCESS;
    }
    strata_find_significant(s, c->state->rank, c->state->ranks);
    recall_datatypes(c);
    error = strata_check_arguments(s, text);
    if (error == MPI_SUCCESS && strata_one_memory(s)) {
        *text = "send and receive buffer are the same memory";
        error = strata_one_memory_judge(c->process, s);
        c->judged = true;
    }
    if (error == MPI_SUCCESS && strata_collective_reduces(s->collective)) {
        *text = "the operator is null, or not one for this datatype";
        error = check_operator(c);
    }
    return error;
}

/* Reports wrong arguments. In a preloaded program MPI reports them. */
static STRATA_SELDOM int refuse(struct strata_call *c, int error, const char *text)
{
    struct strata_diagnostic message;
    if (c->process->preloaded && !c->state->thread) {
        return make_native(c, false, &error);
    }
    return strata_call_raise(c, error, strata_arguments_say(c->signature, error, text, &message));
}

/* What a call does that may ask MPI: see api/process/by_mpi.h. */
struct asking {
    struct strata_call *call;
    struct strata_plan_key *key;
    const char **text;
};

static int ask_check(void *argument)
{
    const struct asking *a = argument;
    return check(a->call, a->text);
}

int strata_call_check(struct strata_call *c, const char **text)
{
    struct asking asking = {.call = c, .text = text};
    return strata_by_mpi(ask_check, &asking);
}

/* Returns an error that is raised. */
static int check_types(struct strata_call *c)
{
    int error = strata_bind_check(c->signature, c->process, c->state->group->comm);
    return error == MPI_SUCCESS ? error
                                : strata_call_raise(c, error, "the datatype cannot be used");
}

int strata_call_key(struct strata_call *c, struct strata_plan_key *key)
{
    struct strata_signature *s = c->signature;
    int error = check_types(c);
    *key = (struct strata_plan_key){.collective = s->collective,
                                    .left_fold = strata_same_bits(c->state, s->collective),
                                    .forced = *strata_choice_of(c->state, s->collective)};
    if (error == MPI_SUCCESS && (key->left_fold || !strata_choice_native(&key->forced))) {
        strata_call_sizes(c, key);
    }
    if (error != MPI_SUCCESS) {
        return error;
    }
    key->root = strata_collective_rooted(s->collective) ? s->root : 0;
    key->commutative = strata_collective_reduces(s->collective) && strata_operator_commutes(s->op);
    return MPI_SUCCESS;
}

static int ask_key(void *argument)
{
    const struct asking *a = argument;
    struct strata_call *c = a->call;
    int error = check_types(c);
    if (error == MPI_SUCCESS && strata_collective_one_knows(c->signature->collective) &&
        strata_sizes_tell(c) != MPI_SUCCESS) {
        return strata_call_raise(c, MPI_ERR_OTHER, "the ranks could not agree");
    }
    return error == MPI_SUCCESS ? strata_call_key(c, a->key) : error;
}

static int find_plan(struct strata_call *c)
{
    struct strata_plan_key key;
    struct strata_diagnostic message;
    struct asking asking = {.call = c, .key = &key};
    int error = strata_by_mpi(ask_key, &asking);
    message.text[0] = '\0';
    if (error != MPI_SUCCESS) {
        return error;
    }
    error = strata_plans_find(c->state->group, &key, c->signature, &c->entry, &message);
    return error == STRATA_OK ? MPI_SUCCESS
                              : strata_call_raise(c, strata_error_class(error), message.text);
}

/* Serves a call without memory for a state. The others learn of it when they attach. */
static int call_without_state(struct strata_process *process, struct strata_signature *signature)
{
    struct strata_state none;
    struct strata_call c = {.process = process, .signature = signature, .state = &none, .why = ""};
    const char *text = "";
    int error;
    strata_state_init(&none, signature->comm);
    error = strata_call_check(&c, &text);
    if (error != MPI_SUCCESS) {
        return refuse(&c, error, text);
    }
    if (!none.inter) {
        strata_attach_decline(process, none.comm);
    }
    return make_native(&c, false, &error);
}

/* Whether the plan, which all ranks have found, cannot reach this rank's buffers. */
static bool beyond_reach(struct strata_call *c)
{
    if (!c->process->preloaded || !strata_on_device(c->signature)) {
        return false;
    }
    c->entry = NULL;
    c->why = "a buffer lies in the memory of a device";
    return true;
}

STRATA_INLINED bool attach(struct strata_call *c)
{
    struct strata_state *state = c->state;
    c->counted = strata_may_attach(c->process, c->signature->collective);
    if (c->counted || state->standing == STRATA_STANDING_ATTACHED ||
        state->standing == STRATA_STANDING_NATIVE) {
        return strata_attach(c->process, state, false);
    }
    c->why = STRATA_UNATTACHED;
    return false;
}

/* What the program gets for an error in its arguments that Strata has raised. */
static STRATA_SELDOM int as_mpi_returns(struct strata_call *c, int error)
{
    c->failed = true;
    return c->process->preloaded && c->process->hides_errors &&
                   strata_handler_is_own(c->signature->comm)
               ? MPI_SUCCESS
               : error;
}

int strata_call_no_plan(const struct strata_call *c, const char *why)
{
    static const char of_mpi[] = "MPI's own: ";
    struct strata_diagnostic message;
    why = strncmp(why, of_mpi, sizeof of_mpi - 1) == 0 ? why + sizeof of_mpi - 1 : why;
    (void)strata_fail(&message, STRATA_ERR_UNSUPPORTED, "no plan serves this call of threads: %s",
                      why);
    return strata_call_raise(c, MPI_ERR_UNSUPPORTED_OPERATION, message.text);
}

/* A call of threads for which there is no plan. A plan could serve it, so memory is lacking, unless
 * its entry or the call says something else. */
static STRATA_SELDOM int threads_without_plan(struct strata_call *c)
{
    const char *why = c->entry ? c->entry->selection.why : c->why;
    return *why ? strata_call_no_plan(c, why)
                : strata_call_raise(c, MPI_ERR_NO_MEM, "out of memory for a plan");
}

/* Serves a call on a communicator that has a state. `told`: the recorder hears what serves it. */
STRATA_INLINED int serve_as(struct strata_call *c, const bool told)
{
    const char *text = "";
    int (*const native)(struct strata_call * c) = told ? call_native_told : call_native;
    int error;
    if (strata_call_remembered(c)) {
        if (told) {
            tell(c, c->entry->algorithm);
        }
        return strata_call_run_again(c);
    }
    error = strata_call_check(c, &text);
    if (error != MPI_SUCCESS) {
        return refuse(c, error, text);
    }
    if (!attach(c)) {
        error = strata_attach_failure(c->state);
        return error != MPI_SUCCESS ? error : native(c);
    }
    error = find_plan(c);
    if (error != MPI_SUCCESS) {
        return as_mpi_returns(c, error);
    }
    if (!c->entry || !(c->entry->plan || strata_trial_goes_on(c->entry)) || beyond_reach(c)) {
        return c->state->thread ? threads_without_plan(c) : native(c);
    }
    if (strata_trial_goes_on(c->entry)) {
        return strata_trial_run(c, native);
    }
    if (told) {
        tell(c, c->entry->algorithm);
    }
    strata_trial_count(c->entry);
    return strata_shadow_due(c) ? strata_shadow_run(c) : strata_call_run(c);
}

static int serve_known(struct strata_call *c)
{
    return serve_as(c, false);
}

static STRATA_SELDOM int serve_known_told(struct strata_call *c)
{
    return serve_as(c, true);
}

int strata_call_guarded(struct strata_call *c, int (*work)(struct strata_call *c, void *argument),
                        void *argument)
{
    struct strata_thread *thread = c->state->thread;
    if (!thread || !strata_mpi_guarded() || strata_thread_entered(thread)) {
        return work(c, argument);
    }
    if (!strata_thread_enter(thread)) {
        return strata_call_raise(c, MPI_ERR_OTHER, "two threads make calls by one handle at once");
    }
    const int error = work(c, argument);
    strata_thread_leave(thread);
    return error;
}

static int serve_in_turn(struct strata_call *c, void *none)
{
    (void)none;
    return serve_known(c);
}

static int serve_in_turn_told(struct strata_call *c, void *none)
{
    (void)none;
    return serve_known_told(c);
}

/* Serves the call to its end. */
STRATA_INLINED int find_and_serve(struct strata_call *c, int (*known)(struct strata_call *c),
                                  int (*in_turn)(struct strata_call *c, void *none))
{
    struct strata_signature *signature = c->signature;
    if (!c->process) {
        return strata_native_call(signature); /* MPI reports that it is not initialised */
    }
    if (signature->comm == MPI_COMM_NULL) {
        return strata_call_raise(c, MPI_ERR_COMM, "the communicator is MPI_COMM_NULL");
    }
    c->state = strata_state_find(c->process, signature->comm);
    if (!c->state) {
        return call_without_state(c->process, signature);
    }
    return c->state->thread && strata_mpi_guarded() ? strata_call_guarded(c, in_turn, NULL)
                                                    : known(c);
}

static int serve(struct strata_call *c)
{
    return find_and_serve(c, serve_known, serve_in_turn);
}

static int serve_told(struct strata_call *c)
{
    return find_and_serve(c, serve_known_told, serve_in_turn_told);
}

int strata_call_explained(struct strata_call *c, int (*work)(struct strata_call *c))
{
    struct strata_wait_tally tally = {.last = strata_seconds()};
    struct strata_wait_tally *outer = strata_wait_tally;
    double begin = tally.last;
    strata_wait_tally = &tally;
    int error = work(c);
    strata_wait_tally = outer;
    if (error == MPI_SUCCESS && !c->failed) { /* the arguments of a wrong call are of no use */
        strata_explain_call(c, begin, &tally);
    }
    return error;
}

STRATA_INLINED int call_known(struct strata_call *c, struct strata_state *state)
{
    int error = MPI_SUCCESS;
    const int returned = make_native(c, false, &error);
    if (!strata_refused(error)) {
        strata_sizes_pass(state, c->signature->collective);
    }
    return returned;
}

/* Serves a call that is explained or told. */
static STRATA_SELDOM int dispatch_watched(struct strata_call *c)
{
    int (*const work)(struct strata_call * c) = strata_record_served ? serve_told : serve;
    if (strata_native_remembered(c->signature)) {
        if (strata_record_served) {
            tell(c, NULL);
        }
        return call_known(c, strata_found_state.state);
    }
    return c->process && c->process->explain.on ? strata_call_explained(c, work) : work(c);
}

int strata_dispatch(struct strata_signature *signature)
{
    struct strata_call c = {.process = strata_process(), .signature = signature, .why = ""};
    if (strata_watched) {
        return dispatch_watched(&c);
    }
    return strata_native_remembered(signature) ? call_known(&c, strata_found_state.state)
                                               : serve(&c);
}
