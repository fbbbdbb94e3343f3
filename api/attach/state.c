#include "api/attach/state.h"

#include <stdio.h>

#include "api/attach/process.h"
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

static void destroy(struct strata_process *process, struct strata_state *state)
{
    unlink_state(process, state);
    strata_plans_hold(&state->last, NULL);
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

void strata_state_init(struct strata_state *state, MPI_Comm comm)
{
    int inter = 0;

    *state = (struct strata_state){.comm = comm, .mean_bytes = -1, .last_why = ""};
    PMPI_Comm_rank(comm, &state->rank);
    PMPI_Comm_size(comm, &state->ranks);
    PMPI_Comm_test_inter(comm, &inter);
    state->inter = inter;
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
    struct strata_state *state = strata_state_peek(process, comm);

    return state ? state : make(process, comm);
}
