#include "api/attach/state.h"

#include <stdio.h>
#include <string.h>

#include "api/attach/members.h"
#include "api/attach/sequence.h"
#include "api/attach/settings.h"
#include "api/process/process.h"
#include "core/base/memory.h"
#include "internode/mpi/failed_mpi.h"

static void link_state(struct strata_process *process, struct strata_state *state)
{
    pthread_mutex_lock(&process->lock);
    state->next = process->states;
    state->link = &process->states;
    if (state->next) {
        state->next->link = &state->next;
    }
    process->states = state;
    pthread_mutex_unlock(&process->lock);
}

static void unlink_state(struct strata_process *process, struct strata_state *state)
{
    pthread_mutex_lock(&process->lock);
    *state->link = state->next;
    if (state->next) {
        state->next->link = state->link;
    }
    pthread_mutex_unlock(&process->lock);
}

/* A communicator's attribute after its first call, if strata_native_first was asked; from the
 * second call on the attribute is a state. */
static char met;

STRATA_EACH_THREAD struct strata_found_state strata_found_state;

/* The communicator goes; its record of STRATA_EXPLAIN stays. */
static void leave_record(struct strata_process *process, struct strata_state *state)
{
    pthread_mutex_lock(&process->lock);
    if (process->explain.on && state->explained) {
        strata_explained_free(&process->explain, state->explained);
        state->explained = NULL;
    }
    pthread_mutex_unlock(&process->lock);
}

/* Ranks that did not end their calls before the communicator was revoked may be in one for ever, so
 * no later communicator has the group. Nobody is told: each rank asks for itself, and some may have
 * freed the private communicator. */
static void leave_group(struct strata_process *process, struct strata_group *group)
{
    if (group && strata_revoked(&group->served)) {
        group->broken = true;
    }
    if (group) {
        strata_revoked_forget(&group->served);
    }
    strata_group_drop(process, group);
}

static void destroy(struct strata_process *process, struct strata_state *state)
{
    strata_changed(process);
    leave_record(process, state);
    unlink_state(process, state);
    strata_selection_entry_hold(&state->held, NULL);
    strata_sequence_close(process, state);
    if (state->results.leave) {
        state->results.leave(state);
    }
    if (state->thread) {
        strata_thread_lose(process, state->thread); /* its group is its members' */
    } else {
        leave_group(process, state->group);
    }
    strata_release(state);
}

int strata_state_deleted(MPI_Comm comm, int key, void *value, void *extra)
{
    struct strata_process *process = &strata_process_here;
    (void)comm;
    (void)key;
    (void)extra;
    if (!process->finished && value != &met) {
        destroy(process, value);
    }
    return MPI_SUCCESS;
}

void strata_states_finish(struct strata_process *process)
{
    while (process->states) {
        destroy(process, process->states);
    }
}

struct strata_state *strata_state_peek(const struct strata_process *process, MPI_Comm comm)
{
    const struct strata_thread *thread = strata_thread_find(comm);
    void *value = NULL;
    int known = 0;
    if (thread) {
        return thread->state;
    }
    PMPI_Comm_get_attr(comm, process->comm_key, &value, &known);
    return known && value != &met ? value : NULL;
}

const char *strata_communicator_wrong(MPI_Comm comm)
{
    int inter = 0;
    if (comm == MPI_COMM_NULL) {
        return "the communicator is MPI_COMM_NULL";
    }
    if (strata_thread_find(comm)) {
        return "the communicator is a thread's handle, which serves collectives alone";
    }
    PMPI_Comm_test_inter(comm, &inter);
    return inter ? "an intercommunicator is always served by MPI's own collectives" : NULL;
}

/* From now on MPI's own serves calls of the collective without a look at their arguments. */
static void hand_over(struct strata_state *state, enum strata_collective collective)
{
    bool told = strata_process_here.explain.on ||
                strata_same_bits(state, collective); /* each call is explained or reported */
    state->native |= told ? 0 : 1U << collective;
}

bool strata_may_attach(const struct strata_process *process, enum strata_collective collective)
{
    return !process->preloaded || process->config.same_bits || strata_collective_waits(collective);
}

bool strata_fall_back(struct strata_state *state, const char *why)
{
    state->standing = STRATA_STANDING_NATIVE;
    for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
        hand_over(state, (enum strata_collective)c);
    }
    snprintf(state->why, sizeof state->why, "%.*s", (int)sizeof state->why - 1, why);
    return false;
}

