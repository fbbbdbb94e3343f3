/* What threads that are members of collectives have in common while they call. */
#include "api/attach/members.h"

#include <string.h>

#include "api/attach/sequence.h"
#include "api/attach/stalled_call.h"
#include "api/process/thread_wait.h"
#include "api/types/reduction_operator.h"
#include "core/base/memory.h"

/* Counts the changes of the list of members; 0: a process has had none. */
static atomic_uint generation;

/* The one that this thread found last. */
static STRATA_EACH_THREAD struct {
    MPI_Comm comm;
    unsigned generation;
    struct strata_thread *thread;
} found;

static struct strata_thread *thread_in(const struct strata_members *m, MPI_Comm comm)
{
    for (int t = 0; t < m->threads; t++) {
        if (m->all[t]->comm == comm) {
            return m->all[t];
        }
    }
    return NULL;
}

static struct strata_thread *look_up(MPI_Comm comm)
{
    struct strata_process *process = &strata_process_here;
    struct strata_thread *thread = NULL;
    pthread_mutex_lock(&process->lock);
    for (struct strata_members *m = process->members; m && !thread; m = m->next) {
        thread = thread_in(m, comm);
    }
    pthread_mutex_unlock(&process->lock);
    return thread;
}

/* A thread that has a handle has been told of it after the list changed. */
struct strata_thread *strata_thread_find(MPI_Comm comm)
{
    const unsigned now = atomic_load_explicit(&generation, memory_order_acquire);
    if (now == 0 || comm == MPI_COMM_NULL) {
        return NULL;
    }
    if (found.comm != comm || found.generation != now) {
        found.thread = look_up(comm);
        found.comm = comm;
        found.generation = now;
    }
    return found.thread;
}

static int number_of(MPI_Comm comm)
{
    const struct strata_thread *thread = strata_thread_find(comm);
    return thread ? thread->group->rank : -1;
}

static MPI_Comm ranks_of(MPI_Comm comm)
{
    const struct strata_thread *thread = strata_thread_find(comm);
    return thread && thread->part ? thread->group->comm : comm;
}

void strata_members_link(struct strata_process *process, struct strata_members *m)
{
    pthread_mutex_lock(&process->lock);
    m->next = process->members;
    m->link = &process->members;
    if (m->next) {
        m->next->link = &m->next;
    }
    process->members = m;
    process->number_of = number_of;
    process->ranks_of = ranks_of;
    pthread_mutex_unlock(&process->lock);
    atomic_fetch_add_explicit(&generation, 1, memory_order_release);
}

void strata_members_unlink(struct strata_process *process, struct strata_members *m)
{
    pthread_mutex_lock(&process->lock);
    if (m->link) {
        *m->link = m->next;
        if (m->next) {
            m->next->link = m->link;
        }
        m->link = NULL;
    }
    pthread_mutex_unlock(&process->lock);
    atomic_fetch_add_explicit(&generation, 1, memory_order_release);
}

void strata_thread_lose(struct strata_process *process, struct strata_thread *thread)
{
    pthread_mutex_lock(&process->lock);
    thread->comm = MPI_COMM_NULL;
    thread->state = NULL;
    pthread_mutex_unlock(&process->lock);
    atomic_fetch_add_explicit(&generation, 1, memory_order_release);
}

/* An agreement of the ranks that is under way. */
struct agreement {
    MPI_Request request;
    void *words;
    int count, done;
    MPI_Datatype type;
    MPI_Op op;
    MPI_Comm comm;
};

static int begin_agreement(void *argument)
{
    struct agreement *a = argument;
    return PMPI_Iallreduce(MPI_IN_PLACE, a->words, a->count, a->type, a->op, a->comm, &a->request);
}

static int test_agreement(void *argument)
{
    struct agreement *a = argument;
    return PMPI_Test(&a->request, &a->done, MPI_STATUS_IGNORE);
}

/* Lets go on what waits for this thread. */
static void run_and_move(void)
{
    if (strata_mpi_runs_errands()) {
        strata_mpi_run_errands();
    }
    if (strata_process_here.move_requests) {
        strata_process_here.move_requests();
    }
}

