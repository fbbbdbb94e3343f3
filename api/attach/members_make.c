/* The life of members. */
#include "api/attach/arenas.h"
#include "api/attach/members.h"
#include "api/attach/sequence.h"
#include "api/process/agree.h"
#include "api/process/thread_wait.h"
#include "api/types/reduction_operator.h"
#include "core/base/memory.h"

static void end_group(struct strata_group *g, bool *left)
{
    if (!g) {
        return;
    }
    if (g->comm != MPI_COMM_NULL) {
        *left = *left || g->broken || strata_sequence_broken(g->sequence);
        strata_transport_mpi_fini(&g->transport);
        g->comm = MPI_COMM_NULL; /* others have it, too */
    }
    strata_group_destroy(g);
}

/* A communicator of this process alone, whose handle is the program's, too: what the program has
 * revoked goes as well. */
static void free_own(MPI_Comm comm)
{
    if (comm != MPI_COMM_NULL) {
        PMPI_Comm_free(&comm);
    }
}

/* The handle takes the state with it. */
static void end_thread(struct strata_thread *thread, bool *left)
{
    if (!thread) {
        return;
    }
    free_own(thread->comm);
    end_group(thread->group, left);
    strata_release(thread);
}

/* Waits until the threads are out of their last call; pairs with strata_thread_leave. */
static void await_threads(const struct strata_members *m)
{
    struct strata_thread_wait wait = {0};
    for (int t = 0; m->all && t < m->threads; t++) {
        const struct strata_thread *thread = m->all[t];
        while (thread && atomic_load_explicit(&thread->gone, memory_order_acquire) !=
                             atomic_load_explicit(&thread->ended, memory_order_relaxed)) {
            strata_thread_wait(&wait, "for the rank's other threads to leave a call");
        }
    }
}

void strata_members_end(struct strata_process *process, struct strata_members *m)
{
    bool left = false;
    if (!m) {
        return;
    }
    await_threads(m);
    strata_members_unlink(process, m);
    if (strata_mpi_runs_errands()) {
        strata_mpi_run_errands(); /* for which nobody waits */
    }
    for (int t = 0; m->all && t < m->threads; t++) {
        end_thread(m->all[t], &left);
    }
    for (int i = 0; i < m->nparts; i++) {
        strata_members_part_fini(&m->parts[i], left);
    }
    strata_private_communicator_free(&m->comm);
    free_own(m->handled);
    strata_group_drop(process, m->base); /* accepts NULL */
    strata_release(m->all);
    strata_release(m->parts);
    strata_release(m->first_of);
    strata_release(m->joining.who);
    strata_release(m);
}

void strata_all_members_end(struct strata_process *process)
{
    while (process->members) {
        strata_members_end(process, process->members);
    }
}

/* One of this process alone, under the lock of `alone`. */
static int make_own_comm(struct strata_process *process, MPI_Comm *made)
{
    MPI_Comm alone = strata_alone_begin(process);
    const int error =
        alone != MPI_COMM_NULL ? strata_private_communicator(alone, made) : MPI_ERR_OTHER;
    strata_alone_end(process);
    return error == MPI_SUCCESS ? STRATA_OK : STRATA_ERR_TRANSPORT;
}

static bool draft_threads(struct strata_members *m)
{
    bool whole = true;
    m->all = strata_allocate((size_t)m->threads, sizeof(struct strata_thread *));
    m->joining.who = strata_allocate((size_t)m->threads, sizeof *m->joining.who);
    for (int t = 0; m->all && whole && t < m->threads; t++) {
        struct strata_thread *thread = strata_allocate(1, sizeof *thread);
        m->all[t] = thread;
        whole = thread != NULL;
        if (thread) {
            thread->comm = MPI_COMM_NULL;
            thread->members = m;
            thread->index = t;
        }
    }
    return m->all && m->joining.who && whole;
}

static struct strata_members *draft(const struct strata_members_order *order)
{
    struct strata_members *m = strata_allocate(1, sizeof *m);
    if (!m) {
        return NULL;
    }
    m->base = order->base;
    m->threads = order->threads;
    m->split = order->colours || (order->of && order->of->split);
    m->comm = m->handled = MPI_COMM_NULL;
    m->main = pthread_self();
    PMPI_Query_thread(&m->level);
    m->first_of = strata_allocate((size_t)m->base->ranks + 1, sizeof *m->first_of);
    pthread_mutex_init(&m->joining.lock, NULL);
    if (!m->first_of || !draft_threads(m)) {
        m->base = NULL;
        strata_members_end(&strata_process_here, m);
        return NULL;
    }
    return m;
}

