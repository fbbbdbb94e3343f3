/* Takes derived datatypes apart, level by level (MPI_Type_get_envelope and MPI_Type_get_contents).
 * A type that cannot be taken apart is probed: MPI packs a buffer whose bytes hold their own
 * positions, one digit in base 256 at a time, and the packed bytes say where they came from. */
#include "api/types/flatten.h"

#include <stdint.h>

#include "core/base/memory.h"
#include "internode/mpi/renamed_mpi.h"

#define MOST_BYTES ((MPI_Count)64 << 20)

struct probe {
    MPI_Datatype type; /* a committed copy */
    MPI_Comm comm;
    int extent; /* bytes of the true extent */
    MPI_Aint lower_bound;
    int size;
    unsigned char *buffer; /* [extent] */
    unsigned char *packed; /* [size] */
    uint32_t *position;    /* [size] where each packed byte came from */
};

static int pack_digit(struct probe *p, int digit)
{
    int at = 0;
    for (int i = 0; i < p->extent; i++) {
        p->buffer[i] = (unsigned char)((unsigned)i >> 8 * digit);
    }
    /* the element's origin may lie outside the buffer, so it is computed as an integer */
    if (PMPI_Pack((void *)((uintptr_t)p->buffer - (uintptr_t)p->lower_bound), 1, p->type, p->packed,
                  p->size, &at, p->comm) != MPI_SUCCESS ||
        at != p->size) {
        return STRATA_ERR_UNSUPPORTED;
    }
    for (int i = 0; i < p->size; i++) {
        p->position[i] |= (uint32_t)p->packed[i] << 8 * digit;
    }
    return STRATA_OK;
}

static int read_map(struct probe *p, struct strata_map *map)
{
    int error = STRATA_OK;
    for (int digit = 0; digit < 4 && error == STRATA_OK; digit++) {
        if (digit == 0 || (unsigned)(p->extent - 1) >> 8 * digit) {
            error = pack_digit(p, digit);
        }
    }
    for (int i = 0; i < p->size && error == STRATA_OK; i++) {
        error = strata_map_add(map, p->lower_bound + (ptrdiff_t)p->position[i], 1);
    }
    return error;
}

static int measure(MPI_Datatype type, struct probe *p)
{
    MPI_Count size = 0;
    MPI_Count lower_bound = 0;
    MPI_Count extent = 0;
    if (strata_type_size(type, &size) != MPI_SUCCESS ||
        strata_type_true_extent(type, &lower_bound, &extent) != MPI_SUCCESS || size <= 0 ||
        size > MOST_BYTES || extent <= 0 || extent > MOST_BYTES) {
        return STRATA_ERR_UNSUPPORTED;
    }
    p->size = (int)size;
    p->extent = (int)extent;
    p->lower_bound = lower_bound;
    return STRATA_OK;
}

/* A type inside another one need not be committed, so a copy is committed. */
static int commit_copy(MPI_Datatype type, struct probe *p)
{
    if (PMPI_Type_dup(type, &p->type) != MPI_SUCCESS) {
        p->type = MPI_DATATYPE_NULL;
        return STRATA_ERR_UNSUPPORTED;
    }
    return PMPI_Type_commit(&p->type) == MPI_SUCCESS ? STRATA_OK : STRATA_ERR_UNSUPPORTED;
}

int strata_probe(MPI_Datatype type, MPI_Comm comm, struct strata_map *map)
{
    struct probe p = {.type = MPI_DATATYPE_NULL, .comm = comm};
    int error = measure(type, &p);
    if (error == STRATA_OK) {
        error = commit_copy(type, &p);
    }
    if (error == STRATA_OK) {
        p.buffer = strata_allocate((size_t)p.extent, 1);
        p.packed = strata_allocate((size_t)p.size, 1);
        p.position = strata_allocate((size_t)p.size, sizeof *p.position);
        error = p.buffer && p.packed && p.position ? read_map(&p, map) : STRATA_ERR_MEMORY;
    }
    if (p.type != MPI_DATATYPE_NULL) {
        PMPI_Type_free(&p.type);
    }
    strata_release(p.buffer);
    strata_release(p.packed);
    strata_release(p.position);
    return error;
}

