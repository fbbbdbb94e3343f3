/* The public calls that make threads members of collectives. */
#include "api/attach/members.h"

#include <stdio.h>

#include "api/life/life.h"
#include "api/process/agree.h"
#include "api/process/thread_wait.h"
#include "include/strata.h"
#include "intranode/team.h"

/* All ranks raise the last of these that one of them has found. */
static const char *const texts[] = {
    "",
    "threads is not 1 to 64, or an argument is null",
    "a color is negative, and not MPI_UNDEFINED",
    "with MPI_THREAD_FUNNELED thread 0, the main thread, is in a part if others of its rank are",
    "MPI_Init_thread granted MPI_THREAD_SINGLE, with which only one thread may exist",
    "with MPI_THREAD_FUNNELED the main thread makes members"};
enum { NONE, WRONG, NO_COLOR, NO_MAIN, SINGLE, NOT_MAIN };

/* The index of this rank's error in `texts`. */
static int find_wrong(bool right)
{
    int level = MPI_THREAD_SINGLE, main = 0;
    PMPI_Query_thread(&level);
    PMPI_Is_thread_main(&main);
    return !right                                  ? WRONG
           : level == MPI_THREAD_SINGLE            ? SINGLE
           : level == MPI_THREAD_FUNNELED && !main ? NOT_MAIN
                                                   : NONE;
}

static bool in_part(const struct strata_members *m, const int *colors, int thread)
{
    return m->all[thread]->part && colors[thread] != MPI_UNDEFINED;
}

/* The same, of colors. */
static int find_wrong_colors(const struct strata_members *m, const int *colors)
{
    bool known = true, others = false;
    for (int t = 0; t < m->threads; t++) {
        known = known && (colors[t] >= 0 || colors[t] == MPI_UNDEFINED);
        others = others || in_part(m, colors, t);
    }
    const bool served = m->level != MPI_THREAD_FUNNELED || !others || in_part(m, colors, 0);
    return !known ? NO_COLOR : !served ? NO_MAIN : NONE;
}

/* Raises the error that a rank has found, on all ranks. */
static int agree_on_wrong(int wrong, MPI_Comm over, MPI_Comm like, const char *call)
{
    if (strata_agree(&wrong, 1, MPI_INT, MPI_MAX, over) != MPI_SUCCESS) {
        return strata_raise(like, MPI_ERR_OTHER, call, "the ranks could not agree");
    }
    return wrong ? strata_raise(like, wrong < SINGLE ? MPI_ERR_ARG : MPI_ERR_OTHER, call,
                                texts[wrong])
                 : MPI_SUCCESS;
}

static int make(struct strata_process *process, const struct strata_members_order *order,
                struct strata_members **members, const char *call)
{
    struct strata_diagnostic message = {""};
    const int error = strata_members_make(process, order, members, &message);
    return error == STRATA_OK
               ? MPI_SUCCESS
               : strata_raise(order->like, strata_error_class(error), call, message.text);
}

int strata_members_create(MPI_Comm comm, int threads, struct strata_members **members)
{
    struct strata_process *process = strata_process();
    const char *text = process ? strata_communicator_wrong(comm) : "MPI is not running";
    if (text) {
        return strata_raise(MPI_COMM_NULL, process ? MPI_ERR_COMM : MPI_ERR_OTHER, "members_create",
                            text);
    }
    const bool right = threads >= 1 && threads <= STRATA_MOST_THREADS && members;
    const int error = agree_on_wrong(find_wrong(right), comm, comm, "members_create");
    if (error != MPI_SUCCESS) {
        return error;
    }
    struct strata_state *state = strata_state_find(process, comm);
    if (!state) {
        strata_attach_decline(process, comm);
        return strata_raise(comm, MPI_ERR_NO_MEM, "members_create", "out of memory");
    }
    if (!strata_attach_now(process, state)) {
        return strata_raise(comm, MPI_ERR_OTHER, "members_create", state->why);
    }
    const struct strata_members_order order = {
        .base = state->group, .over = state->group->comm, .like = comm, .threads = threads};
    return make(process, &order, members, "members_create");
}

/* A communicator that has the members' error handler: a handle, which has a member's number, if
 * this rank has one. */
static MPI_Comm handled(const struct strata_members *members)
{
    return !members               ? MPI_COMM_NULL
           : members->nparts == 0 ? members->handled
                                  : members->parts[0].all[0]->comm;
}

static int refuse_argument(const struct strata_members *members, const char *call, const char *text)
{
    return strata_raise(handled(members), MPI_ERR_ARG, call, text);
}

/* Makes members of the same threads. */
static int make_again(struct strata_members *members, const int *colors, const int *keys, int wrong,
                      struct strata_members **newer, const char *call)
{
    const struct strata_members_order order = {.base = members->base,
                                               .over = members->comm,
                                               .like = handled(members),
                                               .threads = members->threads,
                                               .of = members,
                                               .colours = colors,
                                               .keys = keys};
    const int error = agree_on_wrong(wrong, order.over, order.like, call);
    return error == MPI_SUCCESS ? make(strata_process(), &order, newer, call) : error;
}

int strata_members_dup(struct strata_members *members, struct strata_members **newer)
{
    if (!strata_process() || !members) {
        return refuse_argument(NULL, "members_dup", "the members are null, or MPI is not running");
    }
    return make_again(members, NULL, NULL, find_wrong(newer), newer, "members_dup");
}

