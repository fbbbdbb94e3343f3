/* The public calls by which threads share the calls of their rank: one thread makes them, and the
 * others help it (api/process/helping.h). */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "api/life/life.h"
#include "api/process/helping.h"
#include "api/process/thread_wait.h"
#include "core/base/memory.h"
#include "include/strata.h"
#include "intranode/cpus.h"
#include "intranode/team.h"

struct strata_team {
    struct strata_helpers helpers;
    int threads;
    bool needs_main; /* only the main thread may call MPI */
    bool judged;     /* it is known whether the threads have cores; under the lock */
    bool measured;   /* it is known from which length on helping pays */
    pthread_mutex_t lock;
    int came;       /* threads that have entered the next round; under the lock */
    bool main_came; /* `main`, the main thread, is one of them; under the lock */
    pthread_t main;
    pthread_t caller;             /* who makes the calls of the last full round */
    _Atomic uint64_t without;     /* the last round that had no thread for that */
    struct strata_helpers *outer; /* the caller's helpers before it entered */
    /* Rounds for which all threads have come, and rounds that have ended. */
    _Atomic uint64_t full, ended;
    struct strata_thread_bell filled; /* rings for the main thread, which may come early */
    atomic_int inside;                /* threads that may still read this */
};

static int refuse(int code, const char *call, const char *text)
{
    return strata_raise(MPI_COMM_NULL, code, call, text);
}

/* Whether so many threads of each process of the host outnumber its processing units, or those of
 * this process. Then help is a hindrance. */
static bool is_crowded(int threads)
{
    const int here = strata_config_launched_here();
    struct strata_cpus cpus;
    return (strata_cpus_find(&cpus) && strata_cpus_count(&cpus) < threads) ||
           (long)threads * (here > 0 ? here : 1) > sysconf(_SC_NPROCESSORS_ONLN);
}

static void init(struct strata_team *team, int threads)
{
    const size_t told = (size_t)strata_process_here.config.team_bytes;
    strata_helpers_init(&team->helpers, told > 0 ? told : SIZE_MAX);
    pthread_mutex_init(&team->lock, NULL);
    team->threads = threads;
    team->measured = told > 0 || threads == 1;
}

int strata_team_create(int threads, struct strata_team **team)
{
    int level = MPI_THREAD_SINGLE, main = 0;
    struct strata_team *made;
    if (!strata_process()) {
        return refuse(MPI_ERR_OTHER, "team_create", "MPI is not running");
    }
    if (threads < 1 || threads > STRATA_MOST_PIECES || !team) {
        return refuse(MPI_ERR_ARG, "team_create", "threads is not 1 to 1024, or team is null");
    }
    PMPI_Query_thread(&level);
    PMPI_Is_thread_main(&main);
    if (level < MPI_THREAD_SERIALIZED && !main) {
        return refuse(MPI_ERR_OTHER, "team_create",
                      "with MPI_THREAD_SINGLE or MPI_THREAD_FUNNELED the main thread makes teams");
    }
    made = strata_allocate(1, sizeof *made);
    if (!made) {
        return refuse(MPI_ERR_NO_MEM, "team_create", "out of memory");
    }
    init(made, threads);
    made->needs_main = level < MPI_THREAD_SERIALIZED;
    *team = made;
    return MPI_SUCCESS;
}

/* Whether all threads are in the team, and one makes calls. Under the lock. */
static bool is_full(const struct strata_team *t)
{
    return atomic_load_explicit(&t->full, memory_order_relaxed) !=
           atomic_load_explicit(&t->ended, memory_order_relaxed);
}

int strata_team_free(struct strata_team **team)
{
    struct strata_team *t = team ? *team : NULL;
    if (!team || (t && (t->came > 0 || is_full(t)))) {
        return refuse(MPI_ERR_ARG, "team_free",
                      team ? "a thread is in the team" : "the address of the team is null");
    }
    if (t) {
        struct strata_thread_wait wait = {0};
        while (atomic_load_explicit(&t->inside, memory_order_acquire) > 0) {
            strata_thread_wait(&wait, "for the other threads of a team to leave it");
        }
        pthread_mutex_destroy(&t->lock);
    }
    strata_release(t);
    *team = NULL;
    return MPI_SUCCESS;
}

/* Finds whether the threads have cores. A region may have bound them when it began, so this is
 * known when they are in. */
static void judge(struct strata_team *t)
{
    if (!t->judged && is_crowded(t->threads)) {
        t->helpers.way = STRATA_WAIT_SLEEP;
        t->measured = true;
    }
    t->judged = true;
}

