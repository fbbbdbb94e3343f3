#include "api/types/packed_operands.h"

#include <stdint.h>

#include "core/base/memory.h"
#include "internode/mpi/renamed_mpi.h"

/* Bytes of the elements that an operator gets at once, and the alignment of memory. */
enum { AT_ONCE = 4096, ALIGNMENT = 16 };

/* The bytes from the first element to the end of the last, and how many elements fit. Elements that
 * overlap each other's gaps go one at a time, for the operator may write the gaps. */
static size_t room_of(MPI_Datatype type, MPI_Count *first, size_t *at_once)
{
    MPI_Count low = 0, extent = 0, length = 0;
    strata_type_extent(type, &low, &extent);
    strata_type_true_extent(type, first, &length);
    bool apart = extent >= length && extent > 0;
    *at_once = apart && extent < AT_ONCE ? (size_t)(AT_ONCE / extent) : 1;
    return (*at_once - 1) * (size_t)(apart ? extent : 0) + (size_t)length;
}

/* The origin of an element, which may lie outside the element, has the alignment of any memory. */
static unsigned char *origin_in(unsigned char *memory, MPI_Count first)
{
    MPI_Count above = (first % ALIGNMENT + ALIGNMENT) % ALIGNMENT;
    return (unsigned char *)((uintptr_t)memory + (uintptr_t)(above - first));
}

int strata_packed_operands_init(struct strata_packed_operands *p,
                                const struct strata_datatype *datatype, MPI_Datatype type,
                                MPI_Comm comm)
{
    size_t at_once = 0;
    MPI_Count first = 0;
    size_t room = room_of(type, &first, &at_once) / ALIGNMENT + 2;
    unsigned char *memory = strata_allocate(room, 2 * (size_t)ALIGNMENT);
    if (!memory) {
        return MPI_ERR_NO_MEM;
    }
    *p = (struct strata_packed_operands){.datatype = datatype,
                                         .type = type,
                                         .comm = comm,
                                         .memory = memory,
                                         .left = origin_in(memory, first),
                                         .right = origin_in(memory + room * ALIGNMENT, first),
                                         .at_once = at_once};
    return MPI_SUCCESS;
}

void strata_packed_operands_fini(struct strata_packed_operands *p)
{
    strata_release(p->memory);
    p->memory = NULL;
}

static struct strata_span span_of(const struct strata_packed_operands *p, size_t elements,
                                  unsigned char *origin)
{
    const struct strata_type *type = &p->datatype->flat;
    return (struct strata_span){.origin = origin, .type = type, .bytes = elements * type->size};
}

/* MPI counts bytes with an int, which holds one element's bytes. */
int strata_packed_operands_open(const struct strata_packed_operands *p, const void *packed,
                                size_t elements, unsigned char *origin)
{
    const struct strata_span span = span_of(p, elements, origin);
    int at = 0;
    if (p->datatype->packed) {
        return PMPI_Unpack(packed, (int)span.bytes, &at, origin, (int)elements, p->type, p->comm);
    }
    strata_span_unpack(&span, packed);
    return MPI_SUCCESS;
}

int strata_packed_operands_close(const struct strata_packed_operands *p, unsigned char *origin,
                                 size_t elements, void *packed)
{
    const struct strata_span span = span_of(p, elements, origin);
    int at = 0;
    if (p->datatype->packed) {
        return PMPI_Pack(origin, (int)elements, p->type, packed, (int)span.bytes, &at, p->comm);
    }
    strata_span_pack(&span, packed);
    return MPI_SUCCESS;
}
