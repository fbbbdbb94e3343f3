#include "internode/mpi/describe_mpi.h"

#include <limits.h>

/* More elements than an int counts, in parts. */
static int describe_many(MPI_Datatype type, size_t elements, struct strata_description *d)
{
    enum { PART = 1 << 20 };
    MPI_Datatype part;
    MPI_Aint low = 0, extent = 0;
    if (elements / PART > INT_MAX) {
        return MPI_ERR_COUNT;
    }
    PMPI_Type_get_extent(type, &low, &extent);
    int error = PMPI_Type_contiguous(PART, type, &part);
    if (error) {
        return error;
    }
    int lengths[2] = {(int)(elements / PART), (int)(elements % PART)};
    MPI_Aint places[2] = {0, (MPI_Aint)(elements - elements % PART) * extent};
    MPI_Datatype types[2] = {part, type};
    *d = (struct strata_description){type, 1, false};
    error = PMPI_Type_create_struct(2, lengths, places, types, &d->type);
    PMPI_Type_free(&part);
    if (!error) {
        d->made = true;
        error = PMPI_Type_commit(&d->type);
    }
    return error;
}

int strata_describe_elements(MPI_Datatype type, size_t elements, struct strata_description *d)
{
    *d = (struct strata_description){type, (int)elements, false};
    return elements > INT_MAX ? describe_many(type, elements, d) : MPI_SUCCESS;
}

int strata_describe_bytes(size_t bytes, struct strata_description *d)
{
    return strata_describe_elements(MPI_BYTE, bytes, d);
}

/* Blocks without a datatype are plain bytes: the saved input of an in-place call. */
int strata_describe(const struct strata_layout *layout, int block, struct strata_description *d)
{
    size_t elements = strata_layout_elements(layout, block);
    const void *handle = layout->handles ? layout->handles[block] : layout->handle;
    if (!handle) {
        return strata_describe_bytes(elements, d);
    }
    return strata_describe_elements(*(const MPI_Datatype *)handle, elements, d);
}

void strata_forget(struct strata_description *d)
{
    if (d->made) {
        PMPI_Type_free(&d->type);
    }
}
