#include "api/call/exposed.h"

#include "api/attach/members.h"
#include "intranode/mapped.h"

/* The side out of which local peers copy blocks; NULL: they copy none from this rank. */
static const struct strata_side *exposed_side(const struct strata_signature *s)
{
    char root = strata_collective_info[s->collective].root;
    if (root == 'o' ? s->rank == s->root : root == 'i' && s->rank != s->root) {
        return NULL;
    }
    return s->send.part == STRATA_NONE ? &s->recv : &s->send; /* in place, and in a bcast */
}

/* Whether all members of this node are threads of this process. */
static bool alone_on_node(const struct strata_group *g)
{
    return strata_group_members(g) == g->thread->part->threads;
}

void strata_exposed_tell(const struct strata_group *group, const struct strata_signature *call,
                         int is[2])
{
    const struct strata_side *side = exposed_side(call);
    is[0] = is[1] = 0;
    if (side && side->sum > 0 && group->thread && alone_on_node(group)) {
        is[0] = 1; /* threads read each other's memory where it lies */
    } else if (side && side->sum > 0) {
        uint64_t begin = (uint64_t)(uintptr_t)side->buffer;
        is[strata_mapped_find(group->world[group->rank], begin, 1) == NULL] = 1;
    }
}

int strata_exposed_agree(struct strata_group *group, const struct strata_signature *call,
                         bool *mapped)
{
    int is[2]; /* mapped memory, other memory */
    strata_exposed_tell(group, call, is);
    int error = strata_group_agree(group, is, 2, MPI_INT, MPI_MAX);
    *mapped = is[0] && !is[1];
    return error == MPI_SUCCESS ? STRATA_OK : STRATA_ERR_TRANSPORT;
}
