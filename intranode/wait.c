#include "intranode/wait.h"

#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

const struct strata_wait_figures strata_wait_usual = {
    .polls = 64,
    .spins = 64,
    .flag_yields = 4,
    .message_yields = 16,
    .progress_every = 4,
    .bell_least = 50,
    .bell_most = 1000,
    .nap_least = 5,
    .nap_most = 50,
};

/* Only sleep hands a core over. */
const struct strata_wait_figures strata_wait_grouped = {
    .polls = 64,
    .spins = 64,
    .flag_yields = 1,
    .message_yields = 1,
    .progress_every = 4,
    .bell_least = 50,
    .bell_most = 1000,
    .nap_least = 5,
    .nap_most = 50,
};

static void pause_core(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* The n-th sleep, n = 0, 1, ... */
static struct timespec sleep_time(unsigned n, unsigned least, unsigned most)
{
    long microseconds = n < 8 ? (long)least << n : (long)most;
    microseconds = microseconds < (long)most ? microseconds : (long)most;
    return (struct timespec){.tv_sec = microseconds / 1000000,
                             .tv_nsec = microseconds % 1000000 * 1000};
}

/* Somebody's rendezvous may depend on this rank. An error is kept by the transport and comes back
 * when the engine waits for messages. */
static void progress(const struct strata_execution *x)
{
    int open;
    if (x->transport) {
        (void)x->transport->test(x->transport_self, STRATA_DIRECT_TRAFFIC, &open);
    }
}

/* The flag may live in a shared window, so the futex is not a private one. */
static void futex(_Atomic uint32_t *word, int operation, uint32_t value, struct timespec *time)
{
    syscall(SYS_futex, word, operation, value, time, NULL, 0);
}

/* Sleeping and waking, without a lost wake-up:
 *
 *     sleeper                        writer
 *     S1 sleepers += 1               W1 value := v        (release, strata_node_memory_signal)
 *     S2 b := bell                   W2 fence
 *     S3 fence                       W3 if sleepers > 0:
 *     S4 if value < v:               W4     bell += 1
 *     S5     sleep while bell = b    W5     wake whoever sleeps on the bell
 *
 * The fences are sequentially consistent, so S4 sees W1 or W3 sees S1. In the second case the bell
 * either rings after S2, then S5 finds it changed or is woken by W5; or before, and then S2 has
 * acquired what W4 released, and S4 sees W1. The bell is not the value, whose writer would have to
 * wake for every step, and which has 64 bits where a futex has 32. The time-out is there for MPI's
 * progress alone. */
static void sleep_on_bell(struct strata_flag *flag, uint64_t value, struct timespec time)
{
    atomic_fetch_add_explicit(&flag->sleepers, 1, memory_order_seq_cst);
    uint32_t bell = atomic_load_explicit(&flag->bell, memory_order_acquire);
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&flag->value, memory_order_acquire) < value) {
        futex(&flag->bell, FUTEX_WAIT, bell, &time);
    }
    atomic_fetch_sub_explicit(&flag->sleepers, 1, memory_order_release);
}

void strata_wait_wake(struct strata_node_memory *memory)
{
    struct strata_flag *flag = &memory->flags[memory->me];
    atomic_thread_fence(memory_order_seq_cst);
    if (atomic_load_explicit(&flag->sleepers, memory_order_relaxed) == 0) {
        return;
    }
    atomic_fetch_add_explicit(&flag->bell, 1, memory_order_release);
    futex(&flag->bell, FUTEX_WAKE, INT_MAX, NULL);
}

/* One attempt of a member that has a core of its own. */
static void spin_for_flag(const struct strata_waiter *waiter, const struct strata_execution *x)
{
    for (unsigned i = 0; i < waiter->figures->polls; i++) {
        if (strata_node_memory_reached(x->memory, x->pending_member, x->pending_value)) {
            return;
        }
        pause_core();
    }
    progress(x);
    if (waiter->attempt > waiter->figures->spins) {
        sched_yield();
    }
}

/* One attempt where members outnumber cores: handing the core over is the cheapest way to let the
 * flag's writer run, as long as somebody has work; then sleep. */
static void yield_for_flag(const struct strata_waiter *waiter, const struct strata_execution *x)
{
    const struct strata_wait_figures *f = waiter->figures;
    bool sleepy = waiter->attempt > f->flag_yields;
    if (sleepy || waiter->attempt % f->progress_every == 0) {
        progress(x);
    }
    if (sleepy) {
        struct timespec time =
            sleep_time(waiter->attempt - f->flag_yields - 1, f->bell_least, f->bell_most);
        sleep_on_bell(&x->memory->flags[x->pending_member], x->pending_value, time);
    } else {
        sched_yield();
    }
}

/* One attempt between two tests, which the engine does. */
static void wait_for_messages(const struct strata_waiter *waiter)
{
    const struct strata_wait_figures *f = waiter->figures;
    if (!waiter->crowded && waiter->attempt <= f->spins) {
        pause_core();
    } else if (!waiter->crowded || waiter->attempt <= f->message_yields) {
        sched_yield();
    } else {
        struct timespec time =
            sleep_time(waiter->attempt - f->message_yields - 1, f->nap_least, f->nap_most);
        nanosleep(&time, NULL);
    }
}

void strata_wait_between_tests(struct strata_waiter *waiter)
{
    waiter->figures = waiter->figures ? waiter->figures : &strata_wait_usual;
    waiter->attempt++;
    wait_for_messages(waiter);
}

static void wait_once(const struct strata_waiter *waiter, const struct strata_execution *x)
{
    if (x->pending_member < 0) {
        wait_for_messages(waiter);
    } else if (waiter->crowded) {
        yield_for_flag(waiter, x);
    } else {
        spin_for_flag(waiter, x);
    }
}

/* Where an execution waits: when that changes, something moved. */
struct place {
    int at, counter, member;
    uint64_t value;
};

static struct place place_of(const struct strata_execution *x)
{
    const struct strata_cursor *c = &x->cursor;
    return (struct place){c->at, c->depth > 0 ? c->counter[c->depth - 1] : 0, x->pending_member,
                          x->pending_member < 0 ? 0 : x->pending_value};
}

static bool same_place(struct place a, struct place b)
{
    return a.at == b.at && a.counter == b.counter && a.member == b.member && a.value == b.value;
}

int strata_wait_run(struct strata_waiter *waiter, struct strata_execution *x)
{
    struct place last = {.at = -1};
    int status;
    waiter->figures = waiter->figures ? waiter->figures : &strata_wait_usual;
    while ((status = strata_engine_advance(x)) == STRATA_PENDING) {
        struct place now = place_of(x);
        waiter->attempt = same_place(now, last) ? waiter->attempt + 1 : 1;
        last = now;
        wait_once(waiter, x);
    }
    return status;
}
