/* Attaching: whether plans can serve a communicator, and from which call on. */
#include <stdio.h>

#include "api/attach/sequence.h"
#include "api/attach/settings.h"
#include "api/attach/state.h"
#include "api/process/agree.h"
#include "api/process/process.h"
#include "core/base/memory.h"
#include "internode/mpi/failed_mpi.h"
#include "internode/mpi/quiet_mpi.h"

/* The words on which the ranks agree before they make anything: each is the maximum over all
 * ranks. */
enum {
    SIGN,          /* SIGNED, so that the words of all ranks are Strata's */
    ANTISIGN,      /* the same, negated */
    LARGEST_ID,    /* the id of the idle group; 0 without one */
    SMALLEST_ID,   /* the same, negated: equal ids show that all ranks have the same group */
    LARGEST_ALIKE, /* the id of the group from which the ranks learn where they are */
    SMALLEST_ALIKE,
    ATTACH_AT, /* STRATA_ATTACH_AFTER is local: the latest decides */
    NO_MEMORY, /* a rank lacks memory */
    FULL,      /* a rank holds the most private communicators */
    SAME_BITS, /* rank 0's: MPI's own may serve no call, not even the first ones */
    WRONG,     /* the world size minus the lowest world rank that has wrong settings */
    LEFT,      /* a rank's STRATA_COMMUNICATORS leaves the communicator to MPI's own */
    WORDS
};

/* A rank that calls MPI's own nonblocking collective in this place would have its data taken for
 * words, and few data of a program look like this: the least numbers of all do. */
#define SIGNED INT64_C(0x5374726174612121)

/* The state is as before its first call. A rank without memory may have no state, so nothing that a
 * state remembers is known to all ranks. The next call tries again. */
static void wait_for_memory(struct strata_state *state)
{
    state->standing = STRATA_STANDING_WAITING;
    state->seen = 0;
    state->attach_at = 0;
    snprintf(state->why, sizeof state->why, "out of memory");
}

/* The groups that a rank brings to the agreement; all NULL without memory. */
struct offer {
    struct strata_group *draft, *idle, *alike;
};

static void wait_for_calls(struct strata_state *state)
{
    state->standing = STRATA_STANDING_WAITING;
    snprintf(state->why, sizeof state->why, "STRATA_ATTACH_AFTER=%lld: later calls attach",
             (long long)state->attach_at);
}

static bool leaves(const struct strata_process *process, MPI_Comm comm)
{
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    if (process->config.communicators[0]) {
        PMPI_Comm_get_name(comm, name, &length);
    }
    return !strata_names_hold(process->config.communicators, name);
}

/* Requests move during this agreement. When it is over all ranks are here, and none waits for
 * another's requests. So the rest of attaching may wait in MPI, which moves no requests. */
static int agree(struct strata_process *process, const struct strata_state *state,
                 const struct offer *offer, int64_t *word)
{
    word[LARGEST_ID] = offer->idle ? offer->idle->id : 0;
    word[SMALLEST_ID] = -word[LARGEST_ID];
    word[LARGEST_ALIKE] = offer->alike ? offer->alike->id : 0;
    word[SMALLEST_ALIKE] = -word[LARGEST_ALIKE];
    word[ATTACH_AT] = process->config.attach_after;
    word[SAME_BITS] = state->rank == 0 && process->config.same_bits;
    word[NO_MEMORY] = !offer->draft || !strata_reserve_keep();
    word[WRONG] = process->complaints > 0 ? process->world_size - process->world_rank : 0;
    word[FULL] = strata_groups_in_use(process) >= STRATA_MOST_GROUPS;
    word[LEFT] = leaves(process, state->comm);
    word[SIGN] = SIGNED;
    word[ANTISIGN] = -SIGNED;
    const int error = strata_agree_first(word, WORDS, MPI_INT64_T, MPI_MAX, state->comm);
    const bool signed_by_all = word[SIGN] == SIGNED && word[ANTISIGN] == -SIGNED;
    return error == MPI_SUCCESS && !signed_by_all ? MPI_ERR_OTHER : error;
}

/* Whether some ranks are not in this rank's MPI_COMM_WORLD. A draft knows, but needs memory. */
static bool beyond_world(MPI_Comm comm, const struct strata_group *draft)
{
    MPI_Group members = MPI_GROUP_NULL, world = MPI_GROUP_NULL, others = MPI_GROUP_NULL;
    int count = 0;
    if (draft) {
        return draft->spawned;
    }
    PMPI_Comm_group(comm, &members);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_difference(members, world, &others);
    PMPI_Group_size(others, &count);
    PMPI_Group_free(&members);
    PMPI_Group_free(&world);
    if (others != MPI_GROUP_EMPTY) {
        PMPI_Group_free(&others);
    }
    return count > 0;
}

static void withdraw(struct strata_process *process, struct offer *offer)
{
    strata_group_drop(process, offer->idle);
    strata_group_drop(process, offer->alike);
    strata_group_destroy(offer->draft);
}

