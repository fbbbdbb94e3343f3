/* Who may call MPI. Threads that are members of collectives (api/attach/members.h) are many, and
 * below MPI_THREAD_MULTIPLE they may not call MPI at the same time: with MPI_THREAD_SERIALIZED they
 * take turns under one lock; with MPI_THREAD_FUNNELED they hand errands to the main thread, which
 * runs them while it waits in a call of Strata's. Until a program makes such members everything
 * here is the plain call. */
#ifndef STRATA_API_PROCESS_BY_MPI_H
#define STRATA_API_PROCESS_BY_MPI_H

#include <stdatomic.h>
#include <stdbool.h>

#include "intranode/wait.h"

/* MPI_THREAD_SERIALIZED or MPI_THREAD_FUNNELED; else -1: threads call MPI as they like. */
extern atomic_int strata_mpi_guard;

static inline bool strata_mpi_guarded(void)
{
    return atomic_load_explicit(&strata_mpi_guard, memory_order_relaxed) >= 0;
}

/* Begins to guard MPI at the level that it granted. With MPI_THREAD_FUNNELED the main thread calls
 * it, and with MPI_THREAD_MULTIPLE nobody. */
void strata_mpi_guard_begin(int level);

typedef int strata_mpi_work(void *argument);

/* Does work that calls MPI, where this thread may: under the lock, or in the main thread. Returns
 * what the work returns. A thread that may call MPI already does it at once. */
int strata_by_mpi_guarded(strata_mpi_work *work, void *argument);
static inline int strata_by_mpi(strata_mpi_work *work, void *argument)
{
    return strata_mpi_guarded() ? strata_by_mpi_guarded(work, argument) : work(argument);
}

/* The same, but with MPI_THREAD_FUNNELED the main thread does it some time, and this one does not
 * wait. */
void strata_by_mpi_later(strata_mpi_work *work, void *argument);
/* The same, where it need not wait for that: under the lock if it is free, or in the main thread if
 * this is it. Returns 0 where it did nothing. */
int strata_by_mpi_at_once(strata_mpi_work *work, void *argument);

/* Whether the main thread alone may call MPI. */
bool strata_mpi_funnels(void);
/* Whether this thread runs errands of others: with MPI_THREAD_FUNNELED, the main thread. */
bool strata_mpi_runs_errands(void);
/* Whether the main thread alone may call MPI, and this is another one. */
bool strata_mpi_leaves(void);
/* Runs the errands that wait. Only for a thread that runs errands, and holds no lock that they
 * take. */
void strata_mpi_run_errands(void);

/* The bell on which the main thread sleeps until another thread has work for it, or ends a call. */
extern struct strata_thread_bell strata_mpi_bell;
/* Wakes the main thread from its sleep in a call, as an errand does. */
void strata_mpi_wake(void);
/* How errands wake this thread from other sleeps; NULL: it runs none. */
const struct strata_wait_wanted *strata_mpi_wanted(void);

#endif
