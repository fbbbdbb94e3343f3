/* Attaching: whether a communicator's ranks can be served by plans, and from which call on. */
#include <stdio.h>

#include "api/attach/process.h"
#include "api/attach/settings.h"
#include "api/attach/state.h"

/* What the ranks agree about before anything is made: maxima over all of them. */
enum {
    LARGEST_ID,  /* of the group state that could be reused, 0 without one */
    SMALLEST_ID, /* the same, negated */
    ATTACH_AT,   /* STRATA_ATTACH_AFTER is local: the latest decides */
    NO_MEMORY,   /* somebody cannot */
    FULL,        /* somebody has private communicators enough */
    SAME_BITS,   /* rank 0's: no call may be MPI's own, not even the first ones */
    WRONG,       /* somebody's settings are wrong, and the program does not know of Strata */
    WORDS
};

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
    word[SAME_BITS] = state->rank == 0 && process->config.same_bits;
    word[NO_MEMORY] = !draft;
    word[WRONG] = process->preloaded && process->complaints > 0;
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
            return strata_stand_native(state, "too many private communicators are in use");
        }
        strata_groups_sweep(process);
        if (strata_group_complete(process, state->comm, draft, &message) != STRATA_OK) {
            return strata_stand_native(state, message.text);
        }
        state->group = draft;
    }
    state->standing = STRATA_STANDING_ATTACHED;
    state->why[0] = '\0'; /* of waiting */
    /* As rank 0's settings say, for all ranks have to go the same way. */
    bool shut = process->preloaded && !strata_config_explains(&state->group->settings->config);
    for (int c = 0; shut && c < STRATA_COLLECTIVE_COUNT; c++) {
        state->native[c].always = strata_choice_native(&state->group->settings->choice[c]) &&
                                  !strata_same_bits(state, (enum strata_collective)c);
    }
    return true;
}

static bool introduce(struct strata_process *process, struct strata_state *state, bool now)
{
    struct strata_group *draft = strata_group_draft(state->comm);
    struct strata_group *existing = draft ? strata_group_reuse(process, draft) : NULL;
    int64_t word[WORDS];
    int error;

    if (process->preloaded && draft && draft->spawned) {
        /* Who was started otherwise may not have Strata. All find it: each has such ranks. */
        strata_group_destroy(draft);
        return strata_stand_native(state, "ranks of another MPI_COMM_WORLD");
    }
    error = agree(process, state, draft, existing, word);
    if (error != MPI_SUCCESS) {
        strata_stand_native(state, "the ranks could not agree");
    } else if (word[WRONG]) {
        strata_stand_native(state, "a setting is wrong");
    } else if (word[NO_MEMORY]) {
        wait_for_memory(state);
    } else {
        state->attach_at = word[SAME_BITS] ? 1 : word[ATTACH_AT];
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
