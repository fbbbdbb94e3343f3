#include "api/attach/state.h"

#include <stdio.h>

#include "api/attach/process.h"
#include "api/call/sizes.h"
#include "core/base/memory.h"

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

/* The state that this thread found last, by its communicator's handle. */
static STRATA_EACH_THREAD struct {
    MPI_Comm comm;
    unsigned changes; /* until then */
    struct strata_state *state;
} last_found;

static void destroy(struct strata_process *process, struct strata_state *state)
{
    strata_changed(process);
    unlink_state(process, state);
    for (int i = 0; i < STRATA_COLLECTIVE_COUNT; i++) {
        strata_selection_entry_hold(&state->ran[i], NULL);
    }
    strata_group_drop(process, state->group);
    strata_release(state);
}

int strata_state_deleted(MPI_Comm comm, int key, void *value, void *extra)
{
    struct strata_process *process = strata_process_raw();

    (void)comm;
    (void)key;
    (void)extra;
    if (!process->finished) {
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
    void *value = NULL;
    int known = 0;

    PMPI_Comm_get_attr(comm, process->comm_key, &value, &known);
    return known ? value : NULL;
}

const char *strata_communicator_wrong(MPI_Comm comm)
{
    int inter = 0;

    if (comm == MPI_COMM_NULL) {
        return "the communicator is MPI_COMM_NULL";
    }
    PMPI_Comm_test_inter(comm, &inter);
    return inter ? "an intercommunicator is always served by MPI's own collectives" : NULL;
}

void strata_state_init(struct strata_state *state, MPI_Comm comm)
{
    int inter = 0;

    *state = (struct strata_state){.comm = comm, .last_why = ""};
    PMPI_Comm_rank(comm, &state->rank);
    PMPI_Comm_size(comm, &state->ranks);
    PMPI_Comm_test_inter(comm, &inter);
    state->inter = inter;
    strata_sizes_forget(&state->figures[0]);
    strata_sizes_forget(&state->figures[1]);
    if (inter) {
        state->standing = STRATA_STANDING_NATIVE;
        snprintf(state->why, sizeof state->why, "an intercommunicator");
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

struct strata_state *strata_state_find(struct strata_process *process, MPI_Comm comm)
{
    unsigned changes = strata_changes_now(process);

    if (!last_found.state || last_found.comm != comm || last_found.changes != changes) {
        struct strata_state *state = strata_state_peek(process, comm);
        last_found.comm = comm;
        last_found.changes = changes;
        last_found.state = state ? state : make(process, comm);
    }
    return last_found.state;
}

/* What the ranks agree about before anything is made: maxima over all of them. */
enum {
    LARGEST_ID,  /* of the group state that could be reused, 0 without one */
    SMALLEST_ID, /* the same, negated */
    ATTACH_AT,   /* STRATA_ATTACH_AFTER is local: the latest decides */
    NO_MEMORY,   /* somebody cannot */
    FULL,        /* somebody has private communicators enough */
    WORDS
};

static bool stand_native(struct strata_state *state, const char *why)
{
    state->standing = STRATA_STANDING_NATIVE;
    snprintf(state->why, sizeof state->why, "%.*s", (int)sizeof state->why - 1, why);
    return false;
}

/* As before the first call: a rank without memory may have no state either, so nothing that a state
 * remembers is known to all. The next call tries again. */
static void wait_for_memory(struct strata_state *state)
{
    state->standing = STRATA_STANDING_WAITING;
    state->seen = 0;
    state->attach_at = 0;
    snprintf(state->why, sizeof state->why, "out of memory");
}

static int agree(struct strata_process *process, const struct strata_state *state,
                 const struct strata_group *draft, const struct strata_group *existing,
                 int64_t *word)
{
    word[LARGEST_ID] = existing ? existing->id : 0;
    word[SMALLEST_ID] = -word[LARGEST_ID];
    word[ATTACH_AT] = process->config.attach_after;
    word[NO_MEMORY] = !draft;
    word[FULL] = strata_groups_in_use(process) >= STRATA_MOST_GROUPS;
    return PMPI_Allreduce(MPI_IN_PLACE, word, WORDS, MPI_INT64_T, MPI_MAX, state->comm);
}

/* With the draft, which it uses up: everybody's existing group state, or a new one. */
static bool join(struct strata_process *process, struct strata_state *state,
                 struct strata_group *draft, struct strata_group *existing, const int64_t *word)
{
    struct strata_diagnostic message = {""};

    if (existing && word[LARGEST_ID] == -word[SMALLEST_ID]) {
        strata_group_destroy(draft);
        state->group = existing;
    } else {
        strata_group_drop(process, existing);
        if (word[FULL]) {
            strata_group_destroy(draft);
            return stand_native(state, "too many private communicators are in use");
        }
        strata_groups_sweep(process);
        if (strata_group_complete(process, state->comm, draft, &message) != STRATA_OK) {
            return stand_native(state, message.text);
        }
        state->group = draft;
    }
    state->standing = STRATA_STANDING_ATTACHED;
    state->why[0] = '\0'; /* of waiting */
    return true;
}

static bool introduce(struct strata_process *process, struct strata_state *state, bool now)
{
    struct strata_group *draft = strata_group_draft(state->comm);
    struct strata_group *existing = draft ? strata_group_reuse(process, draft) : NULL;
    int64_t word[WORDS];
    int error = agree(process, state, draft, existing, word);

    if (error != MPI_SUCCESS) {
        stand_native(state, "the ranks could not agree");
    } else if (word[NO_MEMORY]) {
        wait_for_memory(state);
    } else {
        state->attach_at = word[ATTACH_AT];
        if (now || state->seen >= state->attach_at) {
            return join(process, state, draft, existing, word);
        }
        snprintf(state->why, sizeof state->why, "STRATA_ATTACH_AFTER=%lld: later calls attach",
                 (long long)state->attach_at);
        state->standing = STRATA_STANDING_WAITING;
    }
    strata_group_drop(process, existing);
    strata_group_destroy(draft);
    return false;
}

/* Whatever goes wrong in here is our business, not the program's error handler's. */
static bool introduce_quietly(struct strata_process *process, struct strata_state *state, bool now)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    bool attached;

    PMPI_Comm_get_errhandler(state->comm, &handler);
    PMPI_Comm_set_errhandler(state->comm, MPI_ERRORS_RETURN);
    attached = introduce(process, state, now);
    PMPI_Comm_set_errhandler(state->comm, handler);
    PMPI_Errhandler_free(&handler);
    return attached;
}

bool strata_attach(struct strata_process *process, struct strata_state *state, bool now)
{
    if (state->standing == STRATA_STANDING_ATTACHED || state->standing == STRATA_STANDING_NATIVE) {
        return state->standing == STRATA_STANDING_ATTACHED;
    }
    state->seen += !now;
    if (!now && state->attach_at > 0 && state->seen < state->attach_at) {
        return false;
    }
    return introduce_quietly(process, state, now);
}

void strata_attach_decline(struct strata_process *process, MPI_Comm comm)
{
    const struct strata_state none = {.comm = comm};
    int64_t word[WORDS];

    agree(process, &none, NULL, NULL, word);
}
