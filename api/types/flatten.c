/* Takes derived datatypes apart (MPI_Type_get_envelope and contents), level by level. */
#include "api/types/flatten.h"

#include "api/types/constructors.h"
#include "core/base/memory.h"

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

/* NULL for what has to be probed. */
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
        c->ntypes = 0; /* there is none to free */
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

    if (PMPI_Type_size_x(type, &size) != MPI_SUCCESS || size < 0 ||
        PMPI_Type_get_true_extent_x(type, &lower_bound, &extent) != MPI_SUCCESS) {
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
