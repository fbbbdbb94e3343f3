#include "api/attach/group_swap.h"

#include <mpi.h>
#include <stdbool.h>

#include "api/attach/group.h"

enum { TAG = 0 };

/* The peer is in the same call of Strata's, so it is not late for a reason of the program's. */
static const double PATIENCE = 10;

/* A rank to which MPI refused a message says so in the node's memory, which ranks of another node
 * do not see. *end is when to give up; 0: that is not decided yet. */
static bool in_vain(const struct strata_group *g, double *end)
{
    const double now = PMPI_Wtime();
    *end = *end > 0 ? *end : now + PATIENCE;
    return (g->arena && strata_node_memory_broken(&g->memory)) || now > *end;
}

/* The messages are timed, so the first looks follow each other at once. */
static int finish(const struct strata_group *g, MPI_Request request[2])
{
    MPI_Status status[2]; /* MPICH's compilers see no array in MPI_STATUSES_IGNORE */
    struct strata_waiter waiter = strata_waiter_of(STRATA_WAIT_SPIN);
    unsigned looks = 0;
    double end = 0;
    int done = 0;
    int error = PMPI_Testall(2, request, &done, status);
    while (error == MPI_SUCCESS && !done) {
        if (++looks % STRATA_WAIT_STILL == 0) {
            if (in_vain(g, &end)) {
                return MPI_ERR_OTHER;
            }
            strata_wait_between_tests(&waiter);
        }
        error = PMPI_Testall(2, request, &done, status);
    }
    return error;
}

int strata_group_swap(struct strata_group *group, int peer, const void *mine, void *theirs,
                      int bytes)
{
    MPI_Request request[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int error = PMPI_Irecv(theirs, bytes, MPI_BYTE, peer, TAG, group->comm, &request[0]);
    if (error == MPI_SUCCESS) {
        error = PMPI_Isend(mine, bytes, MPI_BYTE, peer, TAG, group->comm, &request[1]);
    }
    error = error == MPI_SUCCESS ? finish(group, request) : error;
    if (error != MPI_SUCCESS) {
        if (request[0] != MPI_REQUEST_NULL) {
            (void)PMPI_Cancel(&request[0]);
        }
        strata_group_break(group);
    }
    return error;
}
