/* How long MPI_Init took, for the report. The next one is called, not PMPI's: a tool that was loaded
 * behind begins there. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <mpi.h>

#include "api/call/explain.h"
#include "include/strata.h"

/* In C, and as Fortran's bindings on Open MPI are called, which call PMPI. */
#define INIT(result, name, parameters, arguments)                                                  \
    STRATA_PUBLIC result name parameters;                                                          \
    result name parameters                                                                         \
    {                                                                                              \
        struct timed timed __attribute__((cleanup(finish))) = {strata_explain_now()};              \
        result(*next) parameters = NULL;                                                           \
        *(void **)(&next) = dlsym(RTLD_NEXT, #name);                                               \
        return next arguments;                                                                     \
    }

struct timed {
    double begin;
};

static void finish(const struct timed *timed)
{
    strata_process_here.explain.init = strata_explain_now() - timed->begin;
}

INIT(int, MPI_Init, (int *argc, char ***argv), (argc, argv))
INIT(int, MPI_Init_thread, (int *argc, char ***argv, int wanted, int *given),
     (argc, argv, wanted, given))
#ifdef OPEN_MPI
INIT(void, mpi_init_, (MPI_Fint * error), (error))
INIT(void, mpi_init_f08_, (MPI_Fint * error), (error))
INIT(void, mpi_init_thread_, (const MPI_Fint *wanted, MPI_Fint *given, MPI_Fint *error),
     (wanted, given, error))
INIT(void, mpi_init_thread_f08_, (const MPI_Fint *wanted, MPI_Fint *given, MPI_Fint *error),
     (wanted, given, error))
#endif
