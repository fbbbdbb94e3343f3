/* MPICH's ranks spin while they wait. Where they outnumber the cores, a message takes as long as
 * the scheduler lets a spinning rank run. This library is preloaded into the ranks. It lets the
 * other ranks run where one found nothing to do, as Open MPI's ranks do on request. It works for
 * MPICH on UCX; other MPICHs never call it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdatomic.h>

__attribute__((visibility("default"))) unsigned ucp_worker_progress(void *worker);

unsigned ucp_worker_progress(void *worker)
{
    typedef unsigned progress(void *);
    static _Atomic(progress *) own;
    progress *call = atomic_load_explicit(&own, memory_order_relaxed);
    if (!call) {
        *(void **)&call = dlsym(RTLD_NEXT, "ucp_worker_progress");
        atomic_store_explicit(&own, call, memory_order_relaxed);
    }
    unsigned events = call(worker);
    if (events == 0) {
        sched_yield();
    }
    return events;
}
