#include "core/base/pair_table.h"

#include "core/base/memory.h"

/* Where the key is, or would be. There always is a free place. */
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
    struct strata_pair_table larger = {.capacity = table->capacity ? 4 * table->capacity : 256};
    larger.pairs = strata_allocate(larger.capacity, sizeof(*larger.pairs));
    if (!larger.pairs) {
        return -1;
    }
    for (size_t i = 0; i < table->capacity; i++) {
        if (table->pairs[i].key) {
            *place_of(&larger, table->pairs[i].key) = table->pairs[i];
        }
    }
    larger.used = table->used;
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

void strata_pair_table_fini(struct strata_pair_table *table)
{
    strata_release(table->pairs);
}
