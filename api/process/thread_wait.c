#include "api/process/thread_wait.h"

#include <stdatomic.h>
#include <stdio.h>

#include "api/process/process.h"

static atomic_int threads_way = STRATA_WAIT_SPIN;

void strata_thread_wait_so(enum strata_wait_way way)
{
    int now = atomic_load_explicit(&threads_way, memory_order_relaxed);
    while (now < (int)way &&
           !atomic_compare_exchange_weak_explicit(&threads_way, &now, (int)way,
                                                  memory_order_relaxed, memory_order_relaxed)) {
    }
}

bool strata_threads_share_cores(void)
{
    return atomic_load_explicit(&threads_way, memory_order_relaxed) != STRATA_WAIT_SPIN;
}

static void begin(struct strata_thread_wait *wait)
{
    const int way = atomic_load_explicit(&threads_way, memory_order_relaxed);
    wait->waiter =
        strata_waiter_of_thread(way > (int)wait->way ? (enum strata_wait_way)way : wait->way);
    wait->waiter.wanted = wait->wanted;
}

void strata_thread_wait(struct strata_thread_wait *wait, const char *awaited)
{
    if (!wait->waiter.parameters) {
        begin(wait);
    }
    if (wait->bell) {
        strata_wait_for_ring(&wait->waiter, wait->bell, wait->moves);
    } else {
        strata_wait_between_tests(&wait->waiter);
    }
    if (wait->waiter.heard != 0) {
        strata_stall_ask(&wait->stall);
    }
    const int seconds = strata_stall_seconds(&wait->stall, 0);
    if (seconds > 0) {
        fprintf(stderr, STRATA_STALLED "%s\n", strata_process_here.world_rank, seconds, awaited);
    }
}
