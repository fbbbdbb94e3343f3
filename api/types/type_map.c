#include "api/types/type_map.h"

#include "api/types/flatten.h"
#include "core/base/memory.h"

static int grow(struct strata_map *list)
{
    size_t capacity = list->capacity ? 2 * list->capacity : 8;
    struct strata_piece *items;
    if (list->used == STRATA_MOST_PIECES) {
        return STRATA_ERR_UNSUPPORTED;
    }
    items = strata_reallocate(list->items, capacity, sizeof *items);
    if (!items) {
        return STRATA_ERR_MEMORY;
    }
    list->items = items;
    list->capacity = capacity;
    return STRATA_OK;
}

int strata_map_add(struct strata_map *list, ptrdiff_t offset, size_t length)
{
    struct strata_piece *last = list->used > 0 ? &list->items[list->used - 1] : NULL;
    if (length == 0) {
        return STRATA_OK;
    }
    if (last && last->offset + (ptrdiff_t)last->length == offset) {
        last->length += length;
        return STRATA_OK;
    }
    if (!list->items || list->used == list->capacity) {
        int error = grow(list);
        if (error != STRATA_OK) {
            return error;
        }
    }
    list->items[list->used++] = (struct strata_piece){offset, length};
    return STRATA_OK;
}

int strata_map_repeat(struct strata_map *list, const struct strata_map *element, ptrdiff_t extent,
                      ptrdiff_t offset, ptrdiff_t count)
{
    const struct strata_piece *only = element->items;
    if (element->used == 0 || count <= 0) {
        return STRATA_OK;
    }
    if (element->used == 1 && (ptrdiff_t)only->length == extent) {
        return strata_map_add(list, offset + only->offset, only->length * (size_t)count);
    }
    for (ptrdiff_t i = 0; i < count; i++) {
        for (size_t j = 0; j < element->used; j++) {
            const struct strata_piece *piece = &element->items[j];
            int error = strata_map_add(list, offset + i * extent + piece->offset, piece->length);
            if (error != STRATA_OK) {
                return error;
            }
        }
    }
    return STRATA_OK;
}

void strata_map_free(struct strata_map *list)
{
    strata_release(list->items);
    *list = (struct strata_map){0};
}

/* Adds `length` consecutive elements at a byte offset. */
static int block(const struct strata_contents *c, struct strata_map *map, ptrdiff_t offset,
                 int length)
{
    return strata_map_repeat(map, &c->element, c->extent, offset, length);
}

static int flatten_same(struct strata_contents *c, struct strata_map *map)
{
    return block(c, map, 0, 1);
}

static int flatten_contiguous(struct strata_contents *c, struct strata_map *map)
{
    return block(c, map, 0, c->ints[0]);
}

/* Strides count extents in a vector and bytes in an hvector. */
static int flatten_vector(struct strata_contents *c, struct strata_map *map)
{
    ptrdiff_t stride =
        c->combiner == MPI_COMBINER_VECTOR ? c->ints[2] * c->extent : c->addresses[0];
    int error = STRATA_OK;
    for (int i = 0; i < c->ints[0] && error == STRATA_OK; i++) {
        error = block(c, map, i * stride, c->ints[1]);
    }
    return error;
}

static int flatten_indexed(struct strata_contents *c, struct strata_map *map)
{
    int count = c->ints[0];
    int error = STRATA_OK;
    for (int i = 0; i < count && error == STRATA_OK; i++) {
        ptrdiff_t offset = c->combiner == MPI_COMBINER_INDEXED ? c->ints[1 + count + i] * c->extent
                                                               : c->addresses[i];
        error = block(c, map, offset, c->ints[1 + i]);
    }
    return error;
}

static int flatten_indexed_block(struct strata_contents *c, struct strata_map *map)
{
    int error = STRATA_OK;
    for (int i = 0; i < c->ints[0] && error == STRATA_OK; i++) {
        ptrdiff_t offset = c->combiner == MPI_COMBINER_INDEXED_BLOCK ? c->ints[2 + i] * c->extent
                                                                     : c->addresses[i];
        error = block(c, map, offset, c->ints[1]);
    }
    return error;
}

