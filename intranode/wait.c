#include "intranode/wait.h"

#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

const struct strata_wait_parameters strata_wait_usual = {
    .polls = 64,
    .spins = 64,
    .flag_yields = 16,
    .long_yield = 3000,
    .spare_least = 16,
    .spare_most = 256,
    .message_looks = 16,
    .message_yields = 1000,
    .bell_first = 1000,
    .bell_least = 50,
    .bell_most = 1000,
    .nap_least = 5,
    .nap_most = 1000,
};

#define GROUPED(yields)                                                                            \
    {                                                                                              \
        .polls = 64, .spins = 64, .flag_yields = (yields), .long_yield = 3000, .spare_least = 16,  \
        .spare_most = 256, .message_looks = 1, .message_yields = 16, .bell_first = 1000,           \
        .bell_least = 50, .bell_most = 1000, .nap_least = 5, .nap_most = 50,                       \
    }

/* A rank that yields does not get the core back soon. A thread's yield reaches the other threads of
 * its process, for they are in one session. */
const struct strata_wait_parameters strata_wait_grouped = GROUPED(0);
static const struct strata_wait_parameters threads_grouped = GROUPED(4);

STRATA_EACH_THREAD struct strata_wait_tally *strata_wait_tally;

static bool awaits_leader(const struct strata_execution *x)
{
    return strata_stamp_signal(x->pending_stamp) == STRATA_SIGNAL_DONE;
}

const char *const strata_wait_words[STRATA_WAIT_WAYS] = {"spin", "yield", "sleep"};

enum strata_wait_way strata_wait_told(const char *word)
{
    enum strata_wait_way way = STRATA_WAIT_SPIN;
    while (way < STRATA_WAIT_WAYS && strcmp(word, strata_wait_words[way]) != 0) {
        way++;
    }
    return way;
}

struct strata_waiter strata_waiter_of(enum strata_wait_way way)
{
    return (struct strata_waiter){
        .crowded = way != STRATA_WAIT_SPIN,
        .parameters = way == STRATA_WAIT_SLEEP ? &strata_wait_grouped : &strata_wait_usual,
    };
}

struct strata_waiter strata_waiter_of_thread(enum strata_wait_way way)
{
    struct strata_waiter waiter = strata_waiter_of(way);
    waiter.parameters = way == STRATA_WAIT_SLEEP ? &threads_grouped : waiter.parameters;
    return waiter;
}

static uint64_t nanoseconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void add_time(struct strata_wait_tally *tally, const struct strata_execution *x,
                     enum strata_wait_part part)
{
    enum strata_wait_for reason = x->pending_member < 0 ? STRATA_WAIT_MESSAGES
                                  : awaits_leader(x)    ? STRATA_WAIT_LEADER
                                                        : STRATA_WAIT_MEMBER;
    struct strata_wait_sum *sum = &tally->sum[reason][part];
    double time = 1e-9 * (double)nanoseconds();
    sum->times++;
    sum->seconds += time - tally->last;
    tally->last = time;
}

/* The time since the last such note went to this part. */
static inline void note(const struct strata_execution *x, enum strata_wait_part part)
{
    if (strata_wait_tally) {
        add_time(strata_wait_tally, x, part);
    }
}

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

/* Another rank's rendezvous may depend on this one. The transport keeps an error and returns it
 * when the engine waits for messages. */
static void progress(const struct strata_execution *x)
{
    int open;
    if (x->transport) {
        (void)x->transport->test(x->transport_self, STRATA_DIRECT_TRAFFIC, &open);
        note(x, STRATA_WAIT_PROGRESS);
    }
}

/* A bell may live in a shared window, so the futex is not a private one. */
static bool futex(_Atomic uint32_t *word, int operation, uint32_t value, struct timespec *time)
{
    return syscall(SYS_futex, word, operation, value, time, NULL, 0) == 0;
}

/* Sleeping and waking, without a lost wake-up; bell is that of the signal that is waited for:
 *
 *     sleeper                        writer
 *     S1 bell.sleepers += 1          W1 stamp := m       (release, strata_ring_publish)
 *     S2 b := bell.rung              W2 fence
 *     S3 fence                       W3 if bell.sleepers > 0:
 *     S4 if stamp < m:              W4     bell.rung += 1
 *     S5     sleep while rung = b    W5     wake whoever sleeps on it
 *
 * The fences are sequentially consistent, so S4 sees W1 or W3 sees S1. In the second case the bell
 * either rings after S2, then S5 finds it changed or is woken by W5; or before, and then S2 has
 * acquired what W4 released, and S4 sees W1. The bell is not the stamp, whose writer would have to
 * wake for every step, and which has 64 bits where a futex has 32. The time-out is there for MPI's
 * progress alone. A thread that others want lies down between S3 and S5. Who wants it afterwards
 * does W4 and W5, too. */
