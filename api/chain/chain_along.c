#include "api/chain/chain_along.h"

#include "api/life/life.h"
#include "internode/mpi/renamed_mpi.h"

static int raise_error(const struct strata_along *a, int code, const char *text)
{
    return strata_chain_raise(a->chain, code, a->name, text);
}

/* Elements must lie one behind another, or be pairs of MPI_MINLOC, which have gaps. */
static const char *measure(struct strata_along *a)
{
    MPI_Aint low = 0, true_low = 0, true_extent = 0;
    MPI_Count size = 0; /* a byte count may be beyond an int */
    int integers = 0, addresses = 0, types = 0, combiner = 0;
    if (strata_type_size(a->datatype, &size) != MPI_SUCCESS ||
        PMPI_Type_get_extent(a->datatype, &low, &a->extent) != MPI_SUCCESS ||
        PMPI_Type_get_true_extent(a->datatype, &true_low, &true_extent) != MPI_SUCCESS ||
        PMPI_Type_get_envelope(a->datatype, &integers, &addresses, &types, &combiner) !=
            MPI_SUCCESS) {
        return "the datatype cannot be used";
    }
    a->bytes = (size_t)a->count * (size_t)a->extent;
    const bool dense = size == a->extent && true_extent == a->extent;
    return low == 0 && true_low == 0 && (dense || combiner == MPI_COMBINER_NAMED)
               ? NULL
               : "the datatype is not contiguous";
}

int strata_along_check(struct strata_along *a, int root)
{
    const char *wrong = NULL;
    if (!a->chain) {
        return raise_error(a, MPI_ERR_ARG, "the chain is null");
    }
    if (a->count < 0) {
        return raise_error(a, MPI_ERR_COUNT, "the count is negative");
    }
    if (a->datatype == MPI_DATATYPE_NULL || (wrong = measure(a))) {
        return raise_error(a, MPI_ERR_TYPE,
                           a->datatype == MPI_DATATYPE_NULL ? "the datatype is null" : wrong);
    }
    if (root < 0 || root >= a->chain->links.size) {
        return raise_error(a, MPI_ERR_ROOT, "the root is no rank of the chain");
    }
    return MPI_SUCCESS;
}

/* A small need is met by the call's own memory. Where a rank may need more, the ranks agree that
 * all have it. */
int strata_along_prepare_own(struct strata_along *a, size_t bytes, size_t most)
{
    a->memory = a->small;
    if (most <= sizeof a->small) {
        return MPI_SUCCESS;
    }
    a->memory = strata_station_allocate(&a->chain->station, bytes);
    int error = strata_chain_agree(&a->chain->station, &a->chain->links,
                                   a->memory ? STRATA_OK : STRATA_ERR_MEMORY);
    if (error) {
        strata_station_release(&a->chain->station, a->memory);
        return raise_error(a, strata_error_class(error), strata_error_text(error));
    }
    return MPI_SUCCESS;
}

int strata_along_prepare(struct strata_along *a, size_t bytes)
{
    return strata_along_prepare_own(a, bytes, bytes);
}

int strata_along_finish(struct strata_along *a, int error)
{
    if (a->memory != a->small) {
        strata_station_release(&a->chain->station, a->memory);
    }
    return error ? raise_error(a, strata_error_class(error), strata_error_text(error))
                 : MPI_SUCCESS;
}

void strata_along_combine(void *context, const void *left, void *right)
{
    const struct strata_along *a = context;
    (void)strata_operator_apply(&a->chain->combination.base, left, right, (size_t)a->count);
}

int strata_along_check_buffer(const struct strata_along *a, const void *buffer)
{
    if (buffer == MPI_IN_PLACE || (!buffer && a->bytes > 0)) {
        return raise_error(a, MPI_ERR_BUFFER, "a buffer is null or MPI_IN_PLACE");
    }
    return MPI_SUCCESS;
}

/* MPI checks operator and datatype, once for equal pairs in a row. */
int strata_along_check_operator(const struct strata_along *a)
{
    struct strata_chain *chain = a->chain;
    struct strata_process *process = strata_process();
    if (!process) {
        return raise_error(a, MPI_ERR_OTHER, "MPI is not running");
    }
    if (!chain->operator_known || chain->combination.op != a->op ||
        chain->combination.type != a->datatype) {
        int error = strata_operator_check(process, a->op, a->datatype);
        chain->operator_known = error == MPI_SUCCESS;
        strata_operator_init(&chain->combination, a->op, a->datatype, a->extent);
        if (error != MPI_SUCCESS) {
            return raise_error(a, error, "the operator is null, or not one for this datatype");
        }
    }
    return MPI_SUCCESS;
}
