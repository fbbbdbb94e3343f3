#include "intranode/team.h"

#ifdef _OPENMP
#include <omp.h>
#endif

typedef void slice_body(void *argument, int slice, int slices);

#ifdef _OPENMP
/* One iteration is one slice, so every slice is done whatever number of threads the region gets:
 * inside an active region it would be one, and the cost of asking is saved. */
static void run_slices(slice_body *body, void *argument, int slices)
{
    if (slices < 2 || omp_in_parallel()) {
        for (int slice = 0; slice < slices; slice++) {
            body(argument, slice, slices);
        }
        return;
    }
#pragma omp parallel for num_threads(slices) schedule(static, 1)
    for (int slice = 0; slice < slices; slice++) {
        body(argument, slice, slices);
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
    int share = processes > 0 ? cpus / processes : 1;
    threads = threads < share ? threads : share;
    return threads > 1 ? threads : 1;
}

void strata_team_init(struct strata_team *team, int threads, size_t least_bytes, bool crowded)
{
    *team = (struct strata_team){.threads = 1, .least_bytes = least_bytes};
#ifdef _OPENMP
    if (threads == 0) {
        threads = crowded ? 1 : omp_get_max_threads();
    }
    if (threads > 1) {
        team->threads = threads;
        team->run = run_slices;
    }
#else
    (void)threads;
    (void)crowded;
#endif
}