/* Completes the draft to a new group. */
static bool complete(struct strata_process *process, struct strata_state *state,
                     struct offer *offer, const int64_t *word)
{
    struct strata_diagnostic message = {""};
    bool known = offer->alike && word[LARGEST_ALIKE] == -word[SMALLEST_ALIKE];
    struct strata_group *draft = offer->draft;
    if (word[FULL]) {
        return strata_fall_back(state, "too many private communicators are in use");
    }
    offer->draft = NULL; /* the group owns it now */
    strata_groups_sweep(process);
    int error =
        strata_group_complete(process, state->comm, draft, known ? offer->alike : NULL, &message);
    if (error != STRATA_OK) {
        state->attach_error = error == STRATA_ERR_TRANSPORT ? MPI_ERR_OTHER : MPI_SUCCESS;
        return strata_fall_back(state, message.text);
    }
    state->group = draft;
    return true;
}

/* Joins the idle group, if all ranks have the same, or a new one. */
static bool join(struct strata_process *process, struct strata_state *state, struct offer *offer,
                 const int64_t *word)
{
    if (offer->idle && word[LARGEST_ID] == -word[SMALLEST_ID]) {
        state->group = offer->idle;
        offer->idle = NULL; /* the state is its user now */
        strata_revoked_with(&state->group->served, state->comm);
        strata_group_end_telling(state->group);
    } else if (!complete(process, state, offer, word)) {
        return false;
    }
    state->calls = &state->group->calls;
    strata_sequence_open(process, state);
    state->standing = STRATA_STANDING_ATTACHED;
    state->why[0] = '\0'; /* the communicator no longer waits */
    state->native = 0;
    /* Rank 0's settings decide, for all ranks must go the same way. */
    bool shut = process->preloaded && !strata_config_explains(&state->group->settings->config);
    for (int c = 0; shut && c < STRATA_COLLECTIVE_COUNT; c++) {
        bool native = strata_choice_native(&state->group->settings->choice[c]) &&
                      !strata_same_bits(state, (enum strata_collective)c);
        state->native |= (unsigned)native << c;
    }
    return true;
}

static bool introduce(struct strata_process *process, struct strata_state *state, bool now)
{
    struct offer offer = {.draft = strata_group_draft(state->comm)};
    bool attached = false;
    int64_t word[WORDS];
    int error;
    if (offer.draft) {
        offer.idle = strata_group_alike(process, offer.draft, true);
        offer.alike = strata_group_alike(process, offer.draft, false);
    }
    if (process->preloaded && beyond_world(state->comm, offer.draft)) {
        /* Ranks of another world may run without Strata. All ranks of this one see such ranks, also
         * a rank without memory. */
        withdraw(process, &offer);
        return strata_fall_back(state, "ranks of another MPI_COMM_WORLD");
    }
    error = agree(process, state, &offer, word);
    if (error == MPI_SUCCESS && word[WRONG] == process->world_size - process->world_rank &&
        state->ranks == process->world_size) { /* otherwise rank 0 may have reported the same
                                                  setting */
        strata_settings_say_complaint(process);
    }
    if (error != MPI_SUCCESS) {
        state->attach_error = error;
        strata_fall_back(state, "the ranks could not agree");
    } else if (word[NO_MEMORY]) { /* first, for a rank without a state cannot fall back for good */
        wait_for_memory(state);
    } else if (word[WRONG] && process->preloaded) {
        strata_fall_back(state, "a setting is wrong");
    } else if (word[LEFT]) {
        strata_fall_back(state, "STRATA_COMMUNICATORS leaves it to them");
    } else {
        state->attach_at = word[SAME_BITS] ? 1 : word[ATTACH_AT];
        if (now || state->seen >= state->attach_at) {
            attached = join(process, state, &offer, word);
        } else {
            wait_for_calls(state);
        }
    }
    withdraw(process, &offer);
    return attached;
}

/* Errors in here are not for the program's error handler. */
static bool introduce_quietly(struct strata_process *process, struct strata_state *state, bool now)
{
    const bool quiet = strata_quiet_begin(state->comm);
    const bool attached = introduce(process, state, now);
    if (quiet) {
        strata_quiet_end(state->comm);
    }
    return attached;
}

bool strata_attach(struct strata_process *process, struct strata_state *state, bool now)
{
    if (state->standing == STRATA_STANDING_ATTACHED || state->standing == STRATA_STANDING_NATIVE) {
        return state->standing == STRATA_STANDING_ATTACHED;
    }
    if (state->refused && !now) {
        state->refused = false;
        return false;
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
    const struct offer nothing = {.draft = NULL};
    int64_t word[WORDS];
    if (!process->preloaded || !beyond_world(comm, NULL)) { /* otherwise the ranks agree on
                                                               nothing */
        agree(process, &none, &nothing, word);
    }
}
