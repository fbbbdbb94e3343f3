#include "api/explain/threads.h"

#include <stdio.h>

bool strata_threads_crowd(int threads, int ranks, int cpus, char *text, size_t size)
{
    if (threads < 2 || ranks < 1 || (long long)threads * ranks <= cpus) {
        return false;
    }
    snprintf(text, size,
             "OMP_NUM_THREADS=%d makes %lld threads of %d rank%s on %d processing unit%s: mpirun "
             "--map-by slot:PE=%d (Open MPI), -bind-to core:%d (MPICH), or OMP_NUM_THREADS=%d",
             threads, (long long)threads * ranks, ranks, ranks == 1 ? "" : "s", cpus,
             cpus == 1 ? "" : "s", threads, threads, cpus / ranks > 0 ? cpus / ranks : 1);
    return true;
}
