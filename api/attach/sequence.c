#include "api/attach/sequence.h"

#include "api/attach/state.h"
#include "api/process/process.h"
#include "core/base/memory.h"

/* The first stream of a private communicator behind those of its group's own calls and chains. */
enum { FIRST_STREAM = 64 };

struct strata_sequence *strata_sequence_create(void)
{
    return strata_allocate(1, sizeof(struct strata_sequence));
}

void strata_sequence_destroy(struct strata_sequence *sequence)
{
    for (int i = 0; sequence && i < sequence->depth; i++) {
        strata_transport_mpi_fini(&sequence->transport[i]);
    }
    if (sequence) {
        strata_bound_calls_destroy(&sequence->kept);
        strata_sequence_drop_memories(sequence);
        strata_plan_table_destroy(&sequence->plans);
    }
    strata_release(sequence);
}

/* Gives the node memories back when no call of the sequence can begin on this rank. Local peers may
 * still use theirs, for calls that are over here. If the sequence is broken, no rank knows what
 * others may still send. */
static void rest(struct strata_sequence *sequence)
{
    if (!sequence->state && sequence->requests == 0 && !strata_sequence_broken(sequence)) {
        strata_sequence_drop_memories(sequence);
    }
}

void strata_sequence_equip(struct strata_sequence *sequence, struct strata_group *group)
{
    sequence->group = group;
    sequence->waiter = group->waiter;
    sequence->waiter.beside = NULL; /* its waits move all requests themselves */
    sequence->waiter.wanted = NULL;
    sequence->waiter.peers = NULL;
    sequence->depth = STRATA_SEQUENCE_DEPTH;
    for (int i = 0; i < sequence->depth; i++) {
        struct strata_transport_mpi *t = &sequence->transport[i];
        strata_transport_mpi_init(t, &group->transport.endpoints, FIRST_STREAM);
        sequence->depth = strata_transport_mpi_shares(t, STRATA_SEQUENCE_DEPTH);
        strata_transport_mpi_share(t, sequence->transport, i, sequence->depth);
    }
}

void strata_sequence_open(struct strata_process *process, struct strata_state *state)
{
#ifndef STRATA_SIMULATED
    struct strata_sequence *sequence = state->group->sequence;

    strata_bound_calls_destroy(&sequence->kept); /* of an earlier communicator */
    pthread_mutex_lock(&process->lock);
    sequence->state = state;
    sequence->count = (struct strata_traffic_count){0};
    sequence->helped = 0;
    pthread_mutex_unlock(&process->lock);
    state->sequence = sequence;
#else
    (void)process;
    (void)state;
#endif
}

void strata_sequence_close(struct strata_process *process, struct strata_state *state)
{
    if (state->sequence) {
        pthread_mutex_lock(&process->lock);
        state->sequence->state = NULL;
        rest(state->sequence);
        pthread_mutex_unlock(&process->lock);
    }
}

void strata_sequence_hold(struct strata_process *process, struct strata_sequence *sequence)
{
    strata_states_lock(process);
    sequence->requests++;
    sequence->group->users++;
    strata_states_unlock(process);
}

void strata_sequence_drop(struct strata_process *process, struct strata_sequence *sequence)
{
    strata_states_lock(process);
    sequence->requests--;
    rest(sequence);
    sequence->group->users--;
    strata_states_unlock(process);
}
