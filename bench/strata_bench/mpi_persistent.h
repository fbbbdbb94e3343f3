/* MPI's own persistent collectives: MPI-4's where they exist, which Open MPI 5 has though it is of
 * MPI 3.1, else Open MPI 4's under names of its own. */
#ifndef STRATA_BENCH_STRATA_BENCH_MPI_PERSISTENT_H
#define STRATA_BENCH_STRATA_BENCH_MPI_PERSISTENT_H

#include <mpi.h>
#include <stdbool.h>
#include <string.h>
#if !defined(STRATA_HAVE_PERSISTENT) && defined(OPEN_MPI) && defined(__has_include)
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#endif

#ifdef STRATA_HAVE_PERSISTENT
#define MPI_HAS_PERSISTENT        1
#define MPI_PERSISTENT(name, ...) MPI_UNSEEN(PMPI_##name##_init(__VA_ARGS__))
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define MPI_HAS_PERSISTENT        1
#define MPI_PERSISTENT(name, ...) MPI_UNSEEN(PMPIX_##name##_init(__VA_ARGS__))
#else
#define MPI_HAS_PERSISTENT        0
#define MPI_PERSISTENT(name, ...) MPI_ERR_UNSUPPORTED_OPERATION
#endif

/* Open MPI does not free all memory of these calls; the leak checker must not report it. */
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
static inline int mpi_seen_again(int error)
{
    __lsan_enable();
    return error;
}
#define MPI_UNSEEN(call) (__lsan_disable(), mpi_seen_again(call))
#else
#define MPI_UNSEEN(call) (call)
#endif

/* In MPICH 4.0.2 and 4.2.1 the second start of a persistent scatter ends the program, where three
 * ranks or more pass short blocks on. 5.0.2 is right. */
static inline bool mpi_has_persistent(const char *collective)
{
#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION < 50000000
    return strcmp(collective, "scatter") != 0;
#else
    (void)collective;
    return MPI_HAS_PERSISTENT;
#endif
}

#endif
