#include "api/attach/sequence.h"

#include "api/attach/state.h"
#include "api/process/process.h"
#include "core/base/memory.h"

/* Of a private communicator's streams, which a group's own calls and its chains share. On simulated
 * clusters, where whoever looks for messages blocks, there are none. */
enum { FIRST_STREAM = 64 };
#ifdef STRATA_SIMULATED
enum { MOST_SEQUENCES = 0 };
#else
enum { MOST_SEQUENCES = ((1 << STRATA_STREAM_BITS) - FIRST_STREAM) / STRATA_TRAFFIC_KINDS };
#endif

struct strata_sequence *strata_sequence_create(void)
{
    return strata_allocate(1, sizeof(struct strata_sequence));
}

void strata_sequence_destroy(struct strata_sequence *sequence)
{
    for (int i = 0; sequence && i < sequence->places; i++) {
        strata_transport_mpi_fini(&sequence->transport[i]);
    }
    if (sequence) {
        strata_sequence_forget(sequence);
        strata_sequence_leave_rooms(sequence);
        strata_plan_table_destroy(&sequence->plans);
    }
    strata_release(sequence);
}

void strata_sequences_destroy(struct strata_sequence *first)
{
    while (first) {
        struct strata_sequence *next = first->next;
        strata_sequence_destroy(first);
        first = next;
    }
}

/* Of one that is broken no rank knows what others may still send. */
static bool in_use(const struct strata_sequence *sequence)
{
    return sequence->state || sequence->requests > 0 || strata_sequence_broken(sequence);
}

/* Nobody begins calls of it here. What others do in its room is of calls that are over here. */
static void rest(struct strata_sequence *sequence)
{
    if (!in_use(sequence)) {
        strata_sequence_leave_rooms(sequence);
    }
}

int strata_sequences_next(struct strata_process *process, const struct strata_group *group)
{
    int next = 0;

    pthread_mutex_lock(&process->lock);
    for (const struct strata_sequence *c = group->sequences; c; c = c->next) {
        next = in_use(c) && c->number >= next ? c->number + 1 : next;
    }
    pthread_mutex_unlock(&process->lock);
    return next;
}

/* The group's of that number; NULL if it has none yet. */
static struct strata_sequence *find(const struct strata_group *group, int number)
{
    struct strata_sequence *sequence = group->sequences;

    while (sequence && sequence->number != number) {
        sequence = sequence->next;
    }
    return sequence;
}

static void equip(struct strata_sequence *sequence, struct strata_group *group, int number)
{
    const struct strata_endpoints each =
        strata_endpoints_of(group->comm, group->rank, group->ranks);
    int stream = FIRST_STREAM + number * STRATA_TRAFFIC_KINDS;

    sequence->group = group;
    sequence->number = number;
    sequence->waiter = group->waiter;
    sequence->waiter.beside = NULL; /* there is nothing else */
    sequence->waiter.mates = NULL;
    sequence->places = STRATA_SEQUENCE_PLACES;
    for (int i = 0; i < sequence->places; i++) {
        struct strata_transport_mpi *t = &sequence->transport[i];
        strata_transport_mpi_init(t, &each, stream);
        sequence->places = strata_transport_mpi_shares(t, STRATA_SEQUENCE_PLACES);
        strata_transport_mpi_share(t, i, sequence->places);
    }
}

void strata_sequence_open(struct strata_process *process, struct strata_state *state,
                          struct strata_sequence *made, int number)
{
    struct strata_group *group = state->group;
    struct strata_sequence *sequence = find(group, number);

    if (sequence || number >= MOST_SEQUENCES) {
        strata_sequence_destroy(made);
    } else {
        equip(made, group, number);
        sequence = made;
    }
    if (sequence) {
        strata_sequence_forget(sequence);
    }
    pthread_mutex_lock(&process->lock);
    if (sequence && sequence == made) {
        made->next = group->sequences;
        group->sequences = made;
    }
    if (sequence) {
        sequence->state = state;
        sequence->count = (struct strata_traffic_count){0};
    }
    pthread_mutex_unlock(&process->lock);
    state->sequence = sequence;
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
