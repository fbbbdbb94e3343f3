#include "api/check_arguments.h"

#include "api/datatype.h"

struct call {
    const struct strata_signature *signature;
    int ranks;
};

/* Each check looks at one side; the send side is looked at only when it counts. */
typedef bool side_check(const struct call *call, const struct strata_side *side);

static bool vector(const struct call *call)
{
    return call->signature->collective == STRATA_ALLTOALLV;
}

static bool null_array(const struct call *call, const struct strata_side *side)
{
    return vector(call) && (!side->counts || !side->displs);
}

static bool negative_count(const struct call *call, const struct strata_side *side)
{
    int least = side->count;

    for (int i = 0; vector(call) && i < call->ranks; i++) {
        least = side->counts[i] < least ? side->counts[i] : least;
    }
    return least < 0;
}

static bool null_type(const struct call *call, const struct strata_side *side)
{
    (void)call;
    return side->type == MPI_DATATYPE_NULL;
}

static bool anything(const struct call *call, const struct strata_side *side)
{
    int most = side->count;

    for (int i = 0; vector(call) && i < call->ranks; i++) {
        most |= side->counts[i];
    }
    return most > 0;
}

/* A null address is MPI_BOTTOM, which only derived datatypes make sense of. */
static bool null_buffer(const struct call *call, const struct strata_side *side)
{
    return !side->buffer && anything(call, side) && strata_datatype_is_named(side->type);
}

static bool in_place_receive(const struct call *call, const struct strata_side *side)
{
    return side == &call->signature->recv && side->buffer == MPI_IN_PLACE;
}

/* Elements without a byte, such as an empty struct, overlap nothing. */
static bool empty(MPI_Datatype type)
{
    MPI_Count size = 1;

    PMPI_Type_size_x(type, &size);
    return size == 0;
}

/* Buffers that certainly overlap: this rank's own block is the same memory on both sides. */
static bool aliased(const struct call *call, const struct strata_side *side)
{
    const struct strata_side *send = &call->signature->send;
    const struct strata_side *recv = &call->signature->recv;
    int rank = 0;

    if (side != send || send->buffer != recv->buffer || send->type != recv->type ||
        empty(send->type)) {
        return false;
    }
    if (!vector(call)) {
        return send->count > 0;
    }
    PMPI_Comm_rank(call->signature->comm, &rank);
    return send->counts[rank] > 0 && send->displs[rank] == recv->displs[rank];
}

static const struct {
    side_check *wrong;
    int class;
    const char *text;
} checks[] = {
    {null_array, MPI_ERR_ARG, "an array of counts or displacements is null"},
    {negative_count, MPI_ERR_COUNT, "a count is negative"},
    {null_type, MPI_ERR_TYPE, "the datatype is MPI_DATATYPE_NULL"},
    {in_place_receive, MPI_ERR_BUFFER, "MPI_IN_PLACE is not allowed as receive buffer"},
    {null_buffer, MPI_ERR_BUFFER, "the buffer is null"},
    {aliased, MPI_ERR_BUFFER, "send and receive buffer are the same memory"},
};

int strata_check_arguments(const struct strata_signature *signature, int ranks, const char **text)
{
    const struct call call = {signature, ranks};

    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        if (checks[i].wrong(&call, &signature->recv) ||
            (!signature->in_place && checks[i].wrong(&call, &signature->send))) {
            *text = checks[i].text;
            return checks[i].class;
        }
    }
    return MPI_SUCCESS;
}
