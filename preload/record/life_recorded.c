/* MPI_Init and MPI_Finalize, recorded. Tools and Fortran's bindings on Open MPI call PMPI's, so
 * these are caught, too. Each function calls the next one of its name. */
#include "include/strata.h"
#include "preload/fortran.h"
#include "preload/record/clocks.h"
#include "preload/record/recorder.h"

static __typeof__(MPI_Init) *next_MPI_Init, *next_PMPI_Init;
static __typeof__(MPI_Init_thread) *next_MPI_Init_thread, *next_PMPI_Init_thread;
static __typeof__(MPI_Finalize) *next_MPI_Finalize, *next_PMPI_Finalize;
static __typeof__(MPI_Comm_free) *next_MPI_Comm_free, *next_MPI_Comm_disconnect;

static void find_next(void);

/* A library's constructor that calls MPI_Init may come before this library's own. */
static void find_next_early(void)
{
    if (!next_MPI_Init) {
        find_next();
    }
}

/* The next function may have come here itself. */
static int begun(int error)
{
    static bool begins;
    if (error == MPI_SUCCESS && !begins) {
        begins = true;
        recorder_begin();
        preload_redirect_fortran(); /* to this library, after the preload library's own */
    }
    return error;
}

STRATA_PUBLIC int MPI_Init(int *argc, char ***argv)
{
    find_next_early();
    return begun(next_MPI_Init(argc, argv));
}

STRATA_PUBLIC int PMPI_Init(int *argc, char ***argv)
{
    find_next_early();
    return begun(next_PMPI_Init(argc, argv));
}

STRATA_PUBLIC int MPI_Init_thread(int *argc, char ***argv, int wanted, int *given)
{
    find_next_early();
    return begun(next_MPI_Init_thread(argc, argv, wanted, given));
}

STRATA_PUBLIC int PMPI_Init_thread(int *argc, char ***argv, int wanted, int *given)
{
    find_next_early();
    return begun(next_PMPI_Init_thread(argc, argv, wanted, given));
}

/* Callbacks may still call on the communicator, which has no row any more. */
static int leave(__typeof__(MPI_Comm_free) *next, MPI_Comm *comm)
{
    const MPI_Comm freed = comm ? *comm : MPI_COMM_NULL;
    recorder_freed = freed;
    const int error = next(comm);
    recorder_freed = MPI_COMM_NULL;
    recorder_lose(freed);
    return error;
}

STRATA_PUBLIC int MPI_Comm_free(MPI_Comm *comm)
{
    return leave(next_MPI_Comm_free, comm);
}

STRATA_PUBLIC int MPI_Comm_disconnect(MPI_Comm *comm)
{
    return leave(next_MPI_Comm_disconnect, comm);
}

static int finalize(__typeof__(MPI_Finalize) *next, void *site)
{
    recorder_prepare(STRATA_RECORD_FINALIZE, MPI_COMM_WORLD, MPI_DATATYPE_NULL, MPI_OP_NULL);
    const struct recorder_call call =
        RECORDER_ENTER(recorder_row(STRATA_RECORD_FINALIZE), STRATA_RECORD_FINALIZE,
                       STRATA_RECORD_BLOCKING, recorder_many(0), -1, site);
    recorder_clocks_end();
    const int error = next();
    if (error == MPI_SUCCESS) {
        recorder_leave(call, error);
        recorder_end();
    }
    return error;
}

STRATA_PUBLIC int MPI_Finalize(void)
{
    return finalize(next_MPI_Finalize, __builtin_return_address(0));
}

STRATA_PUBLIC int PMPI_Finalize(void)
{
    return finalize(next_PMPI_Finalize, __builtin_return_address(0));
}

#define NEXT(name)                                                                                 \
    {                                                                                              \
#name, (void **)&next_##name                                                               \
    }
static const struct recorder_next next[] = {
    NEXT(MPI_Init),     NEXT(PMPI_Init),     NEXT(MPI_Init_thread), NEXT(PMPI_Init_thread),
    NEXT(MPI_Finalize), NEXT(PMPI_Finalize), NEXT(MPI_Comm_free),   NEXT(MPI_Comm_disconnect)};

__attribute__((constructor)) static void find_next(void)
{
    recorder_find_next(next, sizeof next / sizeof *next);
}
