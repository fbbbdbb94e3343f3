#include "internode/mpi/failed_mpi.h"

#include <pthread.h>
#include <stddef.h>
#include <time.h>

/* MPICH asks its launcher with each call, and waits for the answer. So only Open MPI is asked. */
#if !defined OPEN_MPI
/* no MPI to ask */
#elif defined MPIX_ERR_PROC_FAILED
#define FAILED  MPIX_ERR_PROC_FAILED
#define REVOKED MPIX_ERR_REVOKED
#elif defined MPI_ERR_PROC_FAILED
#define FAILED  MPI_ERR_PROC_FAILED
#define REVOKED MPI_ERR_REVOKED
#endif

#if defined FAILED && !defined STRATA_SIMULATED
/* Found by the linker where the MPI that runs has them: a program may be built with one version and
 * run with another. */
__attribute__((weak)) int PMPIX_Comm_get_failed(MPI_Comm comm, MPI_Group *failed);
__attribute__((weak)) int PMPIX_Comm_is_revoked(MPI_Comm comm, int *flag);
__attribute__((weak)) int PMPIX_Comm_revoke(MPI_Comm comm);

static MPI_Group failed_of(MPI_Comm comm)
{
    MPI_Group failed = MPI_GROUP_EMPTY;
    bool known = PMPIX_Comm_get_failed && comm != MPI_COMM_NULL &&
                 PMPIX_Comm_get_failed(comm, &failed) == MPI_SUCCESS;
    return known ? failed : MPI_GROUP_EMPTY;
}

static int end(MPI_Group *failed)
{
    int count = 0;
    PMPI_Group_size(*failed, &count);
    if (*failed != MPI_GROUP_EMPTY) {
        PMPI_Group_free(failed);
    }
    return count;
}

bool strata_failed_any(MPI_Comm comm)
{
    MPI_Group failed = failed_of(comm);
    return end(&failed) > 0;
}

void strata_failed_each(MPI_Comm comm, void (*each)(void *self, int rank), void *self)
{
    MPI_Group failed = failed_of(comm), all = MPI_GROUP_NULL;
    int count = 0, rank = MPI_UNDEFINED;
    PMPI_Group_size(failed, &count);
    if (count > 0 && PMPI_Comm_group(comm, &all) == MPI_SUCCESS) {
        for (int i = 0; i < count; i++) {
            PMPI_Group_translate_ranks(failed, 1, &i, all, &rank);
            if (rank != MPI_UNDEFINED) {
                each(self, rank);
            }
        }
        PMPI_Group_free(&all);
    }
    end(&failed);
}

static bool revoked(MPI_Comm comm)
{
    int flag = 0;
    return PMPIX_Comm_is_revoked && PMPIX_Comm_is_revoked(comm, &flag) == MPI_SUCCESS && flag;
}

/* No thread asks about a communicator that another one frees meanwhile. */
static pthread_mutex_t asking = PTHREAD_MUTEX_INITIALIZER;

void strata_revoked_with(MPI_Comm *served, MPI_Comm comm)
{
    pthread_mutex_lock(&asking);
    *served = comm;
    pthread_mutex_unlock(&asking);
}

/* MPI_COMM_SELF stands for a communicator that was revoked and is freed. */
static bool was_revoked(MPI_Comm comm)
{
    return comm == MPI_COMM_SELF || (comm != MPI_COMM_NULL && revoked(comm));
}

void strata_revoked_forget(MPI_Comm *served)
{
    pthread_mutex_lock(&asking);
    *served = was_revoked(*served) ? MPI_COMM_SELF : MPI_COMM_NULL;
    pthread_mutex_unlock(&asking);
}

bool strata_revoked(MPI_Comm *served)
{
    bool was = false;
    if (served) {
        pthread_mutex_lock(&asking);
        was = was_revoked(*served);
        pthread_mutex_unlock(&asking);
    }
    return was;
}

void strata_failed_leave(MPI_Comm left, MPI_Comm comm, MPI_Comm *served)
{
    if (PMPIX_Comm_revoke && left != MPI_COMM_NULL &&
        (strata_failed_any(comm) || strata_revoked(served))) {
        PMPIX_Comm_revoke(left);
    }
}

/* Until MPI tells of a failed rank or of the revocation. */
static void await(MPI_Comm comm)
{
    static const double patience = 1.0;
    static _Atomic bool in_vain; /* errors have other reasons here */
    const double until = PMPI_Wtime() + patience;
    while (PMPIX_Comm_get_failed && !in_vain && !strata_failed_any(comm) && !revoked(comm)) {
        int there;
        PMPI_Iprobe(0, 0, MPI_COMM_SELF, &there, MPI_STATUS_IGNORE); /* progress */
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        in_vain = PMPI_Wtime() > until;
    }
}

int strata_failed_class(MPI_Comm comm, int class)
{
    if (class == MPI_SUCCESS || comm == MPI_COMM_NULL) {
        return class;
    }
    await(comm);
    return revoked(comm) ? REVOKED : strata_failed_any(comm) ? FAILED : class;
}
#else
bool strata_failed_any(MPI_Comm comm)
{
    (void)comm;
    return false;
}

void strata_failed_each(MPI_Comm comm, void (*each)(void *self, int rank), void *self)
{
    (void)comm;
    (void)each;
    (void)self;
}

void strata_failed_leave(MPI_Comm left, MPI_Comm comm, MPI_Comm *served)
{
    (void)left;
    (void)comm;
    (void)served;
}

void strata_revoked_with(MPI_Comm *served, MPI_Comm comm)
{
    (void)served;
    (void)comm;
}

void strata_revoked_forget(MPI_Comm *served)
{
    (void)served;
}

bool strata_revoked(MPI_Comm *served)
{
    (void)served;
    return false;
}

int strata_failed_class(MPI_Comm comm, int class)
{
    (void)comm;
    return class;
}
#endif
