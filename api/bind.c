#include "api/bind.h"

#include <limits.h>
#include <stdint.h>

#include "core/memory.h"

static struct strata_layout layout_of(const struct strata_side *side,
                                      const struct strata_datatype *datatype)
{
    return (struct strata_layout){
        .base = side->buffer,
        .type = &datatype->flat,
        .counts = side->counts,
        .displs = side->displs,
        .count = side->counts ? 0 : (size_t)side->count,
        .handle = &side->type,
    };
}

/* Runs MPI_Pack or MPI_Unpack over a block, few enough elements at a time for their int sizes. */
static int convert(const struct strata_binding *binding, struct strata_bound *b, int block,
                   bool pack)
{
    size_t size = b->datatype->flat.size;
    size_t most = INT_MAX / size;
    size_t left = strata_layout_elements(&b->layout, block);
    MPI_Count lower_bound = 0;
    MPI_Count extent = 0;
    unsigned char *packed = strata_layout_at(&b->layout, block);
    ptrdiff_t first = b->side->displs ? b->side->displs[block] : (ptrdiff_t)block * b->side->count;
    int error = PMPI_Type_get_extent_x(b->side->type, &lower_bound, &extent);
    uintptr_t at = (uintptr_t)b->side->buffer + (uintptr_t)(first * extent);

    while (left > 0 && error == MPI_SUCCESS) {
        size_t now = left < most ? left : most;
        int bytes = (int)(now * size);
        int position = 0;
        error = pack ? PMPI_Pack((void *)at, (int)now, b->side->type, packed, bytes, &position,
                                 binding->comm)
                     : PMPI_Unpack(packed, bytes, &position, (void *)at, (int)now, b->side->type,
                                   binding->comm);
        left -= now;
        packed += bytes;
        at += now * (uintptr_t)extent;
    }
    return error;
}

static int convert_all(const struct strata_binding *binding, struct strata_bound *b, bool pack)
{
    int error = MPI_SUCCESS;

    for (int i = 0; i < binding->ranks && error == MPI_SUCCESS; i++) {
        error = convert(binding, b, i, pack);
    }
    return error;
}

/* A contiguous place for all blocks; a type without a map has a size > 0. */
static int make_packed(const struct strata_binding *binding, struct strata_bound *b)
{
    size_t elements = 0;

    b->displs = strata_allocate((size_t)binding->ranks, sizeof *b->displs);
    for (int i = 0; b->displs && i < binding->ranks; i++) {
        b->displs[i] = (int)elements;
        elements += strata_layout_elements(&b->layout, i);
        if (elements > INT_MAX) {
            return MPI_ERR_COUNT;
        }
    }
    b->packed = strata_allocate(elements, b->datatype->flat.size);
    if (!b->packed || !b->displs) {
        return MPI_ERR_NO_MEM;
    }
    b->layout.base = b->packed;
    b->layout.displs = b->displs;
    b->layout.handle = &b->datatype->handle;
    return MPI_SUCCESS;
}

static int bind_side(struct strata_process *process, const struct strata_binding *binding,
                     struct strata_bound *b, bool pack)
{
    int error = strata_datatype_find(process, b->side->type, binding->comm, &b->datatype);

    if (error != MPI_SUCCESS) {
        return error;
    }
    b->layout = layout_of(b->side, b->datatype);
    if (!b->datatype->packed) {
        return MPI_SUCCESS;
    }
    error = make_packed(binding, b);
    return error == MPI_SUCCESS && pack ? convert_all(binding, b, true) : error;
}

int strata_bind(struct strata_process *process, const struct strata_signature *signature,
                struct strata_binding *binding)
{
    int error;

    binding->recv.side = &signature->recv;
    binding->send.side = &signature->send;
    error = bind_side(process, binding, &binding->recv, signature->in_place);
    if (error == MPI_SUCCESS && !signature->in_place) {
        error = bind_side(process, binding, &binding->send, true);
    }
    return error;
}

int strata_deliver(struct strata_binding *binding)
{
    return binding->recv.packed ? convert_all(binding, &binding->recv, false) : MPI_SUCCESS;
}

void strata_unbind(struct strata_binding *binding)
{
    strata_release(binding->send.packed);
    strata_release(binding->send.displs);
    strata_release(binding->recv.packed);
    strata_release(binding->recv.displs);
}
