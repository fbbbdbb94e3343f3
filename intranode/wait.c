#include "intranode/wait.h"

#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* How long each way of waiting is tried before the next one. An attempt is one look by the engine;
 * docs/waiting.md has the measurements behind these numbers. */
#ifndef STRATA_WAIT_FIGURES
enum {
    POLLS = 64,           /* looks at a flag in one attempt of a member that has a core */
    SPINS = 64,           /* such attempts before it gives its core away between attempts */
    FLAG_YIELDS = 64,     /* crowded: hand-overs before a member sleeps on the bell */
    MESSAGE_YIELDS = 256, /* hand-overs before a rank sleeps between tests */
    PROGRESS_EVERY = 4,   /* crowded: attempts between two rounds of MPI's progress */
    BELL_LEAST = 50,      /* us; a sleep on the bell grows from here */
    BELL_MOST = 1000,
    NAP_LEAST = 20, /* us; a sleep between tests, which no message ends */
    NAP_MOST = 100
};
#endif

static void pause_core(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* The sleep of the n-th try: doubles from least to most, in microseconds. */
static struct timespec sleep_time(unsigned n, long least, long most)
{
    long microseconds = n < 8 ? least << n : most;
    microseconds = microseconds < most ? microseconds : most;
    return (struct timespec){.tv_nsec = 1000 * microseconds};
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
 *     S1 sleepers += 1               W1 value := v        (release, strata_segment_signal)
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

void strata_wait_wake(struct strata_segment *segment)
{
    struct strata_flag *flag = &segment->flags[segment->me];
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
    for (int i = 0; i < POLLS; i++) {
        if (strata_segment_reached(x->segment, x->pending_member, x->pending_value)) {
            return;
        }
        pause_core();
    }
    progress(x);
    if (waiter->attempt > SPINS) {
        sched_yield();
    }
}

/* One attempt where members outnumber cores: handing the core over is the cheapest way to let the
 * flag's writer run, as long as somebody has work; then sleep. */
static void yield_for_flag(const struct strata_waiter *waiter, const struct strata_execution *x)
{
    struct strata_flag *flag = &x->segment->flags[x->pending_member];
    if (waiter->attempt % PROGRESS_EVERY == 0 || waiter->attempt > FLAG_YIELDS) {
        progress(x);
    }
    if (waiter->attempt <= FLAG_YIELDS) {
        sched_yield();
    } else {
        unsigned sleeps = waiter->attempt - FLAG_YIELDS - 1;
        sleep_on_bell(flag, x->pending_value, sleep_time(sleeps, BELL_LEAST, BELL_MOST));
    }
}

/* One attempt between two tests; the engine tests by itself. */
static void wait_for_messages(const struct strata_waiter *waiter)
{
    unsigned patience = waiter->crowded ? MESSAGE_YIELDS : SPINS * POLLS;
    if (!waiter->crowded && waiter->attempt <= SPINS) {
        pause_core();
    } else if (waiter->attempt <= patience) {
        sched_yield();
    } else {
        struct timespec time = sleep_time(waiter->attempt - patience - 1, NAP_LEAST, NAP_MOST);
        nanosleep(&time, NULL);
    }
}

static void wait_once(struct strata_waiter *waiter, const struct strata_execution *x)
{
    waiter->attempt++;
    if (x->pending_member < 0) {
        wait_for_messages(waiter);
    } else if (waiter->crowded) {
        yield_for_flag(waiter, x);
    } else {
        spin_for_flag(waiter, x);
    }
}

int strata_wait_run(struct strata_waiter *waiter, struct strata_execution *x)
{
    int at = -1, member = -1;
    int status;
    waiter->attempt = 0;
    while ((status = strata_engine_advance(x)) == STRATA_PENDING) {
        if (x->cursor.at != at || x->pending_member != member) {
            waiter->attempt = 0; /* something moved */
        }
        at = x->cursor.at;
        member = x->pending_member;
        wait_once(waiter, x);
    }
    return status;
}
