/* strata_comm_force: the ranks of one communicator agree on an algorithm. */
#include "api/attach/state.h"
#include "api/life/life.h"
#include "api/process/agree.h"
#include "hier/registry.h"

/* The words of one rank's wish; they must be the same on all ranks. */
enum {
    WRONG,
    COLLECTIVE,
    GIVEN,
    ALGORITHM,
    WEIGHT,
    PARAMETER,
    WORDS = PARAMETER + STRATA_PARAMETERS
};

struct wish {
    enum strata_collective collective;
    bool given; /* false: the configuration decides */
    struct strata_choice choice;
};

static int read_wish(const char *collective, const char *choice, struct wish *wish,
                     struct strata_diagnostic *message)
{
    if (!collective) {
        return strata_fail(message, STRATA_ERR_ARGUMENT, "the collective's name is null");
    }
    if (!strata_collective_find(collective, &wish->collective)) {
        return strata_fail(message, STRATA_ERR_ARGUMENT, "\"%.60s\" is no collective", collective);
    }
    wish->given = choice != NULL;
    return choice ? strata_choice_parse(choice, wish->collective, &wish->choice, message)
                  : STRATA_OK;
}

/* Finds the maximum of each word and of its negative: where the two differ in size, so did the
 * ranks' words. */
static int agree(MPI_Comm comm, const struct wish *wish, bool wrong,
                 struct strata_diagnostic *message)
{
    int64_t word[2 * WORDS] = {[WRONG] = wrong,
                               [COLLECTIVE] = wish->collective,
                               [GIVEN] = wish->given,
                               [ALGORITHM] = strata_registry_number(wish->choice.algorithm),
                               [WEIGHT] = wish->choice.weight};
    bool differ = false;
    for (int i = 0; i < STRATA_PARAMETERS; i++) {
        word[PARAMETER + i] = wish->choice.parameter[i];
    }
    for (int i = 0; i < WORDS; i++) {
        word[WORDS + i] = -word[i];
    }
    int error = strata_agree(word, 2 * WORDS, MPI_INT64_T, MPI_MAX, comm);
    if (error != MPI_SUCCESS) {
        strata_say(message, "the ranks could not agree");
        return error;
    }
    for (int i = 0; i < WORDS; i++) {
        differ = differ || word[i] != -word[WORDS + i];
    }
    if (!wrong && differ) {
        strata_say(message, word[WRONG] ? "what another rank forces cannot be used"
                                        : "the ranks force different algorithms");
    }
    return wrong || differ ? MPI_ERR_ARG : MPI_SUCCESS;
}

static void keep(struct strata_process *process, struct strata_state *state,
                 const struct wish *wish)
{
    unsigned bit = 1u << wish->collective;
    state->choice[wish->collective] = wish->choice;
    state->forced = wish->given ? state->forced | bit : state->forced & ~bit;
    state->choices++;
    strata_changed(process);
}

int strata_comm_force(MPI_Comm comm, const char *collective, const char *choice)
{
    struct strata_process *process = strata_process();
    struct strata_diagnostic message = {"out of memory"};
    struct strata_state *state;
    struct wish wish = {.given = false};
    const char *text = process ? strata_communicator_wrong(comm) : "MPI is not running";
    if (text) {
        return strata_raise(comm, process ? MPI_ERR_COMM : MPI_ERR_OTHER, "comm_force", text);
    }
    state = strata_state_find(process, comm);
    bool wrong = read_wish(collective, choice, &wish, &message) != STRATA_OK;
    int error = agree(comm, &wish, wrong || !state, &message);
    if (error != MPI_SUCCESS || !state) {
        return strata_raise(comm, state ? error : MPI_ERR_NO_MEM, "comm_force", message.text);
    }
    keep(process, state, &wish);
    return MPI_SUCCESS;
}
