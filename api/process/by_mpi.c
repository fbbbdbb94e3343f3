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

/* The release and the acquire of `errands` pair: the main thread sees what the other thread wrote
 * before. Those of `done` pair in the other direction. */
static void hand_over(struct errand *e)
{
    e->next = atomic_load_explicit(&errands, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&errands, &e->next, e, memory_order_release,
                                                  memory_order_relaxed)) {
    }
}

static int send_errand(strata_mpi_work *work, void *argument)
{
    struct errand mine = {.work = work, .argument = argument};
    struct strata_thread_wait wait = {0};
    hand_over(&mine);
    while (!atomic_load_explicit(&mine.done, memory_order_acquire)) {
        strata_thread_wait(&wait, "for the main thread, which calls MPI for it "
                                  "(MPI_THREAD_FUNNELED), to come to a call of the same members");
    }
    return mine.result;
}

void strata_mpi_run_errands(void)
{
    struct errand *e = NULL;
    if (atomic_load_explicit(&errands, memory_order_relaxed)) {
        e = atomic_exchange_explicit(&errands, NULL, memory_order_acquire);
    }
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