int strata_contents_take(struct strata_contents *c, int index)
{
    MPI_Aint lower_bound = 0;
    MPI_Aint extent = 0;
    c->element.used = 0;
    if (PMPI_Type_get_extent(c->types[index], &lower_bound, &extent) != MPI_SUCCESS) {
        return STRATA_ERR_UNSUPPORTED;
    }
    c->extent = extent;
    return strata_flatten(c->types[index], c->comm, &c->element);
}

/* NULL: the type has to be probed. */
static const struct strata_constructor *find_constructor(MPI_Datatype type,
                                                         struct strata_contents *c)
{
#if MPI_VERSION >= 4
    MPI_Count ints = 0;
    MPI_Count addresses = 0;
    MPI_Count large = 0;
    MPI_Count types = 0;
    if (PMPI_Type_get_envelope_c(type, &ints, &addresses, &large, &types, &c->combiner) !=
            MPI_SUCCESS ||
        large > 0) {
        return NULL;
    }
    c->nints = (int)ints;
    c->naddresses = (int)addresses;
    c->ntypes = (int)types;
#else
    if (PMPI_Type_get_envelope(type, &c->nints, &c->naddresses, &c->ntypes, &c->combiner) !=
        MPI_SUCCESS) {
        return NULL;
    }
#endif
    return strata_constructor_find(c->combiner);
}

static int get_contents(MPI_Datatype type, struct strata_contents *c)
{
    c->ints = strata_allocate((size_t)c->nints, sizeof *c->ints);
    c->addresses = strata_allocate((size_t)c->naddresses, sizeof *c->addresses);
    c->types = strata_allocate((size_t)c->ntypes, sizeof(MPI_Datatype));
    if (!c->ints || !c->addresses || !c->types) {
        c->ntypes = 0; /* no type has to be freed */
        return STRATA_ERR_MEMORY;
    }
    if (PMPI_Type_get_contents(type, c->nints, c->naddresses, c->ntypes, c->ints, c->addresses,
                               c->types) != MPI_SUCCESS) {
        c->ntypes = 0;
        return STRATA_ERR_UNSUPPORTED;
    }
    return STRATA_OK;
}

static void free_contents(struct strata_contents *c)
{
    for (int i = 0; i < c->ntypes; i++) {
        int ints, addresses, types, combiner;
        if (PMPI_Type_get_envelope(c->types[i], &ints, &addresses, &types, &combiner) ==
                MPI_SUCCESS &&
            combiner != MPI_COMBINER_NAMED && combiner != MPI_COMBINER_F90_REAL &&
            combiner != MPI_COMBINER_F90_COMPLEX && combiner != MPI_COMBINER_F90_INTEGER) {
            PMPI_Type_free(&c->types[i]);
        }
    }
    strata_release(c->ints);
    strata_release(c->addresses);
    strata_release(c->types);
    strata_map_free(&c->element);
}

static int take_apart(MPI_Datatype type, const struct strata_constructor *constructor,
                      struct strata_contents *c, struct strata_map *map)
{
    int error = get_contents(type, c);
    if (error == STRATA_OK && constructor->single) {
        error = strata_contents_take(c, 0);
    }
    if (error == STRATA_OK) {
        error = constructor->flatten(c, map);
    }
    free_contents(c);
    return error;
}

int strata_flatten(MPI_Datatype type, MPI_Comm comm, struct strata_map *map)
{
    struct strata_contents c = {.comm = comm};
    const struct strata_constructor *constructor = find_constructor(type, &c);
    MPI_Count size = 0;
    MPI_Count lower_bound = 0;
    MPI_Count extent = 0;
    if (strata_type_size(type, &size) != MPI_SUCCESS || size < 0 ||
        strata_type_true_extent(type, &lower_bound, &extent) != MPI_SUCCESS) {
        return STRATA_ERR_UNSUPPORTED;
    }
    if (size == 0) {
        return STRATA_OK;
    }
    if (c.combiner == MPI_COMBINER_NAMED && size == extent) {
        return strata_map_add(map, lower_bound, (size_t)size);
    }
    return constructor ? take_apart(type, constructor, &c, map) : strata_probe(type, comm, map);
}
