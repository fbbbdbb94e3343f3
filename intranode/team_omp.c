#include "intranode/team.h"

#ifdef _OPENMP
#include <omp.h>
#endif

typedef void chunk_body(void *argument, int chunk, int chunks);

#ifdef _OPENMP
/* One iteration is one chunk, so every chunk is done whatever number of threads the region gets:
 * inside an active region it would be one, and the cost of asking is saved. */
static void run_chunks(chunk_body *body, void *argument, int chunks)
{
    if (chunks < 2 || omp_in_parallel()) {
        for (int chunk = 0; chunk < chunks; chunk++) {
            body(argument, chunk, chunks);
        }
        return;
    }
#pragma omp parallel for num_threads(chunks) schedule(static, 1)
    for (int chunk = 0; chunk < chunks; chunk++) {
        body(argument, chunk, chunks);
    }
}
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

void strata_team_init(struct strata_team *team, int threads, size_t least_bytes)
{
    *team = (struct strata_team){.threads = 1, .least_bytes = least_bytes};
#ifdef _OPENMP
    if (threads > 1) {
        team->threads = threads;
        team->run = run_chunks;
    }
#else
    (void)threads;
#endif
}
