#include "intranode/team.h"

#ifdef _OPENMP
#include <omp.h>
#endif

int strata_team_threads(int asked, int processes, int cpus)
{
    if (asked > 0) {
        return asked;
    }
    int threads = 1;
#ifdef _OPENMP
    threads = omp_get_max_threads();
#endif
    int cpus_each = processes > 0 ? cpus / processes : 1;
    threads = threads < cpus_each ? threads : cpus_each;
    return threads > 1 ? threads : 1;
}

int strata_team_of_caller(void)
{
#ifdef _OPENMP
    return omp_in_parallel() ? omp_get_num_threads() : 0;
#else
    return 0;
#endif
}

void strata_team_open(int threads, strata_chunk_body *body, void *argument)
{
#ifdef _OPENMP
    if (threads > 1 && !omp_in_parallel()) {
#pragma omp parallel num_threads(threads)
        body(argument, omp_get_thread_num(), omp_get_num_threads());
        return;
    }
#else
    (void)threads;
#endif
    body(argument, 0, 1);
}
