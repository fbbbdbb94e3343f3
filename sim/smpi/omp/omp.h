/* Replaces OpenMP's header where OpenMP is off: on simulated clusters one thread does the work of
 * all threads of a rank, which are charged for it (apps/common/work.h). */
#ifndef STRATA_SIM_SMPI_OMP_OMP_H
#define STRATA_SIM_SMPI_OMP_OMP_H

static inline int omp_get_thread_num(void)
{
    return 0;
}

static inline int omp_get_num_threads(void)
{
    return 1;
}

static inline int omp_get_max_threads(void)
{
    return 1;
}

#endif
