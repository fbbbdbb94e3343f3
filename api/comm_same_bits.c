/* strata_comm_same_bits: the ranks of one communicator agree on the same bits. */
#include "api/attach/state.h"
#include "api/life/life.h"
#include "api/process/agree.h"
#include "include/strata.h"

enum { NO_MEMORY, WRONG, WANTED, NEGATED, WORDS };

/* Finds the maximum of the wish and of its negative: where the two differ in size, so did the
 * ranks' wishes. */
static int agree(MPI_Comm comm, int wanted, bool no_memory, const char **text)
{
    int word[WORDS] = {[NO_MEMORY] = no_memory,
                       [WRONG] = wanted != 0 && wanted != 1,
                       [WANTED] = wanted,
                       [NEGATED] = -(wanted == 1)};
    *text = "the ranks could not agree";
    if (strata_agree(word, WORDS, MPI_INT, MPI_MAX, comm) != MPI_SUCCESS) {
        return MPI_ERR_OTHER;
    }
    if (word[WRONG] || word[WANTED] != -word[NEGATED]) {
        *text = word[WRONG] ? "neither 0 nor 1 is asked for" : "the ranks ask for different things";
        return MPI_ERR_ARG;
    }
    *text = "out of memory";
    return word[NO_MEMORY] ? MPI_ERR_NO_MEM : MPI_SUCCESS;
}

/* Attaches: where a communicator is not attached MPI's own serves it, and promises nothing about
 * bits. */
static int attach(struct strata_process *process, struct strata_state *state, const char **text)
{
    if (strata_attach_now(process, state)) {
        return MPI_SUCCESS;
    }
    *text = state->why;
    return state->standing == STRATA_STANDING_NATIVE ? MPI_ERR_OTHER : MPI_ERR_NO_MEM;
}

int strata_comm_same_bits(MPI_Comm comm, int wanted)
{
    struct strata_process *process = strata_process();
    const char *text = process ? strata_communicator_wrong(comm) : "MPI is not running";
    struct strata_state *state;
    int error;
    if (text) {
        return strata_raise(comm, process ? MPI_ERR_COMM : MPI_ERR_OTHER, "comm_same_bits", text);
    }
    state = strata_state_find(process, comm);
    error = agree(comm, wanted, !state, &text);
    if (error == MPI_SUCCESS && state && wanted) {
        error = attach(process, state, &text);
    }
    if (error != MPI_SUCCESS || !state) {
        return strata_raise(comm, state ? error : MPI_ERR_NO_MEM, "comm_same_bits", text);
    }
    state->asks_bits = true;
    state->same_bits = wanted;
    state->choices++;
    strata_changed(process);
    return MPI_SUCCESS;
}
