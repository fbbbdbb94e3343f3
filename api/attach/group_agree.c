/* What a group's endpoints do together, ranks or threads. */
#include "api/attach/group.h"
#include "api/attach/members.h"
#include "api/process/agree.h"
#include "internode/mpi/failed_mpi.h"

/* Marks a rank that has left a call of MPI's. */
static int left(struct strata_group *g, int error)
{
    if (error != MPI_SUCCESS && strata_revoked(&g->served)) {
        strata_group_break(g);
        g->open = true;
    }
    return error;
}

int strata_group_agree(struct strata_group *g, void *words, int count, MPI_Datatype type, MPI_Op op)
{
    if (g->thread) {
        return strata_members_agree(g->thread, words, count, type, op);
    }
    return left(g, strata_agree_unless_revoked(words, count, type, op, g->comm, &g->served));
}

int strata_group_finish(struct strata_group *g, int error, MPI_Request *request)
{
    return left(g, strata_finish_unless_revoked(error, request, &g->served));
}
