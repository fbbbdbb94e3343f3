/* strata_comm_attach and strata_comm_detach: a communicator's state before its first call, and
 * after its last one. */
#include <string.h>

#include "api/attach/settings.h"
#include "api/attach/state.h"
#include "api/call/expected.h"
#include "api/call/plans.h"
#include "api/call/sizes.h"
#include "api/life/life.h"
#include "api/process/agree.h"
#include "api/request/request.h"
#include "include/strata.h"

static int check_calls(const char *calls, int ranks, struct strata_diagnostic *message)
{
    struct strata_expected_call call;
    bool more = true;
    int error = STRATA_OK;
    while (more && error == STRATA_OK) {
        error = strata_expected_next(&calls, ranks, &call, &more, message);
    }
    return error;
}

/* Whether all ranks gave the same text, without errors. */
static int agree(MPI_Comm comm, const char *calls, bool wrong, struct strata_diagnostic *message)
{
    int64_t hash = (int64_t)(strata_hash_bytes(calls, strlen(calls), 0, NULL) >> 1);
    int64_t word[] = {wrong, hash, -hash};
    if (strata_agree(word, 3, MPI_INT64_T, MPI_MAX, comm) != MPI_SUCCESS) {
        strata_say(message, "the ranks could not agree");
        return MPI_ERR_OTHER;
    }
    if (!wrong && (word[0] || word[1] != -word[2])) {
        strata_say(message, word[0] ? "what another rank expects is wrong"
                                    : "the ranks expect different calls");
        wrong = true;
    }
    return wrong ? MPI_ERR_ARG : MPI_SUCCESS;
}

static struct strata_plan_key key_of(struct strata_state *state,
                                     const struct strata_expected_call *call)
{
    struct strata_plan_key key = {.collective = call->collective,
                                  .root = (int)call->root,
                                  .commutative = strata_collective_reduces(call->collective),
                                  .left_fold = strata_same_bits(state, call->collective),
                                  .forced = *strata_choice_of(state, call->collective)};
    if (key.left_fold || !strata_choice_native(&key.forced)) {
        strata_sizes_expect(state, (size_t)call->bytes, &key);
    }
    return key;
}

/* The plans that are made for expected calls. */
struct making {
    struct strata_state *state;
    bool beside; /* some calls do not block; only this rank may lack a plan for those */
    int lacking; /* the error for which this rank lacks a plan */
    struct strata_diagnostic *message;
};

/* Without a sequence MPI's own serves the call. */
static int make_beside(struct making *m, const struct strata_expected_call *call)
{
    struct strata_sequence *sequence = m->state->sequence;
    struct strata_plan_key key = key_of(m->state, call);
    struct strata_selection_entry *entry;
    int error;
    if (!sequence) {
        return STRATA_OK;
    }
    m->beside = true;
    strata_requests_expect(m->state); /* on all ranks, whether this one fails or not */
    if (strata_sequence_take_memories(sequence) != STRATA_OK) {
        return strata_fail(m->message, STRATA_ERR_TRANSPORT, "the ranks could not agree");
    }
    key.messages_only = sequence->memories.count == 0;
    key.lengths_known =
        call->form == STRATA_PERSISTENT && strata_collective_one_knows(call->collective);
    strata_requests_lock();
    error =
        strata_plans_find_nonblocking(m->state->group, &sequence->plans, &key, &entry, m->message);
    strata_requests_unlock();
    m->lacking = m->lacking == STRATA_OK ? error : m->lacking;
    return STRATA_OK;
}

static int make_plan(struct making *m, const struct strata_expected_call *call)
{
    struct strata_plan_key key;
    struct strata_selection_entry *entry;
    if (call->form != STRATA_BLOCKING) {
        return make_beside(m, call);
    }
    key = key_of(m->state, call);
    return strata_plans_find(m->state->group, &key, NULL, &entry, m->message);
}

static int agree_beside(const struct making *m)
{
    int lacking = m->lacking;
    if (strata_sequence_agree(m->state->sequence, &lacking, 1, MPI_INT, MPI_MAX) != MPI_SUCCESS) {
        return strata_fail(m->message, STRATA_ERR_TRANSPORT, "the ranks could not agree");
    }
    return lacking;
}

static int make_plans(struct strata_state *state, const char *calls,
                      struct strata_diagnostic *message)
{
    struct making making = {.state = state, .lacking = STRATA_OK, .message = message};
    struct strata_expected_call call;
    bool more = true;
    int error = STRATA_OK;
    while (error == STRATA_OK) {
        error = strata_expected_next(&calls, state->ranks, &call, &more, message);
        if (error != STRATA_OK || !more) {
            break;
        }
        error = make_plan(&making, &call);
    }
    if (making.beside) {
        int beside = agree_beside(&making);
        error = error == STRATA_OK ? beside : error;
    }
    return error == STRATA_OK ? MPI_SUCCESS : strata_error_class(error);
}

/* Attaches for a text without errors that is the same on all ranks. */
static int attach(struct strata_process *process, MPI_Comm comm, const char *calls,
                  struct strata_diagnostic *message)
{
    struct strata_state *state = strata_state_find(process, comm);
    strata_say(message, "out of memory");
    if (!state) {
        strata_attach_decline(process, comm);
        return MPI_ERR_NO_MEM;
    }
    if (!strata_attach(process, state, true)) { /* a state that waits for something else than
                                                   calls waits for memory, and the text says so */
        const int failed = strata_attach_error(state);
        if (failed != MPI_SUCCESS) {
            strata_say(message, "%s", state->why);
            return failed;
        }
        return state->standing == STRATA_STANDING_NATIVE || state->attach_at > 0 ? MPI_SUCCESS
                                                                                 : MPI_ERR_NO_MEM;
    }
    return make_plans(state, calls, message);
}

int strata_comm_attach(MPI_Comm comm, const char *calls)
{
    struct strata_process *process = strata_process();
    struct strata_diagnostic message = {""};
    const char *text = process ? strata_communicator_wrong(comm) : "MPI is not running";
    int ranks = 0;
    int error;
    if (text) {
        return strata_raise(comm, process ? MPI_ERR_COMM : MPI_ERR_OTHER, "comm_attach", text);
    }
    calls = calls ? calls : "";
    PMPI_Comm_size(comm, &ranks);
    error = agree(comm, calls, check_calls(calls, ranks, &message) != STRATA_OK, &message);
    if (error == MPI_SUCCESS) {
        error = attach(process, comm, calls, &message);
    }
    return error == MPI_SUCCESS ? error : strata_raise(comm, error, "comm_attach", message.text);
}

int strata_comm_detach(MPI_Comm comm)
{
    struct strata_process *process = strata_process();
    const char *text = process ? strata_communicator_wrong(comm) : "MPI is not running";
    if (text) {
        return strata_raise(comm, process ? MPI_ERR_COMM : MPI_ERR_OTHER, "comm_detach", text);
    }
    if (strata_state_peek(process, comm)) {
        PMPI_Comm_delete_attr(comm, process->comm_key); /* strata_state_deleted */
        strata_groups_sweep(process);
    }
    return MPI_SUCCESS;
}
