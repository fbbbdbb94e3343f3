/* A request's copies of its call's arguments: a program may change its arrays and free its
 * datatypes as soon as the call has begun. */
#include "api/process/by_mpi.h"
#include "api/request/request.h"
#include "api/types/reduction_operator.h"
#include "core/base/memory.h"

/* Whether the program may free the datatype. Predefined ones stay, also those that were made for a
 * precision or range: operators are defined for these, and not for copies of them. */
static bool may_go(MPI_Datatype type)
{
    int ints, addresses, types;
    int combiner = MPI_COMBINER_NAMED;
    PMPI_Type_get_envelope(type, &ints, &addresses, &types, &combiner);
    return combiner != MPI_COMBINER_NAMED && combiner != MPI_COMBINER_F90_INTEGER &&
           combiner != MPI_COMBINER_F90_REAL && combiner != MPI_COMBINER_F90_COMPLEX;
}

/* An operator of the program's gets the datatype, and may know it by its handle. */
static bool own_operator(const struct strata_signature *s)
{
    return strata_collective_reduces(s->collective) && !strata_operator_predefined(s->op);
}

/* Copies the datatype, but not with MPI_Type_dup, which would run the program's attribute
 * callbacks. */
static int keep_type(struct strata_request *r, MPI_Datatype *type)
{
    MPI_Datatype same = MPI_DATATYPE_NULL;
    int error;
    if (!may_go(*type) || own_operator(&r->bound.own)) {
        return MPI_SUCCESS;
    }
    error = PMPI_Type_contiguous(1, *type, &same);
    if (error == MPI_SUCCESS) {
        r->types[r->ntypes++] = same;
        *type = same;
        error = PMPI_Type_commit(&r->types[r->ntypes - 1]);
    }
    return error;
}

/* Copies the datatypes in the snapshot's array. */
static int keep_types(struct strata_request *r, const struct strata_side *side, int blocks)
{
    MPI_Datatype *types = strata_read_only(side->types);
    int error = MPI_SUCCESS;
    for (int i = 0; error == MPI_SUCCESS && i < blocks; i++) {
        if (side->counts[i] > 0) {
            error = keep_type(r, &types[i]);
        } else {
            types[i] = MPI_BYTE; /* the datatype of an empty block is never read */
        }
    }
    return error;
}

static int keep_side(struct strata_request *r, struct strata_side *side)
{
    if (side->part == STRATA_NONE) {
        return MPI_SUCCESS;
    }
    side->datatype = NULL;
    return side->types ? keep_types(r, side, strata_side_blocks(&r->bound.own, side))
                       : keep_type(r, &side->type);
}

int strata_request_own(struct strata_request *r, const struct strata_signature *call)
{
    const bool typed = call->send.types || call->recv.types;
    int error = strata_bound_find_room(&r->bound, call);
    r->types = strata_allocate(typed ? 2 * (size_t)call->ranks : 2, sizeof *r->types);
    if (error != MPI_SUCCESS || !r->types) {
        return MPI_ERR_NO_MEM;
    }
    strata_bound_ask(&r->bound, call);
    if (call->collective == STRATA_BARRIER) {
        return MPI_SUCCESS;
    }
    error = keep_side(r, &r->bound.own.send);
    return error == MPI_SUCCESS ? keep_side(r, &r->bound.own.recv) : error;
}

static void free_types(int count, MPI_Datatype *types)
{
    for (int i = 0; i < count; i++) {
        PMPI_Type_free(&types[i]);
    }
    strata_release(types);
}

/* Datatypes that another thread frees later. */
struct left_types {
    int count;
    MPI_Datatype *types;
};

static int free_left(void *argument)
{
    struct left_types *left = argument;
    free_types(left->count, left->types);
    strata_release(left);
    return MPI_SUCCESS;
}

void strata_request_disown(struct strata_request *request)
{
    struct left_types *left =
        request->ntypes > 0 && strata_mpi_guarded() ? strata_allocate(1, sizeof *left) : NULL;
    if (left) {
        *left = (struct left_types){request->ntypes, request->types};
        strata_by_mpi_later(free_left, left);
    } else {
        free_types(request->ntypes, request->types);
    }
}