static void sleep_on_bell(const struct strata_execution *x, const struct strata_wait_wanted *wanted,
                          struct timespec time)
{
    struct strata_member *member = &x->ring->member[x->pending_member];
    struct strata_bell *bell = &member->bell[strata_stamp_signal(x->pending_stamp)];
    bool woken = false;
    atomic_fetch_add_explicit(&bell->sleepers, 1, memory_order_seq_cst);
    uint32_t rung = atomic_load_explicit(&bell->rung, memory_order_acquire);
    atomic_thread_fence(memory_order_seq_cst);
    if (!strata_engine_come(x) && (!wanted || wanted->lie_down(bell))) {
        woken = futex(&bell->rung, FUTEX_WAIT, rung, &time);
    }
    atomic_fetch_sub_explicit(&bell->sleepers, 1, memory_order_release);
    if (wanted) {
        wanted->get_up();
    }
    if (strata_wait_tally && woken && strata_engine_come(x)) { /* not by who wants it for work */
        uint64_t at = atomic_load_explicit(&member->rung_at, memory_order_relaxed);
        strata_wait_tally->woken.times++;
        strata_wait_tally->woken.seconds += 1e-9 * (double)(nanoseconds() - at);
    }
}

void strata_wait_rung(struct strata_bell *bell)
{
    futex(&bell->rung, FUTEX_WAKE, INT_MAX, NULL);
}

/* A later signal says the earlier ones, too; and failure all of them. */
void strata_wait_wake(struct strata_ring *ring, uint64_t stamp)
{
    unsigned signal = strata_stamp_signal(stamp);
    const unsigned last = signal < STRATA_SIGNALS ? signal : STRATA_SIGNALS - 1;
    atomic_thread_fence(memory_order_seq_cst);
    for (signal = signal > 0 ? STRATA_SIGNAL_ARRIVED : 0; signal <= last; signal++) {
        struct strata_bell *bell = &ring->member[ring->me].bell[signal];
        if (atomic_load_explicit(&bell->sleepers, memory_order_relaxed) > 0) {
            atomic_store_explicit(&ring->member[ring->me].rung_at, nanoseconds(),
                                  memory_order_relaxed);
            atomic_fetch_add_explicit(&bell->rung, 1, memory_order_release);
            strata_wait_rung(bell);
        }
    }
}

/* One attempt of a member that has a core of its own. In the first one it looks as often without
 * pauses before, for a pause takes a quarter of the time of most waits. */
static void spin_for_flag(const struct strata_waiter *waiter, const struct strata_execution *x)
{
    const unsigned polls = waiter->parameters->polls;
    const unsigned at_once = waiter->attempt > 1 ? 0 : polls;
    for (unsigned i = 0; i < polls + at_once; i++) {
        if (strata_engine_come(x)) {
            return;
        }
        if (i >= at_once) {
            pause_core();
        }
    }
    note(x, STRATA_WAIT_LOOK);
    progress(x);
    if (waiter->attempt > waiter->parameters->spins) {
        sched_yield();
        note(x, STRATA_WAIT_YIELDED);
    }
}

/* Another program, or a rank that spins, may have got the core and kept it. So the next waits do
 * without yields; the more of them, the more often that happens. */
static void yield_for_flag(struct strata_waiter *waiter)
{
    const struct strata_wait_parameters *f = waiter->parameters;
    const uint64_t begin = nanoseconds();
    sched_yield();
    waiter->yielded++;
    if (nanoseconds() - begin > (uint64_t)f->long_yield * 1000) {
        waiter->spare = waiter->spare < f->spare_least ? f->spare_least : 2 * waiter->spare;
        waiter->spare = waiter->spare < f->spare_most ? waiter->spare : f->spare_most;
        waiter->spared = waiter->spare;
    } else if (waiter->spare > 0) {
        waiter->spare--;
    }
}

static bool yields_for_flag(struct strata_waiter *waiter)
{
    if (waiter->attempt == 1) {
        waiter->yielded = 0;
        waiter->spared -= waiter->spared > 0;
    }
    return waiter->spared == 0 && waiter->yielded < waiter->parameters->flag_yields;
}

/* One attempt where members outnumber cores. Most waits are short, so handing the core over is the
 * cheapest way to let the flag's writer run. A sleep that ends without a ring shows that the call
 * takes long, perhaps because of another rank's rendezvous: from then on MPI makes progress between
 * sleeps. */
static void sleep_for_flag(struct strata_waiter *waiter, const struct strata_execution *x)
{
    const struct strata_wait_parameters *f = waiter->parameters;
    if (yields_for_flag(waiter)) {
        yield_for_flag(waiter);
        note(x, STRATA_WAIT_YIELDED);
        return;
    }
    unsigned slept = waiter->attempt - waiter->yielded; /* from 1: this is that sleep */
    struct timespec time = sleep_time(0, f->bell_first, f->bell_first);
    if (slept > 1) {
        progress(x);
        time = sleep_time(slept - 2, f->bell_least, f->bell_most);
    }
    sleep_on_bell(x, waiter->wanted, time);
    note(x, STRATA_WAIT_SLEPT);
}

/* A sleep that no message ends, but others that want the thread. */
static void nap(const struct strata_wait_wanted *wanted, struct timespec time)
{
    if (!wanted) {
        nanosleep(&time, NULL);
        return;
    }
    const uint32_t heard = strata_thread_bell_listen(wanted->bell);
    if (wanted->lie_down(NULL)) {
        strata_thread_bell_sleep(wanted->bell, heard, &time);
    }
    wanted->get_up();
}

