/* Packs and unpacks a side's blocks: by their map, or with MPI if they have none. MPICH's MPI_Pack
 * refuses blocks at MPI_BOTTOM. */
#include <limits.h>
#include <stdint.h>

#include "api/call/bind.h"
#include "api/process/by_mpi.h"

/* Consecutive elements of the caller's. Their address is an integer, for the origin of a datatype
 * may lie outside the buffer. */
struct elements {
    MPI_Datatype type;
    MPI_Count count;
    uintptr_t at;
};

static struct elements elements_of(const struct strata_signature *s, const struct strata_side *side,
                                   int block)
{
    struct elements e = {strata_side_type(side, block), strata_side_count(s, side, block), 0};
    MPI_Aint lower_bound = 0;
    MPI_Aint extent = 1;
    MPI_Aint first = (MPI_Aint)block * (MPI_Aint)side->count;
    if (e.count > 0) {
        if (!side->types) {
            PMPI_Type_get_extent(e.type, &lower_bound, &extent);
        }
        if (strata_side_varies(s, side)) {
            first = strata_side_displaced(side, block);
        }
        e.at = (uintptr_t)side->buffer + (uintptr_t)(first * extent);
    }
    return e;
}

static unsigned char *convert_mapped(const struct strata_type *map, struct elements e,
                                     unsigned char *packed, bool pack)
{
    const struct strata_span span = {
        .origin = (unsigned char *)e.at, .type = map, .bytes = (size_t)e.count * map->size};
    if (span.bytes > 0) {
        pack ? strata_span_pack(&span, packed) : strata_span_unpack(&span, packed);
    }
    return packed + span.bytes;
}

/* Runs MPI_Pack or MPI_Unpack, on few enough elements at a time for an int to hold their bytes.
 * *packed moves behind them. */
static int convert_by_mpi(const struct strata_binding *binding, struct elements e,
                          unsigned char **packed, bool pack)
{
    MPI_Aint lower_bound = 0;
    MPI_Aint extent = 0;
    int size = 0;
    int error = e.count > 0 ? PMPI_Type_size(e.type, &size) : MPI_SUCCESS;
    if (e.count > 0 && error == MPI_SUCCESS) {
        error = PMPI_Type_get_extent(e.type, &lower_bound, &extent);
    }
    while (e.count > 0 && size > 0 && error == MPI_SUCCESS) {
        int now = e.count < INT_MAX / size ? (int)e.count : INT_MAX / size;
        int position = 0;
        error = pack ? PMPI_Pack((void *)e.at, now, e.type, *packed, now * size, &position,
                                 binding->comm)
                     : PMPI_Unpack(*packed, now * size, &position, (void *)e.at, now, e.type,
                                   binding->comm);
        e.count -= now;
        *packed += (size_t)now * (size_t)size;
        e.at += (uintptr_t)now * (uintptr_t)extent;
    }
    return error;
}

static int convert(const struct strata_binding *binding, const struct strata_bound *bound,
                   struct elements e, unsigned char **packed, bool pack)
{
    if (!bound->map) {
        return convert_by_mpi(binding, e, packed, pack);
    }
    *packed = convert_mapped(bound->map, e, *packed, pack);
    return MPI_SUCCESS;
}

/* The conversion of a side. */
struct conversion {
    const struct strata_signature *signature;
    const struct strata_binding *binding;
    const struct strata_bound *bound;
    bool pack;
};

static int convert_side(void *argument)
{
    const struct conversion *c = argument;
    const struct strata_signature *signature = c->signature;
    const struct strata_binding *binding = c->binding;
    const struct strata_bound *bound = c->bound;
    const bool pack = c->pack;
    const struct strata_side *side = bound->side;
    unsigned char *packed = bound->packed;
    int blocks = strata_side_blocks(signature, side);
    int error = MPI_SUCCESS;
    if (strata_side_varies(signature, side) && !strata_side_has_displs(side)) {
        struct elements all = {side->type, side->sum, (uintptr_t)side->buffer};
        return convert(binding, bound, all, &packed, pack);
    }
    for (int i = 0; i < blocks && error == MPI_SUCCESS; i++) {
        error = convert(binding, bound, elements_of(signature, side, i), &packed, pack);
    }
    return error;
}

int strata_convert(const struct strata_signature *signature, const struct strata_binding *binding,
                   const struct strata_bound *bound, bool pack)
{
    struct conversion conversion = {signature, binding, bound, pack};
    return strata_by_mpi(convert_side, &conversion);
}
