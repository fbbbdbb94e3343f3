#include "api/call/copy_elements.h"

#include "core/base/memory.h"
#include "internode/mpi/renamed_mpi.h"

enum { AT_ONCE = 1 << 20 }; /* bytes packed at once, or one element */

/* The packed bytes, which MPI counts with an int. */
struct packing {
    unsigned char *packed;
    int size;
    MPI_Datatype type;
    MPI_Comm comm;
};

static int copy_part(const struct packing *p, const void *from, void *into, int count)
{
    int end = 0, at = 0;
    int error = PMPI_Pack(from, count, p->type, p->packed, p->size, &end, p->comm);
    return error == MPI_SUCCESS ? PMPI_Unpack(p->packed, end, &at, into, count, p->type, p->comm)
                                : error;
}

static int copy_all(const struct packing *p, const unsigned char *from, unsigned char *into,
                    MPI_Count count, MPI_Count most)
{
    MPI_Aint low, extent;
    int error = PMPI_Type_get_extent(p->type, &low, &extent);
    for (MPI_Count at = 0; error == MPI_SUCCESS && at < count; at += most) {
        MPI_Count left = count - at;
        error =
            copy_part(p, from + at * extent, into + at * extent, (int)(left < most ? left : most));
    }
    return error;
}

int strata_copy_elements(const void *from, void *into, MPI_Count count, MPI_Datatype type,
                         MPI_Comm comm)
{
    struct packing p = {.type = type, .comm = comm};
    MPI_Count each = 0, most;
    int error = strata_type_size(type, &each);
    most = each > 0 && each < AT_ONCE ? AT_ONCE / each : 1;
    error = error == MPI_SUCCESS ? PMPI_Pack_size((int)most, type, comm, &p.size) : error;
    if (error != MPI_SUCCESS) {
        return error;
    }
    p.packed = strata_allocate((size_t)p.size + 1, 1);
    error = p.packed ? copy_all(&p, from, into, count, most) : MPI_ERR_NO_MEM;
    strata_release(p.packed);
    return error;
}
