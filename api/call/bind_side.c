/* Lays out one side of a call, in the caller's memory or in a packed copy of it. */
#include <assert.h>
#include <limits.h>
#include <stdint.h>

#include "api/call/bind.h"
#include "core/base/memory.h"

void *strata_binding_array(struct strata_binding *binding, int words, size_t size)
{
    void *array = binding->arrays + binding->arrays_used;
    binding->arrays_used += ((size_t)words * size + 7) / 8 * 8;
    assert(binding->arrays_used <= binding->arrays_bytes);
    return array;
}

const struct strata_type *strata_binding_element(struct strata_binding *binding, size_t size)
{
    binding->element = strata_byte_type;
    binding->element.size = size;
    binding->element.extent = (ptrdiff_t)size;
    return &binding->element;
}

/* Places the blocks of the copy one behind another, in elements of the layout's type; in bytes
 * where blocks have several types. */
static int place_packed(const struct strata_signature *s, struct strata_bound *b, size_t *elements)
{
    int blocks = strata_side_blocks(s, b->side);
    bool typed = b->layout.types != NULL;
    *elements = 0;
    if (!strata_side_varies(s, b->side)) {
        *elements = (size_t)blocks * b->layout.count;
        return MPI_SUCCESS;
    }
    b->displacements = strata_allocate((size_t)blocks, sizeof *b->displacements);
    b->lengths = strata_allocate((size_t)blocks, sizeof *b->lengths);
    for (int i = 0; b->displacements && b->lengths && i < blocks; i++) {
        b->displacements[i] = (strata_displacement)*elements;
        b->lengths[i] =
            typed ? strata_layout_bytes(&b->layout, i) : strata_layout_elements(&b->layout, i);
        *elements += b->lengths[i];
    }
    return b->displacements && b->lengths ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

/* Lays out a contiguous copy. The layout's type is that of packed elements already. */
static int make_packed(const struct strata_signature *s, struct strata_bound *b,
                       const struct strata_datatype *datatype)
{
    size_t elements = 0;
    int error = place_packed(s, b, &elements);
    struct strata_layout *l = &b->layout;
    if (error != MPI_SUCCESS) {
        return error;
    }
    if (l->types) {
        l->types = NULL;
        l->handles = NULL;
        l->type = &strata_byte_type;
        l->handle = NULL;
    } else {
        l->handle = datatype->packed ? &datatype->handle : NULL;
    }
    b->packed = strata_allocate(elements, l->type->size);
    l->base = b->packed;
    l->counts = l->displs = NULL;
    l->lengths = b->lengths;
    l->displacements = b->displacements;
    return b->packed ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

/* Whether each block consists of contiguous elements, and has no more bytes than an int counts. */
static bool plain_blocks(const struct strata_side *side, const struct strata_type *const *types,
                         int blocks)
{
    bool plain = side->counts != NULL;
    for (int i = 0; plain && i < blocks; i++) {
        const struct strata_type *type = types[i];
        plain = type->contiguous && type->npieces > 0 && type->pieces[0].offset == 0 &&
                type->size <= INT_MAX / (side->counts[i] > 0 ? (size_t)side->counts[i] : 1);
    }
    return plain;
}

/* Lays out such blocks as blocks of an alltoallv of bytes. */
static void bind_bytes(struct strata_binding *binding, const struct strata_side *side, int blocks,
                       struct strata_layout *l)
{
    int *counts = strata_binding_array(binding, blocks, sizeof *counts);
    for (int i = 0; i < blocks; i++) {
        counts[i] = side->counts[i] * (int)l->types[i]->size;
    }
    l->counts = counts;
    l->types = NULL;
    l->handles = NULL;
    l->type = &strata_byte_type;
    l->handle = NULL;
}

/* alltoallw: finds a flattened type and MPI's handle for each block. An empty block has bytes. */
static int bind_types(struct strata_binding *binding, struct strata_bound *b, int blocks,
                      bool *packed)
{
    const struct strata_side *side = b->side;
    const struct strata_type **types = strata_binding_array(binding, blocks, sizeof *types);
    const void **handles = strata_binding_array(binding, blocks, sizeof *handles);
    int error = MPI_SUCCESS;
    for (int i = 0; i < blocks && error == MPI_SUCCESS; i++) {
        const struct strata_datatype *datatype = NULL;
        types[i] = &strata_byte_type;
        handles[i] = NULL;
        if (strata_side_counted(side, i) > 0) {
            error =
                strata_datatype_find(binding->process, side->types[i], binding->comm, &datatype);
        }
        if (datatype) {
            types[i] = &datatype->flat;
            handles[i] = &side->types[i];
            *packed = *packed || datatype->packed;
        }
    }
    b->layout.types = types;
    b->layout.handles = handles;
    if (error == MPI_SUCCESS && !*packed && plain_blocks(side, types, blocks)) {
        bind_bytes(binding, side, blocks, &b->layout);
    }
    return error;
}

/* Places blocks of operands one behind another. */
static const strata_displacement *place_operands(struct strata_binding *binding,
                                                 const struct strata_layout *l, int blocks)
{
    strata_displacement *displacements =
        strata_binding_array(binding, blocks, sizeof *displacements);
    strata_displacement sum = 0;
    for (int i = 0; i < blocks; i++) {
        displacements[i] = sum;
        sum += (strata_displacement)strata_layout_elements(l, i);
    }
    return displacements;
}

/* Takes the caller's arrays. */
static void bind_arrays(struct strata_binding *binding, const struct strata_side *side, int blocks,
                        struct strata_layout *l)
{
    _Static_assert(sizeof(MPI_Count) == sizeof(strata_length), "large counts are read in place");
    _Static_assert(sizeof(MPI_Aint) == sizeof(strata_displacement), "and displacements");
    l->counts = side->counts;
    l->displs = side->displs;
    l->lengths = (const strata_length *)side->large_counts;
    l->displacements = (const strata_displacement *)side->large_displs;
    if (!strata_side_has_displs(side)) {
        l->displacements = place_operands(binding, l, blocks);
    }
}

static bool has_elements(const struct strata_signature *s, const struct strata_side *side)
{
    int blocks = strata_side_blocks(s, side);
    int first = 0;
    while (first < blocks && strata_side_count(s, side, first) == 0) {
        first++;
    }
    return first < blocks;
}

/* Checks the datatypes of a side. On a side without elements it only checks whether they were
 * committed. */
static int check_types(const struct strata_signature *s, struct strata_side *side,
                       struct strata_process *process, MPI_Comm comm)
{
    int types = side->types ? strata_side_blocks(s, side) : side->part != STRATA_NONE;
    int error = MPI_SUCCESS;
    for (int i = 0; i < types && error == MPI_SUCCESS && !side->datatype; i++) {
        const struct strata_datatype *datatype = NULL;
        if (!side->types || strata_side_counted(side, i) > 0) {
            PMPI_Error_class(
                strata_datatype_find(process, strata_side_type(side, i), comm, &datatype), &error);
        }
        if (error != MPI_SUCCESS && error != MPI_ERR_TYPE &&
            (error == MPI_ERR_NO_MEM || !has_elements(s, side))) {
            error = MPI_SUCCESS;
        }
        side->datatype = side->types ? NULL : datatype;
    }
    return error;
}

int strata_bind_check(struct strata_signature *s, struct strata_process *process, MPI_Comm comm)
{
    int error;
    if (s->send.datatype && s->recv.datatype) {
        return MPI_SUCCESS; /* as in nearly all calls */
    }
    error = check_types(s, &s->send, process, comm);
    return error == MPI_SUCCESS ? check_types(s, &s->recv, process, comm) : error;
}

/* Whether operands are packed; then sets their type. Elements without bytes count as no
 * elements. */
static bool pack_operands(struct strata_binding *binding, struct strata_bound *b,
                          const struct strata_datatype *datatype)
{
    const size_t size = datatype->flat.size;
    if (size > 0 && !strata_operands_packed(datatype)) {
        return false;
    }
    b->layout.type = strata_binding_element(binding, size > 0 ? size : 1);
    if (size == 0) {
        b->layout.counts = NULL;
        b->layout.lengths = NULL;
        b->layout.count = 0;
    }
    return true;
}

int strata_bind_side(const struct strata_signature *signature, struct strata_binding *binding,
                     struct strata_bound *b, bool pack)
{
    const struct strata_side *side = b->side;
    const struct strata_datatype *datatype = side->datatype;
    int blocks = strata_side_blocks(signature, side);
    bool packed = false;
    int error = MPI_SUCCESS;
    b->map = NULL;
    b->layout.base = side->buffer;
    b->layout.handle = &side->type;
    if (strata_side_varies(signature, side)) {
        bind_arrays(binding, side, blocks, &b->layout);
    } else {
        b->layout.count = (size_t)side->count;
    }
    if (side->types) {
        error = bind_types(binding, b, blocks, &packed);
    } else {
        if (!datatype) {
            error = strata_datatype_find(binding->process, side->type, binding->comm, &datatype);
            error = error != MPI_SUCCESS && has_elements(signature, side) ? error : MPI_SUCCESS;
        }
        b->layout.type = datatype ? &datatype->flat : &strata_byte_type;
        packed = datatype && datatype->packed;
        if (datatype && !packed && strata_collective_reduces(signature->collective)) {
            packed = pack_operands(binding, b, datatype);
            b->map = packed ? &datatype->flat : NULL;
        }
    }
    if (error == MPI_SUCCESS && packed) {
        binding->holds = true;
        error = make_packed(signature, b, datatype);
        return error == MPI_SUCCESS && pack ? strata_convert(signature, binding, b, true) : error;
    }
    return error;
}
