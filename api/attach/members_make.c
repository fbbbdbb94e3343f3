/* The life of members. */
#include "api/attach/arenas.h"
#include "api/attach/members.h"
#include "api/attach/sequence.h"
#include "api/process/agree.h"
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

/* The handle takes the state with it. */
static void end_thread(struct strata_thread *thread, bool *left)
{
    if (!thread) {
        return;
    }
    if (thread->comm != MPI_COMM_NULL) {
        MPI_Comm comm = thread->comm;
        PMPI_Comm_free(&comm);
    }
    end_group(thread->group, left);
    strata_release(thread);
}

/* Frees the communicators, unless messages are left that nobody has received. */
static void end_comms(struct strata_members *m, bool left)
{
    for (int i = 0; i < m->ncomms && !left; i++) {
        left = strata_message_is_there(m->comms[i]);
    }
    for (int i = 0; i < m->ncomms && !left; i++) {
        PMPI_Comm_free(&m->comms[i]);
    }
    strata_release(m->comms);
}

void strata_members_end(struct strata_process *process, struct strata_members *m)
{
    bool left = false;
    if (!m) {
        return;
    }
    strata_members_unlink(process, m);
    if (strata_mpi_runs_errands()) {
        strata_mpi_run_errands(); /* for which nobody waits */
    }
    for (int t = 0; m->all && t < m->threads; t++) {
        end_thread(m->all[t], &left);
    }
    end_comms(m, left);
    strata_group_drop(process, m->base); /* accepts NULL */
    if (m->handler != MPI_ERRHANDLER_NULL) {
        PMPI_Errhandler_free(&m->handler);
    }
    strata_release(m->all);
    strata_release(m->at);
    strata_release(m->first_of);
    strata_release(m->meeting.words[0]);
    strata_release(m->meeting.words[1]);
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

static struct strata_members *draft(struct strata_group *base, int threads)
{
    struct strata_members *m = strata_allocate(1, sizeof *m);
    if (!m) {
        return NULL;
    }
    m->base = base;
    m->threads = threads;
    m->handler = MPI_ERRHANDLER_NULL;
    m->main = pthread_self();
    PMPI_Query_thread(&m->level);
    m->comms = strata_allocate(1, sizeof *m->comms);
    m->first_of = strata_allocate((size_t)base->ranks + 1, sizeof *m->first_of);
    m->all = strata_allocate((size_t)threads, sizeof *m->all);
    m->joining.who = strata_allocate((size_t)threads, sizeof *m->joining.who);
    pthread_mutex_init(&m->meeting.lock, NULL);
    pthread_mutex_init(&m->joining.lock, NULL);
    bool whole = m->comms && m->first_of && m->all && m->joining.who;
    for (int t = 0; whole && t < threads; t++) {
        struct strata_thread *thread = strata_allocate(1, sizeof *thread);
        m->all[t] = thread;
        whole = thread != NULL;
        if (thread) {
            thread->comm = MPI_COMM_NULL;
            thread->members = m;
            thread->index = t;
        }
    }
    if (!whole) {
        m->base = NULL;
        strata_members_end(&strata_process_here, m);
        return NULL;
    }
    return m;
}

/* Each thread gets its handle, and the state that belongs to it. */
static int take_handles(struct strata_process *process, struct strata_members *m)
{
    const size_t words = 2 * (size_t)m->total + 16;
    int error = STRATA_OK;
    m->meeting.words[0] = strata_allocate(words, sizeof(int64_t));
    m->meeting.words[1] = strata_allocate(words, sizeof(int64_t));
    if (!m->meeting.words[0] || !m->meeting.words[1]) {
        return STRATA_ERR_MEMORY;
    }
    for (int t = 0; error == STRATA_OK && t < m->threads; t++) {
        struct strata_thread *thread = m->all[t];
        error = make_own_comm(process, &thread->comm);
        if (error == STRATA_OK) {
            PMPI_Comm_set_errhandler(thread->comm, m->handler);
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

static int make(struct strata_process *process, struct strata_members *m, MPI_Comm over)
{
    if (strata_private_communicator(over, m->comms) != MPI_SUCCESS) {
        return STRATA_ERR_TRANSPORT;
    }
    m->ncomms = 1;
    PMPI_Comm_set_errhandler(m->comms[0], MPI_ERRORS_RETURN);
    const int error = strata_members_set_up(m);
    return strata_members_worst(error == STRATA_OK ? take_handles(process, m) : error, m->comms[0]);
}

int strata_members_make(struct strata_process *process, const struct strata_members_order *order,
                        struct strata_members **members, struct strata_diagnostic *message)
{
    struct strata_members *m = draft(order->base, order->threads);
    int error = strata_members_worst(m ? STRATA_OK : STRATA_ERR_MEMORY, order->over);
    if (!m) { /* so no rank has them */
        return strata_fail(message, error, "its threads cannot be members: %s",
                           strata_error_text(error));
    }
    use_base(process, order->base);
    PMPI_Comm_get_errhandler(order->like, &m->handler);
    error = error == STRATA_OK ? make(process, m, order->over) : error;
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
