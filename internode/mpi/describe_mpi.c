#include "internode/mpi/describe_mpi.h"

#include <limits.h>

/* More bytes than an int counts, in parts. */
static int describe_many(size_t bytes, struct strata_description *d)
{
    enum { PART = 1 << 20 };
    MPI_Datatype part;
    if (bytes / PART > INT_MAX) {
        return MPI_ERR_COUNT;
    }
    int error = PMPI_Type_contiguous(PART, MPI_BYTE, &part);
    if (error) {
        return error;
    }
    int lengths[2] = {(int)(bytes / PART), (int)(bytes % PART)};
    MPI_Aint places[2] = {0, (MPI_Aint)(bytes - bytes % PART)};
    MPI_Datatype types[2] = {part, MPI_BYTE};
    error = PMPI_Type_create_struct(2, lengths, places, types, &d->type);
    PMPI_Type_free(&part);
    if (!error) {
        d->made = true;
        error = PMPI_Type_commit(&d->type);
    }
    return error;
}

int strata_describe_bytes(size_t bytes, struct strata_description *d)
{
    *d = (struct strata_description){MPI_BYTE, 1, false};
    if (bytes > INT_MAX) {
        return describe_many(bytes, d);
    }
    d->count = (int)bytes;
    return MPI_SUCCESS;
}

/* Blocks without a datatype of the caller's are plain bytes: what was saved of an in-place call. */
int strata_describe(const struct strata_layout *layout, int block, struct strata_description *d)
{
    size_t elements = strata_layout_elements(layout, block);
    const void *handle = layout->handles ? layout->handles[block] : layout->handle;
    if (!handle) {
        return strata_describe_bytes(elements, d);
    }
    *d = (struct strata_description){*(const MPI_Datatype *)handle, (int)elements, false};
    return elements > INT_MAX ? MPI_ERR_COUNT : MPI_SUCCESS;
}

void strata_forget(struct strata_description *d)
{
    if (d->made) {
        PMPI_Type_free(&d->type);
    }
}