/* All have come. The releases pair with await_all and strata_help. */
static void fill(struct strata_team *t, uint64_t round)
{
    const bool refused = t->needs_main && !t->main_came;
    judge(t);
    t->caller = t->main_came ? t->main : pthread_self();
    t->came = 0;
    t->main_came = false;
    if (refused) {
        atomic_store_explicit(&t->without, round, memory_order_relaxed);
        atomic_store_explicit(&t->ended, round, memory_order_release);
        strata_thread_bell_ring(&t->helpers.bell);
    }
    atomic_store_explicit(&t->full, round, memory_order_release);
    strata_thread_bell_ring(&t->filled);
}

/* How a thread has come to a round. */
struct entry {
    uint64_t round; /* 0: the last one has not ended */
    bool calls;     /* it is the thread that makes the calls: the main thread, or the last one */
    bool waits;     /* it waits for the others; else it helps from now on */
    enum strata_wait_way way;
};

/* Before the team is judged nobody knows how to wait as a helper. */
static struct entry come(struct strata_team *t)
{
    struct entry e = {0};
    int main = 0;
    PMPI_Is_thread_main(&main);
    pthread_mutex_lock(&t->lock);
    if (!is_full(t)) {
        e.round = atomic_load_explicit(&t->full, memory_order_relaxed) + 1;
        e.waits = main || !t->judged;
        if (main) {
            t->main_came = true;
            t->main = pthread_self();
        }
        const bool last = ++t->came == t->threads;
        e.calls = main || (last && !t->main_came);
        if (last) {
            fill(t, e.round);
        }
    }
    e.way = t->helpers.way;
    pthread_mutex_unlock(&t->lock);
    return e;
}

static void await_all(struct strata_team *t, uint64_t round, enum strata_wait_way way)
{
    struct strata_thread_wait wait = {.way = way, .bell = &t->filled};
    while (atomic_load_explicit(&t->full, memory_order_acquire) < round) {
        strata_thread_wait(&wait, "for the other threads of a team to enter (strata_team_enter)");
    }
}

/* Begins to make calls. The first time it measures what help brings. */
static void begin_calls(struct strata_team *t)
{
    if (!t->measured) {
        t->helpers.least_bytes = strata_helpers_measure(&t->helpers, t->threads).least_bytes;
        t->measured = true;
    }
    t->outer = strata_helpers_here;
    strata_helpers_here = &t->helpers;
}

/* The last that a thread does with a team; pairs with the acquire in strata_team_free. */
static void go_out(struct strata_team *t)
{
    atomic_fetch_sub_explicit(&t->inside, 1, memory_order_release);
}

static int refuse_entry(const char *text)
{
    return refuse(MPI_ERR_ARG, "team_enter", text);
}

int strata_team_enter(struct strata_team *team, int *calls)
{
    const int region = strata_team_of_caller();
    struct strata_diagnostic message;
    if (!team || !calls) {
        return refuse_entry("an argument is null");
    }
    if (region > 0 && region != team->threads) {
        (void)strata_fail(&message, STRATA_ERR_ARGUMENT,
                          "the parallel region has %d threads, and the team %d", region,
                          team->threads);
        return refuse_entry(message.text);
    }
    atomic_fetch_add_explicit(&team->inside, 1, memory_order_relaxed);
    const struct entry e = come(team);
    if (e.round == 0) {
        go_out(team);
        return refuse_entry("all threads of the team are in it already");
    }
    if (e.waits) {
        await_all(team, e.round, e.way);
    }
    if (!e.calls) { /* the team is judged, so the way does not change any more */
        strata_help(&team->helpers, team->helpers.way, &team->ended, e.round,
                    "for the thread that makes a team's calls to leave (strata_team_leave)");
    }
    if (atomic_load_explicit(&team->without, memory_order_relaxed) == e.round) {
        go_out(team);
        return e.calls ? refuse(MPI_ERR_OTHER, "team_enter",
                                "only the main thread may call MPI, and it is not in the team")
                       : MPI_ERR_OTHER;
    }
    *calls = e.calls;
    if (e.calls) {
        begin_calls(team);
    } else {
        go_out(team);
    }
    return MPI_SUCCESS;
}

int strata_team_leave(struct strata_team *team)
{
    if (!team || !is_full(team) || !pthread_equal(team->caller, pthread_self())) {
        return refuse(MPI_ERR_ARG, "team_leave",
                      team ? "this thread does not make the team's calls" : "the team is null");
    }
    if (strata_helpers_here != &team->helpers) {
        return refuse(MPI_ERR_ARG, "team_leave",
                      "this thread entered another team later, and must leave that first");
    }
    strata_helpers_here = team->outer;
    atomic_store_explicit(&team->ended, atomic_load_explicit(&team->full, memory_order_relaxed),
                          memory_order_release);
    strata_thread_bell_ring(&team->helpers.bell);
    go_out(team);
    return MPI_SUCCESS;
}
