#include "api/process/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "api/process/by_mpi.h"
#include "internode/mpi/failed_mpi.h"
#include "internode/mpi/quiet_mpi.h"

struct strata_process strata_process_here = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .making = PTHREAD_MUTEX_INITIALIZER,
    .alone = MPI_COMM_NULL,
    .changes = 1 /* 0 stands for a thing that was never remembered */
};

void strata_warn(const char *sentence)
{
    fprintf(stderr, "strata: %s\n", sentence);
}

void strata_thread_comes(struct strata_process *process)
{
    static STRATA_EACH_THREAD bool here;

    if (!here) {
        here = true;
        atomic_fetch_add_explicit(&process->threads, 1, memory_order_relaxed);
    }
}

void strata_end_job(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL); /* launchers drop output that
                                                                  comes late */
    PMPI_Abort(MPI_COMM_WORLD, 1);
    _exit(EXIT_FAILURE); /* MPICH's may return before the launcher ends the rank */
}

static const int class_of[STRATA_ERROR_COUNT] = {
    [STRATA_OK] = MPI_SUCCESS,
    [STRATA_ERR_MEMORY] = MPI_ERR_NO_MEM,
    [STRATA_ERR_ARGUMENT] = MPI_ERR_ARG,
    [STRATA_ERR_SYNTAX] = MPI_ERR_ARG,
    [STRATA_ERR_UNSUPPORTED] = MPI_ERR_UNSUPPORTED_OPERATION,
    [STRATA_ERR_CAPACITY] = MPI_ERR_NO_MEM,
    [STRATA_ERR_TRUNCATE] = MPI_ERR_TRUNCATE,
    [STRATA_ERR_PLAN] = MPI_ERR_INTERN,
    [STRATA_ERR_TRANSPORT] = MPI_ERR_OTHER,
};

bool strata_refused(int code)
{
    static const int classes[] = {MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_COMM,
                                  MPI_ERR_ROOT,   MPI_ERR_OP,    MPI_ERR_ARG};
    int class = MPI_SUCCESS;
    bool refused = false;
    if (code != MPI_SUCCESS) {
        PMPI_Error_class(code, &class);
    }
    for (size_t i = 0; class != MPI_SUCCESS && i < sizeof classes / sizeof *classes; i++) {
        refused = refused || class == classes[i];
    }
    return refused;
}

int strata_error_class(int error)
{
    return error >= 0 && error < STRATA_ERROR_COUNT ? class_of[error] : MPI_ERR_UNKNOWN;
}

/* Whether to print nothing: MPI alone prints nothing about an error that the program handles. */
static bool silent(MPI_Comm comm)
{
    MPI_Errhandler handler = MPI_ERRORS_ARE_FATAL;
    bool handled;
    if (!strata_process_here.preloaded || PMPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS) {
        return false;
    }
    handled = handler != MPI_ERRORS_ARE_FATAL;
    PMPI_Errhandler_free(&handler);
    return handled;
}

/* The text without its own "rank 3: ", which the line says already. The engine's texts have it, for
 * others print them alone. */
static const char *without_rank(const char *text, int rank)
{
    char said[32];
    int length = snprintf(said, sizeof said, "rank %d: ", rank);
    return strncmp(text, said, (size_t)length) == 0 ? text + length : text;
}

/* An error on its way to its handler. */
struct raised {
    MPI_Comm comm;
    int code;
    const char *call, *text;
};

/* The code as MPI knows why. */
static int error_of(MPI_Comm comm, int code)
{
    const bool asks = !strata_mpi_funnels() || strata_mpi_runs_errands();
    if (code != MPI_ERR_OTHER || !asks) {
        return code;
    }
    return strata_failed_class(
        strata_process_here.ranks_of ? strata_process_here.ranks_of(comm) : comm, code);
}

static int raise_error(void *argument)
{
    struct raised *r = argument;
    r->code = error_of(r->comm, r->code);
    MPI_Comm owner = r->comm == MPI_COMM_NULL ? MPI_COMM_WORLD : r->comm;
    int rank = strata_process_here.number_of ? strata_process_here.number_of(owner) : -1;
    if (rank < 0) {
        PMPI_Comm_rank(owner, &rank);
    }
    if (!silent(owner)) {
        fprintf(stderr, "strata: %s, rank %d: %s\n", r->call, rank, without_rank(r->text, rank));
    }
    PMPI_Comm_call_errhandler(owner, r->code);
    return r->code;
}

int strata_raise(MPI_Comm comm, int code, const char *call, const char *text)
{
    struct raised raised = {comm, code, call, text};
    /* the main thread may be where it runs no errands, and an error must not wait for it */
    return strata_mpi_funnels() ? raise_error(&raised) : strata_by_mpi(raise_error, &raised);
}

bool strata_hear(MPI_Comm comm)
{
    return strata_handler_is_own(comm) && strata_quiet_begin(comm);
}

int strata_heard(MPI_Comm comm, int error)
{
    strata_quiet_end(comm);
    if (error != MPI_SUCCESS) {
        PMPI_Comm_call_errhandler(comm, error);
    }
    return MPI_SUCCESS;
}

int strata_private_communicator(MPI_Comm comm, MPI_Comm *made)
{
    MPI_Group members = MPI_GROUP_NULL;
    int error = PMPI_Comm_group(comm, &members);
    if (error == MPI_SUCCESS) {
        *made = MPI_COMM_NULL;
        error = PMPI_Comm_create(comm, members, made);
        PMPI_Group_free(&members);
        error = error == MPI_SUCCESS && *made == MPI_COMM_NULL ? MPI_ERR_OTHER : error; /* hidden */
    }
    if (error != MPI_SUCCESS) {
        *made = MPI_COMM_NULL;
    }
    return error;
}

void strata_private_communicator_free(MPI_Comm *comm)
{
    MPI_Comm gone = *comm; /* a deleted attribute may take the handle that it is in */
    *comm = MPI_COMM_NULL;
    if (gone == MPI_COMM_NULL) {
        return;
    }
    if (!strata_failed_any(gone) && !strata_revoked(&gone)) {
        PMPI_Comm_free(&gone);
        return;
    }
    void *state;
    int known = 0;
    PMPI_Comm_get_attr(gone, strata_process_here.comm_key, &state, &known);
    if (known) { /* it goes now, and the memory with it that it has in its node */
        PMPI_Comm_delete_attr(gone, strata_process_here.comm_key);
    }
}

int strata_communicator_of(MPI_Comm comm, int size, const int *ranks, MPI_Comm *made)
{
    enum { TAG = 0x5354 }; /* one of the tags of MPI_Comm_create_group */
    MPI_Group all = MPI_GROUP_NULL, some = MPI_GROUP_NULL;
    int error = PMPI_Comm_group(comm, &all);
    if (error == MPI_SUCCESS) {
        error = PMPI_Group_incl(all, size, ranks, &some);
        PMPI_Group_free(&all);
    }
    if (error == MPI_SUCCESS) {
        error = PMPI_Comm_create_group(comm, some, TAG, made);
        PMPI_Group_free(&some);
    }
    return error;
}
