/* What is done in MPI_Init. The report tells how long it took; and rank 0 of MPI_COMM_WORLD says
 * what STRATA_SAME_BITS is, for that decides how a communicator's first call goes, before its ranks
 * have agreed on anything. Programs in which nobody calls these, as one with sessions, have what
 * each rank was given. The next function of the name is called, not PMPI's: a tool that was loaded
 * behind begins there. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <mpi.h>

#include "api/call/explain.h"
#include "core/base/config.h"
#include "include/strata.h"

static void ignore(void *context, const char *sentence, const char *instead)
{
    (void)context;
    (void)sentence;
    (void)instead;
}

static int same_bits_here(void)
{
    struct strata_config config;

    strata_config_read(&config, ignore, NULL);
    return (int)config.same_bits;
}

/* After the next function. Returns MPI's code. */
static int begun(double begin, int error)
{
    strata_process_here.explain.init = strata_explain_now() - begin;
    if (error == MPI_SUCCESS) {
        int said = same_bits_here();
        error = PMPI_Bcast(&said, 1, MPI_INT, 0, MPI_COMM_WORLD);
        strata_process_here.same_bits = said ? STRATA_SAID_YES : STRATA_SAID_NO;
    }
    return error;
}

/* In C. */
#define INIT(name, parameters, arguments)                                                          \
    STRATA_PUBLIC int name parameters;                                                             \
    int name parameters                                                                            \
    {                                                                                              \
        const double begin = strata_explain_now();                                                 \
        int(*next) parameters = NULL;                                                              \
        *(void **)(&next) = dlsym(RTLD_NEXT, #name);                                               \
        return begun(begin, next arguments);                                                       \
    }

INIT(MPI_Init, (int *argc, char ***argv), (argc, argv))
INIT(MPI_Init_thread, (int *argc, char ***argv, int wanted, int *given),
     (argc, argv, wanted, given))

#ifdef OPEN_MPI
/* As Fortran's bindings on Open MPI are called, which call PMPI. The error may be left out. */
#define FORTRAN_INIT(name, parameters, arguments)                                                  \
    STRATA_PUBLIC void name parameters;                                                            \
    void name parameters                                                                           \
    {                                                                                              \
        const double begin = strata_explain_now();                                                 \
        void(*next) parameters = NULL;                                                             \
        *(void **)(&next) = dlsym(RTLD_NEXT, #name);                                               \
        next arguments;                                                                            \
        const int code = begun(begin, error ? *error : MPI_SUCCESS);                               \
        if (error) {                                                                               \
            *error = code;                                                                         \
        }                                                                                          \
    }

FORTRAN_INIT(mpi_init_, (MPI_Fint * error), (error))
FORTRAN_INIT(mpi_init_f08_, (MPI_Fint * error), (error))
FORTRAN_INIT(mpi_init_thread_, (const MPI_Fint *wanted, MPI_Fint *given, MPI_Fint *error),
             (wanted, given, error))
FORTRAN_INIT(mpi_init_thread_f08_, (const MPI_Fint *wanted, MPI_Fint *given, MPI_Fint *error),
             (wanted, given, error))
#endif