static int count_threads(struct strata_members *m)
{
    const int ranks = m->base->ranks;
    const int error = PMPI_Allgather(&m->threads, 1, MPI_INT, m->first_of + 1, 1, MPI_INT, m->comm);
    for (int r = 0; error == MPI_SUCCESS && r < ranks; r++) {
        m->first_of[r + 1] += m->first_of[r];
    }
    return error == MPI_SUCCESS ? STRATA_OK : STRATA_ERR_TRANSPORT;
}

/* Gives one communicator of this process alone the error handler of another. */
static void handle_as(MPI_Comm comm, MPI_Comm like)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    PMPI_Comm_get_errhandler(like, &handler);
    PMPI_Comm_set_errhandler(comm, handler);
    PMPI_Errhandler_free(&handler);
}

/* Each thread of a part gets its handle, and the state that belongs to it. */
static int take_handles(struct strata_process *process, struct strata_members *m)
{
    int error = STRATA_OK;
    for (int t = 0; error == STRATA_OK && t < m->threads; t++) {
        struct strata_thread *thread = m->all[t];
        error = thread->part ? make_own_comm(process, &thread->comm) : STRATA_OK;
        if (error == STRATA_OK && thread->part) {
            handle_as(thread->comm, m->handled);
            thread->state = strata_state_of_thread(process, thread);
            error = thread->state ? STRATA_OK : STRATA_ERR_MEMORY;
        }
    }
    return error;
}

/* Requests move meanwhile: another rank may wait for one before it comes. */
int strata_members_worst(int status, MPI_Comm comm)
{
    int worst = status;
    return strata_agree(&worst, 1, MPI_INT, MPI_MAX, comm) == MPI_SUCCESS ? worst
                                                                          : STRATA_ERR_TRANSPORT;
}

static void use_base(struct strata_process *process, struct strata_group *base)
{
    pthread_mutex_lock(&process->lock);
    base->users++;
    pthread_mutex_unlock(&process->lock);
}

/* Goes through all parts, for the ranks of a later one may not be those of one that fails. */
static int set_up(struct strata_process *process, struct strata_members *m, MPI_Comm like)
{
    int worst = make_own_comm(process, &m->handled);
    if (worst == STRATA_OK) {
        handle_as(m->handled, like);
    }
    for (int i = 0; i < m->nparts; i++) {
        const int error = strata_members_set_up(&m->parts[i]);
        worst = error > worst ? error : worst;
    }
    worst = worst == STRATA_OK ? take_handles(process, m) : worst;
    return strata_members_worst(worst, m->comm);
}

static int make(struct strata_process *process, struct strata_members *m,
                const struct strata_members_order *order)
{
    if (strata_private_communicator(order->over, &m->comm) != MPI_SUCCESS) {
        return STRATA_ERR_TRANSPORT;
    }
    PMPI_Comm_set_errhandler(m->comm, MPI_ERRORS_RETURN);
    int error = count_threads(m);
    error = error == STRATA_OK ? strata_members_divide(m, order) : error;
    return error == STRATA_OK ? set_up(process, m, order->like) : error;
}

int strata_members_make(struct strata_process *process, const struct strata_members_order *order,
                        struct strata_members **members, struct strata_diagnostic *message)
{
    struct strata_members *m = draft(order);
    int error = strata_members_worst(m ? STRATA_OK : STRATA_ERR_MEMORY, order->over);
    if (!m) { /* so no rank has them */
        return strata_fail(message, error, "its threads cannot be members: %s",
                           strata_error_text(error));
    }
    use_base(process, order->base);
    error = error == STRATA_OK ? make(process, m, order) : error;
    if (error != STRATA_OK) {
        strata_members_end(process, m);
        return strata_fail(message, error, "its threads cannot be members: %s",
                           strata_error_text(error));
    }
    if (m->level < MPI_THREAD_MULTIPLE) {
        strata_mpi_guard_begin(m->level);
    }
    strata_members_link(process, m);
    *members = m;
    return STRATA_OK;
}