int strata_members_split(struct strata_members *members, const int colors[], const int keys[],
                         struct strata_members **parts)
{
    if (!strata_process() || !members) {
        return refuse_argument(NULL, "members_split",
                               "the members are null, or MPI is not running");
    }
    int wrong = find_wrong(colors && keys && parts);
    wrong = wrong == NONE ? find_wrong_colors(members, colors) : wrong;
    return make_again(members, colors, keys, wrong, parts, "members_split");
}

int strata_members_free(struct strata_members **members)
{
    struct strata_process *process = strata_process();
    if (!members || !process) {
        return strata_raise(MPI_COMM_NULL, MPI_ERR_ARG, "members_free",
                            members ? "MPI is not running" : "the address of members is null");
    }
    strata_members_end(process, *members);
    *members = NULL;
    return MPI_SUCCESS;
}

int strata_members_comm(struct strata_members *members, int thread, MPI_Comm *handle)
{
    if (!members || !handle || thread < 0 || thread >= members->threads) {
        return refuse_argument(members, "members_comm",
                               "the rank has no such thread, or an argument is null");
    }
    *handle = members->all[thread]->comm; /* MPI_COMM_NULL: it is in no part */
    return MPI_SUCCESS;
}

static bool has_joined(const struct strata_joining *j)
{
    int i = 0;
    while (i < j->next && !pthread_equal(j->who[i], pthread_self())) {
        i++;
    }
    return i < j->next;
}

/* The last thread of a round begins the next one. Without the main thread the round is refused. */
static void end_round(struct strata_members *m, struct strata_joining *j)
{
    const uint64_t over = atomic_load_explicit(&j->rounds, memory_order_relaxed) + 1;
    if (m->level == MPI_THREAD_FUNNELED && !atomic_load(&j->main_came)) {
        j->without_main = over;
    }
    j->next = 0;
    atomic_store(&j->main_came, false);
    atomic_store_explicit(&j->rounds, over, memory_order_release);
    strata_thread_bell_ring(&j->bell);
}

/* Takes the next thread in this round, from 1; 0: this thread has joined in it already. */
static uint64_t take_next(struct strata_members *m, MPI_Comm *next)
{
    struct strata_joining *j = &m->joining;
    uint64_t round = 0;
    pthread_mutex_lock(&j->lock);
    if (!has_joined(j)) {
        round = atomic_load_explicit(&j->rounds, memory_order_relaxed) + 1;
        if (pthread_equal(m->main, pthread_self())) {
            atomic_store(&j->main_came, true);
            strata_thread_bell_ring(&j->bell);
        }
        j->who[j->next] = pthread_self();
        *next = m->all[j->next++]->comm;
        if (j->next == m->threads) {
            end_round(m, j);
        }
    }
    pthread_mutex_unlock(&j->lock);
    return round;
}

/* With MPI_THREAD_FUNNELED a thread without the main thread could wait for it for ever, so it goes
 * on when that has joined. Returns whether it has. */
static bool main_joins(struct strata_members *m, uint64_t round)
{
    struct strata_joining *j = &m->joining;
    struct strata_thread_wait wait = {.bell = &j->bell};
    while (atomic_load_explicit(&j->rounds, memory_order_acquire) < round &&
           !atomic_load(&j->main_came)) {
        strata_thread_wait(&wait,
                           "for the main thread, or all others, to join (strata_members_join)");
    }
    return j->without_main != round;
}

int strata_members_join(struct strata_members *members, MPI_Comm *handle)
{
    struct strata_diagnostic message;
    MPI_Comm next = MPI_COMM_NULL;
    const int team = strata_team_of_caller();
    if (!members || !handle) {
        return refuse_argument(members, "members_join", "an argument is null");
    }
    if (members->split) {
        return refuse_argument(members, "members_join",
                               "a thread of split members takes its handle by its number, with "
                               "strata_members_comm");
    }
    if (team > 0 && team != members->threads) {
        (void)strata_fail(&message, STRATA_ERR_ARGUMENT,
                          "the parallel region has %d threads, and the members of this rank are %d",
                          team, members->threads);
        return refuse_argument(members, "members_join", message.text);
    }
    const uint64_t round = take_next(members, &next);
    if (round == 0) {
        return refuse_argument(members, "members_join",
                               "this thread has joined, and others have not");
    }
    if (members->level == MPI_THREAD_FUNNELED && !main_joins(members, round)) {
        return strata_raise(handled(members), MPI_ERR_OTHER, "members_join",
                            "MPI_THREAD_FUNNELED was granted, and the main thread has not joined");
    }
    *handle = next;
    return MPI_SUCCESS;
}

/* The thread of a handle. Raises an error where there is none. */
static const struct strata_thread *find_thread(MPI_Comm handle, const int *result, const char *call)
{
    const struct strata_thread *thread = strata_thread_find(handle);
    if (!thread || !result) {
        strata_raise(thread ? handle : MPI_COMM_NULL, thread ? MPI_ERR_ARG : MPI_ERR_COMM, call,
                     thread ? "the result is null" : "the communicator is no thread's handle");
        return NULL;
    }
    return thread;
}

int strata_members_size(MPI_Comm handle, int *size)
{
    const struct strata_thread *thread = find_thread(handle, size, "members_size");
    if (!thread) {
        return strata_thread_find(handle) ? MPI_ERR_ARG : MPI_ERR_COMM;
    }
    *size = thread->part->total;
    return MPI_SUCCESS;
}

int strata_members_rank(MPI_Comm handle, int *rank)
{
    const struct strata_thread *thread = find_thread(handle, rank, "members_rank");
    if (!thread) {
        return strata_thread_find(handle) ? MPI_ERR_ARG : MPI_ERR_COMM;
    }
    *rank = thread->number;
    return MPI_SUCCESS;
}
