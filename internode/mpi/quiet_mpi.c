#include "internode/mpi/quiet_mpi.h"

#include <pthread.h>
#include <stddef.h>

enum { MOST = 64 };

struct quiet {
    MPI_Comm comm;
    int users;            /* 0: the place is free */
    MPI_Errhandler usual; /* the program's, while there are users */
};

static struct quiet quiet[MOST];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The communicator's place, or a free one; NULL: none is free. */
static struct quiet *place_of(MPI_Comm comm)
{
    struct quiet *empty = NULL;
    for (int i = 0; i < MOST; i++) {
        if (quiet[i].users > 0 && quiet[i].comm == comm) {
            return &quiet[i];
        }
        empty = quiet[i].users == 0 && !empty ? &quiet[i] : empty;
    }
    return empty;
}

static void take(struct quiet *q, MPI_Comm comm)
{
    q->comm = comm;
    if (PMPI_Comm_get_errhandler(comm, &q->usual) != MPI_SUCCESS) {
        q->usual = MPI_ERRHANDLER_NULL;
    }
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
}

static void put_back(struct quiet *q)
{
    if (q->usual != MPI_ERRHANDLER_NULL) {
        PMPI_Comm_set_errhandler(q->comm, q->usual);
        PMPI_Errhandler_free(&q->usual);
    }
}

bool strata_quiet_begin(MPI_Comm comm)
{
    pthread_mutex_lock(&lock);
    struct quiet *q = place_of(comm);
    if (q && q->users++ == 0) {
        take(q, comm);
    }
    pthread_mutex_unlock(&lock);
    return q;
}

void strata_quiet_end(MPI_Comm comm)
{
    pthread_mutex_lock(&lock);
    struct quiet *q = place_of(comm);
    if (q && q->users > 0 && --q->users == 0) {
        put_back(q);
    }
    pthread_mutex_unlock(&lock);
}

/* MPI's own handlers are not freed, which saves time: it never frees them. */
bool strata_handler_is_own(MPI_Comm comm)
{
    MPI_Errhandler handler = MPI_ERRORS_ARE_FATAL;
    if (PMPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS ||
        handler == MPI_ERRORS_ARE_FATAL || handler == MPI_ERRORS_RETURN) {
        return false;
    }
#ifdef MPI_ERRORS_ABORT /* since MPI-4 */
    if (handler == MPI_ERRORS_ABORT) {
        return false;
    }
#endif
    PMPI_Errhandler_free(&handler);
    return true;
}
