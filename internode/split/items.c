/* Lists of items: merged, indexed, sorted in place. */
#include <string.h>

#include "internode/split/items.h"

#include "internode/split/item.h"
#include "internode/split/work.h"

static const struct strata_item *at(const struct strata_items *items, size_t offset)
{
    return (const void *)(items->bytes + offset);
}

void strata_items_merge(const struct strata_split *split, const struct strata_items *a,
                        const struct strata_items *b, struct strata_items *c)
{
    size_t i = 0, j = 0;
    c->size = 0;
    while (i < a->size || j < b->size) {
        bool first =
            j == b->size || (i < a->size && strata_item_compare(split, at(a, i), at(b, j)) < 0);
        const struct strata_item *item = first ? at(a, i) : at(b, j);
        size_t size = strata_item_size(item);
        memcpy(c->bytes + c->size, item, size);
        c->size += size;
        *(first ? &i : &j) += size;
        strata_split_copied(split->station, size, 1);
    }
}

int strata_items_index(const struct strata_items *items, size_t *where)
{
    int count = 0;
    for (size_t offset = 0; offset < items->size; offset += strata_item_size(at(items, offset))) {
        where[count++] = offset;
    }
    return count;
}

/* Heap sort: no memory, and no worst case that a caller could bring about. */
struct heap {
    const struct strata_split *split;
    const struct strata_items *items;
    size_t *where;
};

static bool below(const struct heap *h, int i, int j)
{
    return strata_item_compare(h->split, at(h->items, h->where[i]), at(h->items, h->where[j])) < 0;
}

static void swap(const struct heap *h, int i, int j)
{
    size_t other = h->where[i];
    h->where[i] = h->where[j];
    h->where[j] = other;
}

static void sink(const struct heap *h, int i, int count)
{
    for (int child = 2 * i + 1; child < count; i = child, child = 2 * i + 1) {
        child += child + 1 < count && below(h, child, child + 1);
        if (!below(h, i, child)) {
            return;
        }
        swap(h, i, child);
    }
}

void strata_items_sort(const struct strata_split *split, const struct strata_items *items,
                       size_t *where, int count)
{
    const struct heap h = {split, items, where};
    for (int i = count / 2 - 1; i >= 0; i--) {
        sink(&h, i, count);
    }
    for (int last = count - 1; last > 0; last--) {
        swap(&h, 0, last);
        sink(&h, 0, last);
    }
}