static int flatten_struct(struct strata_contents *c, struct strata_map *map)
{
    int error = STRATA_OK;
    for (int i = 0; i < c->ints[0] && error == STRATA_OK; i++) {
        error = strata_contents_take(c, i);
        if (error == STRATA_OK) {
            error = block(c, map, c->addresses[i], c->ints[1 + i]);
        }
    }
    return error;
}

/* Moves the odometer over all dimensions but the fastest one step on; false after the last one. */
static bool subarray_next(int *index, const int *subsizes, int dims, bool last_fastest)
{
    for (int i = 1; i < dims; i++) {
        int d = last_fastest ? dims - 1 - i : i;
        if (++index[d] < subsizes[d]) {
            return true;
        }
        index[d] = 0;
    }
    return false;
}

/* The number of elements before the one at starts + index. */
static ptrdiff_t subarray_position(const int *index, const int *ints, int dims, bool last_fastest)
{
    const int *sizes = ints + 1;
    const int *starts = ints + 1 + 2 * dims;
    ptrdiff_t position = 0;
    for (int i = 0; i < dims; i++) {
        int d = last_fastest ? i : dims - 1 - i; /* slowest first */
        position = position * sizes[d] + starts[d] + index[d];
    }
    return position;
}

/* By the standard ABI, too, Open MPI 6.0.0rc2 gives its own numbers. */
enum { OPEN_MPI_ORDER_C, OPEN_MPI_ORDER_FORTRAN };

/* The order of a subarray's dimensions; false where it is none. */
static bool order_of(int order, bool *last_fastest)
{
    *last_fastest = order == MPI_ORDER_C || order == OPEN_MPI_ORDER_C;
    return *last_fastest || order == MPI_ORDER_FORTRAN || order == OPEN_MPI_ORDER_FORTRAN;
}

static int flatten_subarray(struct strata_contents *c, struct strata_map *map)
{
    int dims = c->ints[0];
    const int *subsizes = c->ints + 1 + dims;
    bool last_fastest;
    if (!order_of(c->ints[1 + 3 * dims], &last_fastest)) {
        return STRATA_ERR_UNSUPPORTED; /* packed as a whole */
    }
    int fastest = last_fastest ? dims - 1 : 0;
    int *index = strata_allocate((size_t)dims, sizeof *index);
    int error = index ? STRATA_OK : STRATA_ERR_MEMORY;
    if (index) {
        do {
            ptrdiff_t position = subarray_position(index, c->ints, dims, last_fastest);
            error = block(c, map, position * c->extent, subsizes[fastest]);
        } while (error == STRATA_OK && subarray_next(index, subsizes, dims, last_fastest));
    }
    strata_release(index);
    return error;
}

static const struct strata_constructor constructors[] = {
    {MPI_COMBINER_DUP, true, flatten_same},
    {MPI_COMBINER_RESIZED, true, flatten_same},
    {MPI_COMBINER_CONTIGUOUS, true, flatten_contiguous},
    {MPI_COMBINER_VECTOR, true, flatten_vector},
    {MPI_COMBINER_HVECTOR, true, flatten_vector},
    {MPI_COMBINER_INDEXED, true, flatten_indexed},
    {MPI_COMBINER_HINDEXED, true, flatten_indexed},
    {MPI_COMBINER_INDEXED_BLOCK, true, flatten_indexed_block},
    {MPI_COMBINER_HINDEXED_BLOCK, true, flatten_indexed_block},
    {MPI_COMBINER_SUBARRAY, true, flatten_subarray},
    {MPI_COMBINER_STRUCT, false, flatten_struct},
};

const struct strata_constructor *strata_constructor_find(int combiner)
{
    for (size_t i = 0; i < sizeof constructors / sizeof constructors[0]; i++) {
        if (constructors[i].combiner == combiner) {
            return &constructors[i];
        }
    }
    return NULL;
}
