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

void strata_thread_wait(struct strata_thread_wait *wait, const char *awaited)
{
    if (!wait->waiter.parameters) {
        const int way = atomic_load_explicit(&threads_way, memory_order_relaxed);
        wait->waiter =
            strata_waiter_of(way > (int)wait->way ? (enum strata_wait_way)way : wait->way);
    }
    strata_wait_between_tests(&wait->waiter);
    const int seconds = strata_stall_seconds(&wait->stall, 0);
    if (seconds > 0) {
        fprintf(stderr, STRATA_STALLED "%s\n", strata_process_here.world_rank, seconds, awaited);
    }
}
