#include "internode/split/item.h"
#include "internode/split/work.h"

#include <string.h>

static size_t padded(size_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

size_t strata_item_bytes(size_t colour, size_t key)
{
    return sizeof(struct strata_item) + padded(colour) + padded(key);
}

static size_t colour_bytes(const struct strata_item *item)
{
    return item->colour > 0 ? (size_t)item->colour : 0;
}

size_t strata_item_size(const struct strata_item *item)
{
    return strata_item_bytes(colour_bytes(item), (size_t)item->key);
}

static void put(unsigned char *place, const void *bytes, size_t size)
{
    if (size > 0) {
        memcpy(place, bytes, size);
        memset(place + size, 0, padded(size) - size);
    }
}

size_t strata_item_pack(const struct strata_split *split, void *place)
{
    const struct strata_field *colour = &split->input->colour, *key = &split->input->key;
    struct strata_item *item = place;
    unsigned char *data = place;
    bool coloured = colour->enabled && !split->same_colour;
    *item = (struct strata_item){.rank = split->chain->rank, .address = split->chain->address};
    item->colour = split->input->undefined ? -1 : coloured ? (int32_t)colour->size : 0;
    item->key = key->enabled ? (int32_t)key->size : 0;
    data += sizeof *item;
    put(data, colour->bytes, colour_bytes(item));
    put(data + padded(colour_bytes(item)), key->bytes, (size_t)item->key);
    return strata_item_size(item);
}

static int compare_colours(const struct strata_split *split, const struct strata_item *a,
                           const struct strata_item *b)
{
    const struct strata_field *colour = &split->input->colour;
    if (a->colour < 0 || b->colour < 0) {
        return (a->colour < 0) - (b->colour < 0);
    }
    if (!colour->enabled || split->same_colour) {
        return 0;
    }
    return colour->compare(a + 1, (size_t)a->colour, b + 1, (size_t)b->colour, colour->context);
}

static int compare_keys(const struct strata_split *split, const struct strata_item *a,
                        const struct strata_item *b)
{
    const struct strata_field *key = &split->input->key;
    if (!key->enabled) {
        return 0;
    }
    return key->compare((const unsigned char *)(a + 1) + padded(colour_bytes(a)), (size_t)a->key,
                        (const unsigned char *)(b + 1) + padded(colour_bytes(b)), (size_t)b->key,
                        key->context);
}

int strata_item_compare(const struct strata_split *split, const void *a, const void *b)
{
    const struct strata_item *x = a, *y = b;
    strata_split_compared(split->station, strata_item_size(x) + strata_item_size(y));
    int order = compare_colours(split, x, y);
    order = order ? order : compare_keys(split, x, y);
    return order ? order : (x->rank > y->rank) - (x->rank < y->rank);
}

bool strata_item_same_group(const struct strata_split *split, const void *a, const void *b)
{
    strata_split_compared(split->station, strata_item_size(a) + strata_item_size(b));
    return compare_colours(split, a, b) == 0;
}

uint64_t strata_item_hash(const struct strata_split *split, unsigned round)
{
    const struct strata_field *colour = &split->input->colour;
    if (split->input->undefined || !colour->enabled) {
        return 0;
    }
    strata_split_hashed(split->station, colour->size);
    return colour->hash(colour->bytes, colour->size, round, colour->context);
}
