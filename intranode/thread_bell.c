#include "intranode/thread_bell.h"

#include <limits.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

/* No wake-up is lost:
 *
 *     sleeper                          ringer
 *     S1 heard := word |= 1            R1 what is awaited   (release)
 *     S2 fence                         R2 fence
 *     S3 look; if it is not there:     R3 if word is odd:
 *     S4     sleep while word = heard  R4     word += 1
 *                                      R5     wake all
 *
 * The fences are sequentially consistent, so S3 sees R1 or R3 sees S1. In the second case the word
 * changes after S1, then S4 finds it changed or is woken by R5; or it changed before, and then S1
 * has acquired what R4 released, and S3 sees R1. Of two that ring at once one makes the word even.
 */
uint32_t strata_thread_bell_listen(struct strata_thread_bell *bell)
{
    const uint32_t heard = atomic_fetch_or_explicit(&bell->word, 1, memory_order_acq_rel) | 1;
    atomic_thread_fence(memory_order_seq_cst);
    return heard;
}

void strata_thread_bell_sleep(struct strata_thread_bell *bell, uint32_t heard,
                              const struct timespec *time)
{
    (void)syscall(SYS_futex, &bell->word, FUTEX_WAIT_PRIVATE, heard, time, NULL, 0);
}

bool strata_thread_bell_awaited(struct strata_thread_bell *bell)
{
    atomic_thread_fence(memory_order_seq_cst);
    return atomic_load_explicit(&bell->word, memory_order_relaxed) % 2 == 1;
}

void strata_thread_bell_ring(struct strata_thread_bell *bell)
{
    atomic_thread_fence(memory_order_seq_cst);
    uint32_t word = atomic_load_explicit(&bell->word, memory_order_relaxed);
    if (word % 2 == 1 &&
        atomic_compare_exchange_strong_explicit(&bell->word, &word, word + 1, memory_order_acq_rel,
                                                memory_order_relaxed)) {
        (void)syscall(SYS_futex, &bell->word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
    }
}