/* A large message of this rank's may be on its way to a rank for which its other threads wait. They
 * leave it to the main thread to let MPI progress. Not at once: most waits are short. */
static void progress(const struct strata_thread *thread, const struct strata_waiter *waited)
{
    const bool slept = waited->heard == 0 && waited->attempt > waited->yielded;
    struct strata_group *g = thread->group;
    int open;
    if (g->messages && (waited->crowded ? slept : waited->attempt >= STRATA_WAIT_STILL)) {
        (void)g->messages->test(&g->transport, STRATA_DIRECT_TRAFFIC, &open);
    }
}

/* Waits between two looks, for what another thread does before it rings the bell and the main
 * thread's; NULL: for another rank. Requests move meanwhile: another rank, or another thread of
 * this one, may come only when they are complete. */
static void go_on(struct strata_thread_wait *wait, struct strata_thread_bell *bell)
{
    const bool main = strata_mpi_runs_errands();
    run_and_move();
    wait->bell = bell && main ? &strata_mpi_bell : bell;
    wait->moves = main || !strata_mpi_funnels();
    wait->wanted = strata_mpi_wanted();
    strata_thread_wait(wait, "for the rank's other threads, or other ranks, to come to a call");
}

/* The same, for other threads of the rank. */
static void await_threads(const struct strata_thread *thread, struct strata_thread_wait *wait,
                          struct strata_thread_bell *bell)
{
    if (strata_mpi_runs_errands()) {
        progress(thread, &wait->waiter);
    }
    go_on(wait, bell);
}

static int agree_for_all(struct agreement *a)
{
    struct strata_thread_wait wait = {0};
    int error = strata_by_mpi(begin_agreement, a);
    while (error == MPI_SUCCESS && !a->done) {
        error = strata_by_mpi(test_agreement, a);
        if (error == MPI_SUCCESS && !a->done) {
            go_on(&wait, NULL);
        }
    }
    return error;
}

static size_t size_of(MPI_Datatype type)
{
    return type == MPI_INT ? sizeof(int) : sizeof(int64_t);
}

/* Adds this thread's words; returns whether the rank's threads of the part have all come. */
static bool come(struct strata_members_part *p, const struct agreement *a, const void *words,
                 uint64_t *round)
{
    const size_t size = size_of(a->type);
    struct strata_meeting *meeting = &p->meeting;
    pthread_mutex_lock(&meeting->lock);
    *round = atomic_load_explicit(&meeting->round, memory_order_relaxed);
    unsigned char *all = meeting->words[*round & 1];
    if (meeting->come++ == 0) {
        memcpy(all, words, (size_t)a->count * size);
    } else {
        strata_kernel_of(a->op, a->type, (MPI_Aint)size)(words, all, all, (size_t)a->count);
    }
    const bool last = meeting->come == p->threads;
    pthread_mutex_unlock(&meeting->lock);
    return last;
}

/* The last thread to come agrees with the other ranks. With MPI_THREAD_FUNNELED the main thread,
 * which waits here or in a call of another part, runs its errands. */
static void agree_or_wait(const struct strata_thread *thread, struct agreement *a, bool last,
                          uint64_t round)
{
    struct strata_meeting *meeting = &thread->part->meeting;
    struct strata_thread_wait wait = {0};
    if (last) {
        a->words = meeting->words[round & 1];
        meeting->error = agree_for_all(a);
        meeting->come = 0; /* no thread comes before this round is over */
        atomic_store_explicit(&meeting->round, round + 1, memory_order_release);
        strata_thread_bell_ring(&meeting->bell);
        strata_thread_bell_ring(&strata_mpi_bell);
    }
    while (atomic_load_explicit(&meeting->round, memory_order_acquire) == round) {
        await_threads(thread, &wait, &meeting->bell);
    }
}

int strata_members_agree(struct strata_thread *thread, void *words, int count, MPI_Datatype type,
                         MPI_Op op)
{
    struct strata_members_part *p = thread->part;
    struct agreement a = {.count = count, .type = type, .op = op, .comm = p->comms[0]};
    uint64_t round = 0;
    const bool last = come(p, &a, words, &round);
    agree_or_wait(thread, &a, last, round);
    memcpy(words, p->meeting.words[round & 1], (size_t)count * size_of(type));
    return p->meeting.error;
}

