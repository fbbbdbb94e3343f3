/* What the preload library does in MPI_Init. It measures the time of MPI_Init for the report. Then
 * rank 0 of MPI_COMM_WORLD tells the others its STRATA_SAME_BITS, which decides about a
 * communicator's first call, before the communicator's ranks have agreed on anything
 * (preload/meet.h).
 *
 * Tools, and Fortran's bindings on Open MPI, call PMPI_Init, so PMPI_Init is caught, too. Each
 * function calls the next one of its name, with which a tool that was loaded later begins. In a
 * program that calls none of these functions, such as one with sessions, each rank takes its own
 * setting. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <mpi.h>

#include "api/call/explain.h"
#include "core/base/config.h"
#include "include/strata.h"
#include "preload/fortran.h"
#include "preload/meet.h"

static int tell_same_bits(void)
{
    struct strata_config config;
    strata_config_read(&config, strata_config_ignore, NULL);
    int said = (int)config.same_bits;
    const int error = preload_meet(&config, &said);
    strata_process_here.same_bits = said ? STRATA_SAID_YES : STRATA_SAID_NO;
    return error;
}

/* Runs after the next function, which may have come here itself. Returns MPI's code. */
static int begun(double begin, int error)
{
    strata_process_here.explain.init = strata_seconds() - begin;
    return error == MPI_SUCCESS && strata_process_here.same_bits == STRATA_SAID_NOTHING
               ? tell_same_bits()
               : error;
}

typedef int begins(int *argc, char ***argv);
typedef int begins_thread(int *argc, char ***argv, int wanted, int *given);

/* dlsym's result is stored through a void pointer, as its manual shows. */
static int begin(const char *name, int *argc, char ***argv)
{
    const double begin = strata_seconds();
    begins *next = NULL;
    preload_redirect_fortran();
    *(void **)(&next) = dlsym(RTLD_NEXT, name);
    return begun(begin, next(argc, argv));
}

static int begin_thread(const char *name, int *argc, char ***argv, int wanted, int *given)
{
    const double begin = strata_seconds();
    begins_thread *next = NULL;
    preload_redirect_fortran();
    *(void **)(&next) = dlsym(RTLD_NEXT, name);
    return begun(begin, next(argc, argv, wanted, given));
}

STRATA_PUBLIC int MPI_Init(int *argc, char ***argv)
{
    return begin("MPI_Init", argc, argv);
}

STRATA_PUBLIC int PMPI_Init(int *argc, char ***argv)
{
    return begin("PMPI_Init", argc, argv);
}

STRATA_PUBLIC int MPI_Init_thread(int *argc, char ***argv, int wanted, int *given)
{
    return begin_thread("MPI_Init_thread", argc, argv, wanted, given);
}

STRATA_PUBLIC int PMPI_Init_thread(int *argc, char ***argv, int wanted, int *given)
{
    return begin_thread("PMPI_Init_thread", argc, argv, wanted, given);
}