void strata_state_why(const struct strata_state *state, const char *call, char *text, size_t size)
{
    const char *missed = state->missed_bits ? "; not the same bits" : "";
    snprintf(text, size, "%.*s%s", (int)(size - strlen(missed) - 1),
             state->why[0] ? state->why : call, missed);
}

/* The bound calls of every communicator that is not attached. */
static struct strata_bound_calls none;

void strata_state_init(struct strata_state *state, MPI_Comm comm)
{
    int inter = 0;
    *state = (struct strata_state){.comm = comm, .last_why = "", .calls = &none};
    PMPI_Comm_rank(comm, &state->rank);
    PMPI_Comm_size(comm, &state->ranks);
    PMPI_Comm_test_inter(comm, &inter);
    state->inter = inter;
    for (int i = 0; i < STRATA_CALL_STATISTICS; i++) {
        strata_call_statistics_forget(&state->statistics[i]);
    }
    if (inter) {
        strata_fall_back(state, "an intercommunicator");
    }
}

static struct strata_state *make(struct strata_process *process, MPI_Comm comm)
{
    struct strata_state *state = strata_allocate(1, sizeof *state);
    if (!state) {
        return NULL;
    }
    strata_state_init(state, comm);
    if (PMPI_Comm_set_attr(comm, process->comm_key, state) != MPI_SUCCESS) {
        strata_release(state);
        return NULL;
    }
    link_state(process, state);
    return state;
}

struct strata_state *strata_state_of_thread(struct strata_process *process,
                                            struct strata_thread *thread)
{
    struct strata_state *state = make(process, thread->comm);
    if (state) {
        state->thread = thread;
        state->group = thread->group;
        state->rank = thread->group->rank;
        state->ranks = thread->group->ranks;
        state->calls = &thread->group->calls;
        state->standing = STRATA_STANDING_ATTACHED;
        strata_sequence_open(process, state);
    }
    return state;
}

/* Keeps the found state for this thread. Each thread's first call comes here. */
static struct strata_state *keep_found(MPI_Comm comm, unsigned changes, struct strata_state *state)
{
    /* where threads may not call MPI as they like each call looks the state up */
    const bool kept = state && !(state->thread && strata_mpi_guarded());
    strata_thread_comes(&strata_process_here);
    strata_found_state = (struct strata_found_state){comm, kept ? changes : 0, state};
    return state;
}

struct strata_state *strata_state_find(struct strata_process *process, MPI_Comm comm)
{
    unsigned changes = strata_changes_now(process);
    struct strata_state *state = strata_state_found(comm, changes);
    if (!state) {
        state = strata_state_peek(process, comm);
        keep_found(comm, changes, state ? state : make(process, comm));
    }
    return strata_found_state.state;
}

/* The state of a communicator that has had so many calls; NULL without memory. Until a call
 * attaches it, calls that cannot are handed over. */
static struct strata_state *make_met(struct strata_process *process, MPI_Comm comm, int64_t seen)
{
    struct strata_state *state = make(process, comm);
    if (state && state->standing == STRATA_STANDING_NEW) {
        state->seen = seen;
        for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
            if (!strata_may_attach(process, (enum strata_collective)c)) {
                hand_over(state, (enum strata_collective)c);
            }
        }
    }
    if (state && state->ranks == 1) {
        strata_fall_back(state, "one rank alone");
    }
    return state;
}

void strata_native_first_done(struct strata_process *process, MPI_Comm comm, int error)
{
    void *value = NULL;
    int known = 0;
    if (process && !strata_refused(error) &&
        PMPI_Comm_get_attr(comm, process->comm_key, &value, &known) == MPI_SUCCESS && !known) {
        PMPI_Comm_set_attr(comm, process->comm_key, &met);
    }
}

bool strata_native_first(struct strata_process *process, MPI_Comm comm)
{
    void *value = NULL;
    int known = 0;
    if (!process || comm == MPI_COMM_NULL) {
        return true;
    }
    unsigned changes = strata_changes_now(process);
    PMPI_Comm_get_attr(comm, process->comm_key, &value, &known);
    if (!known && !process->config.same_bits) {
        return true;
    }
    bool stateless = !known || value == &met;
    keep_found(comm, changes, stateless ? make_met(process, comm, known) : value);
    return false;
}
