/* What a request must keep of its call's arguments: a program may change its arrays, and free its
 * datatypes, as soon as the call has begun. */
#include <string.h>

#include "api/request/request.h"
#include "api/types/reduction_operator.h"
#include "core/base/memory.h"

/* The most that both sides have, for each rank. */
#define ARRAY_BYTES (4 * sizeof(int) + 2 * sizeof(MPI_Datatype))

struct owner {
    struct strata_request *request;
    unsigned char *free; /* of its arrays */
};

static void *keep_array(struct owner *owner, const void *array, int count, size_t size)
{
    void *kept = owner->free;

    memcpy(kept, array, (size_t)count * size);
    owner->free += (size_t)count * size;
    return kept;
}

/* Whether the program may free it. Predefined ones stay, those with a wanted precision or range
 * among them; operators are defined for them, and not for copies. */
static bool may_go(MPI_Datatype type)
{
    int ints, addresses, types;
    int combiner = MPI_COMBINER_NAMED;

    PMPI_Type_get_envelope(type, &ints, &addresses, &types, &combiner);
    return combiner != MPI_COMBINER_NAMED && combiner != MPI_COMBINER_F90_INTEGER &&
           combiner != MPI_COMBINER_F90_REAL && combiner != MPI_COMBINER_F90_COMPLEX;
}

/* One of the program's is handed the datatype, and may know it by its handle. */
static bool own_operator(const struct strata_signature *s)
{
    return strata_collective_reduces(s->collective) && !strata_operator_predefined(s->op);
}

/* Not by MPI_Type_dup, which would run the program's attribute callbacks. */
static int keep_type(struct owner *owner, MPI_Datatype *type)
{
    struct strata_request *r = owner->request;
    MPI_Datatype same = MPI_DATATYPE_NULL;
    int error;

    if (!may_go(*type) || own_operator(&r->signature)) {
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

static int keep_types(struct owner *owner, struct strata_side *side, int blocks)
{
    MPI_Datatype *types =
        keep_array(owner, side->types, blocks, sizeof *types); /* first: aligned as it must be */
    int error = MPI_SUCCESS;

    side->types = types;
    for (int i = 0; error == MPI_SUCCESS && i < blocks; i++) {
        if (side->counts[i] > 0) {
            error = keep_type(owner, &types[i]);
        } else {
            types[i] = MPI_BYTE; /* what stands there is not looked at */
        }
    }
    return error;
}

static int keep_side(struct owner *owner, struct strata_side *side)
{
    const struct strata_signature *s = &owner->request->signature;
    int blocks = strata_side_blocks(s, side);
    int error = MPI_SUCCESS;

    if (side->part == STRATA_NONE) {
        return MPI_SUCCESS;
    }
    side->datatype = NULL;
    if (side->types) {
        error = keep_types(owner, side, blocks);
    } else {
        error = keep_type(owner, &side->type);
    }
    if (strata_side_varies(s, side)) {
        side->counts = keep_array(owner, side->counts, blocks, sizeof(int));
        side->displs =
            side->displs ? keep_array(owner, side->displs, blocks, sizeof(int)) : side->displs;
    }
    return error;
}

int strata_request_own(struct strata_request *request)
{
    struct strata_signature *s = &request->signature;
    bool arrays = strata_collective_info[s->collective].varying;
    bool typed = s->send.types || s->recv.types;
    size_t ranks = arrays ? (size_t)s->ranks : 0;
    struct owner owner = {.request = request};
    int error;

    if (s->collective == STRATA_BARRIER) {
        return MPI_SUCCESS;
    }
    request->arrays = strata_allocate(ranks, ARRAY_BYTES);
    request->types = strata_allocate(typed ? 2 * ranks : 2, sizeof *request->types);
    if (!request->arrays || !request->types) {
        return MPI_ERR_NO_MEM;
    }
    owner.free = request->arrays;
    error = keep_side(&owner, &s->send);
    return error == MPI_SUCCESS ? keep_side(&owner, &s->recv) : error;
}

void strata_request_disown(struct strata_request *request)
{
    for (int i = 0; i < request->ntypes; i++) {
        PMPI_Type_free(&request->types[i]);
    }
    strata_release(request->arrays);
    strata_release(request->types);
}