/* One attempt between two tests, which the engine does. Most of them go to the next test at once:
 * where ranks are crowded MPI yields in its tests, and a second yield would give away a second
 * turn. */
static enum strata_wait_part wait_for_messages(const struct strata_waiter *waiter)
{
    const struct strata_wait_parameters *f = waiter->parameters;
    const unsigned looks = f->message_looks * f->message_yields;
    if (!waiter->crowded && waiter->attempt <= f->spins) {
        pause_core();
        return STRATA_WAIT_LOOK;
    }
    if (waiter->crowded && waiter->attempt > looks) {
        nap(waiter->wanted, sleep_time(waiter->attempt - looks - 1, f->nap_least, f->nap_most));
        return STRATA_WAIT_NAPPED;
    }
    if (waiter->crowded && waiter->attempt % f->message_looks != 0) {
        return STRATA_WAIT_LOOK;
    }
    sched_yield();
    return STRATA_WAIT_YIELDED;
}

/* Not at once: most waits are short. */
static void move_others(const struct strata_waiter *waiter)
{
    if (waiter->attempt > 1 && waiter->beside) {
        waiter->beside();
    }
}

void strata_wait_between_tests(struct strata_waiter *waiter)
{
    waiter->parameters = waiter->parameters ? waiter->parameters : &strata_wait_usual;
    waiter->attempt++;
    move_others(waiter);
    (void)wait_for_messages(waiter);
}

/* A thread that has nothing else to look after is woken by a ring. It wakes up by itself now and
 * then to say that it has waited long. */
static struct timespec thread_sleep(const struct strata_waiter *waiter, bool moves)
{
    const struct strata_wait_parameters *f = waiter->parameters;
    const unsigned slept = (waiter->attempt - waiter->yielded) / 2; /* it listens between sleeps */
    return moves ? sleep_time(slept, f->bell_least, f->bell_most)
                 : sleep_time(slept, f->bell_most, f->bell_most << 7);
}

void strata_wait_for_ring(struct strata_waiter *waiter, struct strata_thread_bell *bell, bool moves)
{
    waiter->parameters = waiter->parameters ? waiter->parameters : &strata_wait_usual;
    waiter->attempt++;
    if (!waiter->crowded) {
        (void)wait_for_messages(waiter);
    } else if (yields_for_flag(waiter)) {
        yield_for_flag(waiter);
    } else if (waiter->heard == 0) {
        waiter->heard = strata_thread_bell_listen(bell);
    } else {
        const struct timespec time = thread_sleep(waiter, moves);
        strata_thread_bell_sleep(bell, waiter->heard, &time);
        waiter->heard = 0;
    }
}

static void wait_once(struct strata_waiter *waiter, const struct strata_execution *x)
{
    move_others(waiter);
    if (waiter->still && waiter->attempt % STRATA_WAIT_STILL == 0) {
        waiter->still(x, waiter->attempt);
    }
    if (x->pending_member < 0) {
        note(x, wait_for_messages(waiter));
    } else if (waiter->crowded) {
        sleep_for_flag(waiter, x);
    } else {
        spin_for_flag(waiter, x);
    }
}

/* The messages of a rank that is out of step, and those that depend on them, do not come. */
static bool waits_in_vain(const struct strata_waiter *waiter, const struct strata_execution *x)
{
    return (waiter->peers && strata_node_memory_broken(waiter->peers)) ||
           (x->transport->lost && x->transport->lost(x->transport_self));
}

/* From where it is pending to its end; a function of its own, for many calls come here seldom. */
static __attribute__((noinline)) int wait_on(struct strata_waiter *waiter,
                                             struct strata_execution *x, int status)
{
    struct strata_still still = {.at = -1};
    waiter->parameters = waiter->parameters ? waiter->parameters : &strata_wait_usual;
    while (status == STRATA_PENDING && !(waiter->ends && waiter->ends())) {
        bool long_since = strata_still(&still, x);
        waiter->attempt = still.attempts;
        if (long_since && waits_in_vain(waiter, x)) {
            return strata_engine_give_up(x, STRATA_ERR_TRANSPORT);
        }
        if (long_since && strata_still_differs(&still, x)) {
            return strata_engine_give_up(x, STRATA_ERR_TRUNCATE);
        }
        note(x, waiter->attempt == 1 ? STRATA_WAIT_WORK : STRATA_WAIT_TEST);
        wait_once(waiter, x);
        status = strata_engine_advance(x);
    }
    note(x, STRATA_WAIT_WORK);
    return status;
}

int strata_wait_run(struct strata_waiter *waiter, struct strata_execution *x)
{
    int status = strata_engine_advance(x);
    return status == STRATA_PENDING || strata_wait_tally ? wait_on(waiter, x, status) : status;
}

int strata_wait_call(struct strata_waiter *waiter, struct strata_execution *x)
{
    int status = strata_engine_begin(x);
    return status == STRATA_PENDING || strata_wait_tally ? wait_on(waiter, x, status) : status;
}
