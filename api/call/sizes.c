/* What all ranks of a call know of its sizes before a message is sent. */
#include <limits.h>

#include "api/attach/process.h"
#include "api/call/call.h"

/* Bytes of a mean block while no figure is agreed. */
#define FIRST_BLOCK 256
/* Calls after which an agreed figure is too old: plans without log rounds bring no new one, so the
 * default is tried again. */
#define FORGET 64

/* alltoallv: what an earlier call brought. */
static void remember(struct strata_state *state, struct strata_plan_key *key)
{
    if (state->mean_bytes >= 0 && ++state->mean_age > FORGET) {
        state->mean_bytes = -1;
    }
    if (state->mean_bytes < 0) {
        strata_plan_key_sizes(key, FIRST_BLOCK, 0);
    } else {
        strata_plan_key_sizes(key, state->mean_bytes, state->longest > 0 ? state->longest : 1);
    }
}

/* Whether all ranks know all lengths, or one that holds for all. */
static bool known(enum strata_collective collective)
{
    const struct strata_collective_info *info = &strata_collective_info[collective];

    return info->input != STRATA_NONE &&
           (!info->varying || (info->root == '-' && !strata_collective_transposes(collective)));
}

/* The side whose blocks are the collective's: of two that are significant, the one with more. */
static const struct strata_side *telling_side(const struct strata_signature *s)
{
    return s->send.part > s->recv.part ? &s->send : &s->recv;
}

/* Elements of the longest block, and of all together. */
static int count_elements(const struct strata_signature *s, const struct strata_side *side,
                          double *sum)
{
    int blocks = strata_side_blocks(s, side);
    int most = 0;

    *sum = 0;
    for (int i = 0; i < blocks; i++) {
        int count = strata_side_count(s, side, i);
        *sum += count;
        most = count > most ? count : most;
    }
    return most;
}

/* Whether any number of elements can lie one behind another. Those of a column of a matrix, one
 * number apart, cannot: there are as many as the row is long. */
static bool apart(const struct strata_type *type)
{
    ptrdiff_t first = 0;
    ptrdiff_t end = 0;

    for (size_t p = 0; p < type->npieces; p++) {
        const struct strata_piece *piece = &type->pieces[p];
        ptrdiff_t behind = piece->offset + (ptrdiff_t)piece->length;
        first = p == 0 || piece->offset < first ? piece->offset : first;
        end = p == 0 || behind > end ? behind : end;
    }
    return end - first <= type->extent;
}

/* Operands are combined in private memory, element by element, more than the caller has. */
static bool combinable(const struct strata_datatype *datatype)
{
    return !datatype->packed && datatype->flat.size > 0 && apart(&datatype->flat);
}

/* While lengths are the business of one rank or of two: a figure that all hold alike. */
static void guess(struct strata_call *c, struct strata_plan_key *key)
{
    switch (c->signature->collective) {
    case STRATA_BARRIER:
        strata_plan_key_sizes(key, 0, 0);
        break;
    case STRATA_ALLTOALLV:
        remember(c->state, key);
        break;
    default:
        strata_plan_key_sizes(key, FIRST_BLOCK, 0);
    }
}

int strata_call_sizes(struct strata_call *c, struct strata_plan_key *key)
{
    const struct strata_signature *s = c->signature;
    const struct strata_side *side = telling_side(s);
    const struct strata_datatype *datatype = NULL;
    bool ranked = s->collective == STRATA_ALLGATHER || s->collective == STRATA_ALLGATHERV ||
                  s->collective == STRATA_ALLTOALL;
    double sum;
    int most;
    int error;

    if (!known(s->collective)) {
        guess(c, key);
        return MPI_SUCCESS;
    }
    error = strata_datatype_find(c->process, side->type, c->state->group->comm, &datatype);
    if (error != MPI_SUCCESS) {
        return error;
    }
    most = count_elements(s, side, &sum);
    if (strata_collective_reduces(s->collective) && !combinable(datatype)) {
        c->why =
            "MPI's own: the operands' datatype has no map or no bytes, or its elements overlap";
    } else if (strata_collective_reduces(s->collective) && sum > INT_MAX) {
        c->why = "MPI's own: more operands than an int counts";
    }
    /* whole numbers up to the division, so ranks with other elements get the same */
    strata_plan_key_sizes(key, sum * (double)datatype->flat.size / strata_side_blocks(s, side),
                          ranked ? (size_t)most * datatype->flat.size : 0);
    return MPI_SUCCESS;
}