/* Where it has a core the main thread looks for errands after fewer polls than others. */
static const struct strata_wait_parameters main_spins = {.polls = 16, .spins = 16};

/* With MPI_THREAD_FUNNELED the main thread runs errands where it waits in calls by its handle. */
static STRATA_SELDOM void wait_as(struct strata_thread *thread, bool main)
{
    struct strata_waiter *waiter = &thread->group->waiter;
    *waiter = strata_waiter_of_thread(thread->group->way);
    waiter->parameters = main && !waiter->crowded ? &main_spins : waiter->parameters;
    waiter->peers = thread->group->arena ? &thread->group->memory : NULL;
    waiter->beside = main ? run_and_move : NULL;
    waiter->wanted = strata_mpi_wanted();
    waiter->still = strata_process_here.config.stall > 0 ? strata_stall_call : NULL;
    thread->waits = main ? STRATA_WAITS_AS_MAIN : STRATA_WAITS_AS_OTHER;
}

struct strata_waiter *strata_thread_waiter(struct strata_thread *thread)
{
    if (thread->members->level == MPI_THREAD_FUNNELED) {
        const bool main = pthread_equal(pthread_self(), thread->members->main);
        if (thread->waits != (main ? STRATA_WAITS_AS_MAIN : STRATA_WAITS_AS_OTHER)) {
            wait_as(thread, main);
        }
    }
    return &thread->group->waiter;
}

/* The handle in a call by which this thread is. */
static STRATA_EACH_THREAD const struct strata_thread *entered;

bool strata_thread_enter(struct strata_thread *thread)
{
    if (atomic_exchange_explicit(&thread->taken, true, memory_order_acquire)) {
        return false;
    }
    entered = thread;
    (void)strata_thread_waiter(thread);
    return true;
}

bool strata_thread_entered(const struct strata_thread *thread)
{
    return entered == thread;
}

/* Whether the rank's threads have all ended so many calls. */
static bool all_ended(const struct strata_members *m, uint64_t calls)
{
    int t = 0;
    while (t < m->threads &&
           (!m->all[t]->part ||
            atomic_load_explicit(&m->all[t]->ended, memory_order_acquire) >= calls)) {
        t++;
    }
    return t == m->threads;
}

/* The last of the other threads wakes the main one. Of two that end at once each has a fence
 * between its own end and the look at the other's, so one sees both. The main thread may have seen
 * all ends by then, and free the members: so threads say when they have looked. */
void strata_thread_leave(struct strata_thread *thread)
{
    const struct strata_members *m = thread->members;
    const uint64_t ended = atomic_load_explicit(&thread->ended, memory_order_relaxed) + 1;
    struct strata_thread_wait wait = {0};
    entered = NULL;
    atomic_store_explicit(&thread->taken, false, memory_order_release);
    atomic_store_explicit(&thread->ended, ended, memory_order_release);
    if (strata_mpi_runs_errands()) {
        while (!all_ended(m, ended)) {
            await_threads(thread, &wait, &strata_mpi_bell);
        }
    } else if (strata_mpi_funnels() && strata_thread_bell_awaited(&strata_mpi_bell) &&
               all_ended(m, ended)) {
        strata_thread_bell_ring(&strata_mpi_bell);
    }
    atomic_store_explicit(&thread->gone, ended, memory_order_release);
}

/* Whether all have come beyond that number of their sequences. */
static bool all_beyond(const struct strata_thread *thread, uint64_t number,
                       uint64_t (*at)(const struct strata_sequence *sequence))
{
    const struct strata_members *m = thread->members;
    int t = 0;
    while (t < m->threads && (!m->all[t]->part || at(m->all[t]->group->sequence) > number)) {
        t++;
    }
    return t == m->threads;
}

bool strata_thread_all_began(const struct strata_thread *thread, uint64_t number)
{
    return all_beyond(thread, number, strata_sequence_started);
}

bool strata_thread_all_ended(const struct strata_thread *thread, uint64_t number)
{
    return all_beyond(thread, number, strata_sequence_oldest);
}
