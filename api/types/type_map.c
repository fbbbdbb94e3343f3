#include "api/types/type_map.h"

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
