#include "api/process/by_mpi.h"

#include <mpi.h>
#include <pthread.h>
#include <stddef.h>

#include "api/process/thread_wait.h"
#include "core/base/memory.h"

atomic_int strata_mpi_guard = -1;

/* Written before strata_mpi_guard, and never again. */
static pthread_t main_thread;
static pthread_mutex_t lock;

/* Lies on the stack of the thread that waits for it, or on the heap if none waits. */
struct errand {
    struct errand *next;
    strata_mpi_work *work;
    void *argument;
    int result;
    bool left; /* no thread waits */
    atomic_bool done;
};

/* The errands that wait, the last one first. */
static _Atomic(struct errand *) errands;

/* Rings when errands are done. */
static struct strata_thread_bell done_bell;
struct strata_thread_bell strata_mpi_bell;

/* The bell of a flag on which the main thread sleeps, or NULL. The bell may go when it has got up,
 * so others count it up under the lock. */
static _Atomic(struct strata_bell *) main_sleeps_on;
static pthread_mutex_t sleep_lock = PTHREAD_MUTEX_INITIALIZER;

static void begin(void)
{
    pthread_mutexattr_t again; /* work may raise an error, which is work for MPI, too */
    main_thread = pthread_self();
    pthread_mutexattr_init(&again);
    pthread_mutexattr_settype(&again, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &again);
    pthread_mutexattr_destroy(&again);
}

void strata_mpi_guard_begin(int level)
{
    if (!strata_mpi_guarded()) {
        begin();
        atomic_store_explicit(&strata_mpi_guard, level, memory_order_release);
    }
}

/* The acquire pairs with strata_mpi_guard_begin. */
bool strata_mpi_funnels(void)
{
    return atomic_load_explicit(&strata_mpi_guard, memory_order_acquire) == MPI_THREAD_FUNNELED;
}

bool strata_mpi_runs_errands(void)
{
    return strata_mpi_funnels() && pthread_equal(pthread_self(), main_thread);
}

bool strata_mpi_leaves(void)
{
    return strata_mpi_funnels() && !pthread_equal(pthread_self(), main_thread);
}

static void sleep_on(struct strata_bell *flags)
{
    pthread_mutex_lock(&sleep_lock);
    atomic_store_explicit(&main_sleeps_on, flags, memory_order_relaxed);
    pthread_mutex_unlock(&sleep_lock);
}

/* The fence pairs with that of strata_mpi_wake: the main thread sees the errand, or the other one
 * sees where it sleeps. */
static bool lie_down(struct strata_bell *flags)
{
    if (flags && strata_mpi_runs_errands()) {
        sleep_on(flags);
    }
    atomic_thread_fence(memory_order_seq_cst);
    return !atomic_load_explicit(&errands, memory_order_relaxed);
}

/* Another thread may have the waiter of a handle by which the main thread called before. */
static void get_up(void)
{
    if (atomic_load_explicit(&main_sleeps_on, memory_order_relaxed) && strata_mpi_runs_errands()) {
        sleep_on(NULL);
    }
}

const struct strata_wait_wanted *strata_mpi_wanted(void)
{
    static const struct strata_wait_wanted main = {&strata_mpi_bell, lie_down, get_up};
    return strata_mpi_runs_errands() ? &main : NULL;
}

static struct strata_bell *count_up(void)
{
    pthread_mutex_lock(&sleep_lock);
    struct strata_bell *bell = atomic_load_explicit(&main_sleeps_on, memory_order_relaxed);
    if (bell) {
        atomic_fetch_add_explicit(&bell->rung, 1, memory_order_release);
    }
    pthread_mutex_unlock(&sleep_lock);
    return bell;
}

/* The main thread sleeps on its own bell, on that of a flag, or not at all. */
void strata_mpi_wake(void)
{
    strata_thread_bell_ring(&strata_mpi_bell); /* begins with a fence */
    if (atomic_load_explicit(&main_sleeps_on, memory_order_relaxed)) {
        struct strata_bell *bell = count_up();
        if (bell) {
            strata_wait_rung(bell);
        }
    }
}

/* The release and the acquire of `errands` pair: the main thread sees what the other thread wrote
 * before. Those of `done` pair in the other direction. */
static void hand_over(struct errand *e)
{
    e->next = atomic_load_explicit(&errands, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&errands, &e->next, e, memory_order_release,
                                                  memory_order_relaxed)) {
    }
    strata_mpi_wake();
}

static int send_errand(strata_mpi_work *work, void *argument)
{
    struct errand mine = {.work = work, .argument = argument};
    struct strata_thread_wait wait = {.bell = &done_bell};
    hand_over(&mine);
    while (!atomic_load_explicit(&mine.done, memory_order_acquire)) {
        strata_thread_wait(&wait, "for the main thread, which calls MPI for it "
                                  "(MPI_THREAD_FUNNELED), to come to a call of the same members");
    }
    return mine.result;
}

static void run(struct errand *e)
{
    while (e) {
        struct errand *next = e->next; /* when an errand is done, it is gone */
        e->result = e->work(e->argument);
        if (e->left) {
            strata_release(e);
        } else {
            atomic_store_explicit(&e->done, true, memory_order_release);
        }
        e = next;
    }
}

/* No errand waits for another thread, so one ring serves all. */
void strata_mpi_run_errands(void)
{
    if (atomic_load_explicit(&errands, memory_order_relaxed)) {
        run(atomic_exchange_explicit(&errands, NULL, memory_order_acquire));
        strata_thread_bell_ring(&done_bell);
    }
}

static int take_turn(strata_mpi_work *work, void *argument)
{
    pthread_mutex_lock(&lock);
    const int result = work(argument);
    pthread_mutex_unlock(&lock);
    return result;
}

int strata_by_mpi_at_once(strata_mpi_work *work, void *argument)
{
    int result = 0;
    if (!strata_mpi_guarded() || strata_mpi_runs_errands()) {
        return work(argument);
    }
    if (!strata_mpi_funnels() && pthread_mutex_trylock(&lock) == 0) {
        result = work(argument);
        pthread_mutex_unlock(&lock);
    }
    return result;
}

int strata_by_mpi_guarded(strata_mpi_work *work, void *argument)
{
    if (!strata_mpi_funnels()) {
        return take_turn(work, argument);
    }
    return strata_mpi_runs_errands() ? work(argument) : send_errand(work, argument);
}

void strata_by_mpi_later(strata_mpi_work *work, void *argument)
{
    const bool hands_over =
        strata_mpi_guarded() && strata_mpi_funnels() && !strata_mpi_runs_errands();
    struct errand *e = hands_over ? strata_allocate(1, sizeof *e) : NULL;
    if (e) {
        e->work = work;
        e->argument = argument;
        e->left = true;
        hand_over(e);
    } else {
        (void)strata_by_mpi(work, argument);
    }
}
