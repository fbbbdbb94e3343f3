/* A bell on which threads of one process sleep in the kernel until another one rings it. It serves
 * whatever they await: a sleeper listens, looks for that once more, and sleeps; who brings it about
 * rings afterwards. So no wake-up is lost, and who rings a bell to which nobody listens makes no
 * system call. The bells of a node's memory (struct strata_bell) are for ranks. */
#ifndef STRATA_INTRANODE_THREAD_BELL_H
#define STRATA_INTRANODE_THREAD_BELL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* An odd word: a thread may listen. Each ring makes another even number of it. At first 0. */
struct strata_thread_bell {
    _Atomic uint32_t word;
};

/* Returns what this thread hears, never 0. It looks afterwards, and then sleeps on that or goes. */
uint32_t strata_thread_bell_listen(struct strata_thread_bell *bell);
/* Sleeps for that time at most, unless the bell has rung since the thread heard that. */
void strata_thread_bell_sleep(struct strata_thread_bell *bell, uint32_t heard,
                              const struct timespec *time);
/* Whether a thread may listen, after all that this one has done. */
bool strata_thread_bell_awaited(struct strata_thread_bell *bell);
/* Wakes all that sleep. Call it when what they await is there to see. */
void strata_thread_bell_ring(struct strata_thread_bell *bell);

#endif
