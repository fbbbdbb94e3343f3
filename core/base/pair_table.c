#include "core/base/pair_table.h"

#include "core/base/error.h"
#include "core/base/memory.h"

/* The place where the key is, or would be. The table always has a free place. */
static struct strata_pair *place_of(const struct strata_pair_table *table, uint64_t key)
{
    uint64_t at = (key * 0x9e3779b97f4a7c15u) >> 20;
    for (;; at++) {
        struct strata_pair *pair = &table->pairs[at & (table->capacity - 1)];
        if (pair->key == key || pair->key == 0) {
            return pair;
        }
    }
}

static int grow(struct strata_pair_table *table)
{
    struct strata_pair_table larger = *table;
    larger.capacity = table->capacity ? 4 * table->capacity : 256;
    larger.pairs = strata_allocate(larger.capacity, sizeof(*larger.pairs));
    if (!larger.pairs) {
        return -1;
    }
    for (size_t i = 0; i < table->capacity; i++) {
        if (table->pairs[i].key) {
            *place_of(&larger, table->pairs[i].key) = table->pairs[i];
        }
    }
    strata_release(table->pairs);
    *table = larger;
    return 0;
}

struct strata_pair *strata_pair_find(struct strata_pair_table *table, uint64_t key)
{
    if (table->capacity == 0 && grow(table)) {
        return NULL;
    }
    struct strata_pair *pair = place_of(table, key + 1);
    if (pair->key) {
        return pair;
    }
    if (2 * table->used >= table->capacity) {
        if (grow(table)) {
            return NULL;
        }
        pair = place_of(table, key + 1);
    }
    table->used++;
    *pair = (struct strata_pair){.key = key + 1, .head = -1, .tail = -1};
    return pair;
}

/* Returns a free entry; -1: there is no memory. */
static int32_t new_entry(struct strata_pair_table *table)
{
    if (table->free > 0) {
        int32_t taken = table->free - 1;
        table->free = table->entries[taken].next;
        return taken;
    }
    if (table->nentries == table->entries_capacity) {
        int32_t more = 2 * table->entries_capacity + 64;
        void *entries = strata_reallocate(table->entries, (size_t)more, sizeof(*table->entries));
        if (!entries) {
            return -1;
        }
        table->entries = entries;
        table->entries_capacity = more;
    }
    return table->nentries++;
}

int strata_pair_put(struct strata_pair_table *table, struct strata_pair *pair, int32_t value)
{
    int32_t entry = new_entry(table);
    if (entry < 0) {
        return STRATA_ERR_MEMORY;
    }
    table->entries[entry].value = value;
    if (pair->head < 0) {
        pair->head = entry;
    } else {
        table->entries[pair->tail].next = entry;
    }
    pair->tail = entry;
    table->queued++;
    return STRATA_OK;
}

int32_t strata_pair_first(const struct strata_pair_table *table, const struct strata_pair *pair)
{
    return pair->head < 0 ? -1 : table->entries[pair->head].value;
}

int32_t strata_pair_take(struct strata_pair_table *table, struct strata_pair *pair)
{
    int32_t taken = pair->head;
    if (taken < 0) {
        return -1;
    }
    struct strata_pair_entry *entry = &table->entries[taken];
    pair->head = taken == pair->tail ? -1 : entry->next;
    entry->next = table->free;
    table->free = taken + 1;
    table->queued--;
    return entry->value;
}

void strata_pair_table_fini(struct strata_pair_table *table)
{
    strata_release(table->entries);
    strata_release(table->pairs);
}
