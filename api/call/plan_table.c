#include "api/call/plan_table.h"

#include <string.h>

#include "api/call/prepared.h"
#include "core/base/memory.h"

/* Entries of a table at most: besides others one for each rank that is the root of a call of so
 * many kinds, as in programs that call with root after root. Fewer where plans with a step for
 * each rank take much memory. */
#define MOST_ENTRIES  256
#define ROOTED_KINDS  2
#define LEAST_ENTRIES 16
#define ENTRY_RANKS   (1 << 20)

/* Of the highest bit that is set; value is not 0. */
static int bits_of(uint64_t value)
{
    return 64 - __builtin_clzll(value);
}

/* 0, 1, 2..3, 4..7, ... */
static int bucket_of(double bytes)
{
    if (!(bytes >= 1)) {
        return 0;
    }
    return bytes < (double)(UINT64_C(1) << 62) ? bits_of((uint64_t)bytes) : 63;
}

static double bytes_of(int bucket)
{
    return bucket > 0 ? (double)(UINT64_C(1) << (bucket - 1)) : 0;
}

/* The longest block is rounded up, so that what fits it fits all of its bucket: 1 for up to 1 byte,
 * 2 for 2, 3 for 3..4, 4 for 5..8, ... */
static int most_bucket_of(size_t most)
{
    int bucket = most > 1 ? bits_of(most - 1) + 1 : (int)most;

    return bucket < 63 ? bucket : 63;
}

static size_t most_of(int bucket)
{
    return bucket > 0 ? (size_t)1 << (bucket - 1) : 0;
}

void strata_plan_key_sizes(struct strata_plan_key *key, double bytes, size_t most)
{
    key->bucket = bucket_of(bytes);
    key->most = most_bucket_of(most);
}

void strata_plan_key_longest(struct strata_plan_key *key, size_t longest, size_t room)
{
    bool counts = key->collective == STRATA_REDUCE_SCATTER && most_of(key->most) > room;

    key->longest = counts ? most_bucket_of(longest) : 0;
}

void strata_plan_key_range(const struct strata_plan_key *key, int ranks, size_t *least,
                           size_t *most)
{
    *least = (size_t)bytes_of(key->bucket);
    *most = (size_t)bytes_of(key->bucket + 1) - 1;
    if (key->most > 0) { /* of one block, or of as many together as there are ranks */
        size_t blocks = strata_collective_scatters(key->collective) ? (size_t)ranks : 1;
        size_t below = key->most > 1 ? most_of(key->most - 1) / blocks : 0;
        size_t end = most_of(key->most) / blocks;
        *least = *least > below ? *least : below + 1;
        *most = *most < end ? *most : end;
    }
}

/* Of other vectors the end of their bucket tells it. */
size_t strata_plan_key_most(const struct strata_plan_key *key)
{
    bool ranked = strata_collective_info[key->collective].ranked;
    return most_of(ranked ? key->most : key->bucket + 1);
}

void strata_plan_key_bytes(const struct strata_plan_key *key, struct strata_problem *problem)
{
    problem->block_bytes = bytes_of(key->bucket);
    problem->most_bytes = strata_plan_key_most(key);
    problem->capacity.longest =
        key->collective == STRATA_REDUCE_SCATTER ? most_of(key->longest) : problem->most_bytes;
}

bool strata_plan_key_same_problem(const struct strata_plan_key *a, const struct strata_plan_key *b)
{
    return a->collective == b->collective && a->root == b->root &&
           a->commutative == b->commutative && a->bulky == b->bulky &&
           a->left_fold == b->left_fold && a->once == b->once &&
           a->messages_only == b->messages_only && a->told == b->told;
}

static bool same_key(const struct strata_plan_key *a, const struct strata_plan_key *b)
{
    return strata_plan_key_same_problem(a, b) && strata_plan_key_same_sizes(a, b) &&
           strata_choice_same(&a->forced, &b->forced) && a->measured == b->measured &&
           a->mapped == b->mapped;
}

/* Choices are left out: hardly ever do two differ for the rest the same. */
static struct strata_selection_entry **list_of(struct strata_plan_table *table,
                                               const struct strata_plan_key *key)
{
    uint64_t word = (uint64_t)key->collective + 32 * (uint64_t)key->commutative +
                    64 * (uint64_t)key->bucket + 4096 * (uint64_t)key->most +
                    262144 * (uint64_t)key->root;

    return &table->list[(word * UINT64_C(0x9e3779b97f4a7c15) >> 40) % STRATA_PLAN_LISTS];
}

struct strata_selection_entry *strata_plan_table_find(struct strata_plan_table *table,
                                                      const struct strata_plan_key *key)
{
    struct strata_selection_entry *e = table->last;

    if (e && same_key(&e->key, key)) {
        return e;
    }
    for (e = *list_of(table, key); e && !same_key(&e->key, key);) {
        e = e->next;
    }
    table->last = e;
    return e;
}

int strata_plan_table_count_roots(const struct strata_plan_table *table,
                                  const struct strata_plan_key *key)
{
    struct strata_plan_key same = *key;
    int count = 0;

    for (int i = 0; i < STRATA_PLAN_LISTS; i++) {
        for (const struct strata_selection_entry *e = table->list[i]; e; e = e->next) {
            same.root = e->key.root;
            count += same_key(&e->key, &same);
        }
    }
    return count;
}

void strata_selection_entry_destroy(struct strata_selection_entry *entry)
{
    struct strata_kept_plan *kept = entry ? entry->kept : NULL;

    if (kept && --kept->entries == 0) {
        strata_plan_destroy(kept->plan);
        strata_plan_destroy(kept->rank_to_rank);
        strata_release(kept);
    }
    strata_prepared_destroy(entry ? entry->prepared : NULL);
    strata_release(entry);
}

void strata_selection_entry_hold(struct strata_selection_entry **held,
                                 struct strata_selection_entry *entry)
{
    struct strata_selection_entry *before = *held;

    if (before == entry) {
        return;
    }
    if (entry) {
        entry->holders++;
    }
    *held = entry;
    if (before && --before->holders == 0 && before->dropped) {
        strata_selection_entry_destroy(before);
    }
}

void strata_plan_table_drop(struct strata_plan_table *table, struct strata_selection_entry *entry)
{
    struct strata_selection_entry **link = list_of(table, &entry->key);

    while (*link != entry) {
        link = &(*link)->next;
    }
    *link = entry->next;
    table->entries--;
    table->last = NULL;
    entry->dropped = true;
    if (entry->holders == 0) {
        strata_selection_entry_destroy(entry);
    }
}

static struct strata_selection_entry *oldest(const struct strata_plan_table *table)
{
    struct strata_selection_entry *found = NULL;

    for (int i = 0; i < STRATA_PLAN_LISTS; i++) {
        for (struct strata_selection_entry *e = table->list[i]; e; e = e->next) {
            found = !found || e->used < found->used ? e : found;
        }
    }
    return found;
}

int strata_plan_table_most(int ranks)
{
    int bounded = ENTRY_RANKS / ranks > LEAST_ENTRIES ? ENTRY_RANKS / ranks : LEAST_ENTRIES;
    int64_t wanted = MOST_ENTRIES + (int64_t)ROOTED_KINDS * ranks;

    return wanted < bounded ? (int)wanted : bounded;
}

void strata_plan_table_keep(struct strata_plan_table *table, struct strata_selection_entry *entry,
                            int ranks)
{
    struct strata_selection_entry **list = list_of(table, &entry->key);

    if (table->entries >= strata_plan_table_most(ranks)) {
        strata_plan_table_drop(table, oldest(table));
    }
    entry->next = *list;
    *list = entry;
    table->entries++;
    strata_plan_table_use(table, entry);
}

void strata_plan_table_ask_again(struct strata_plan_table *table)
{
    for (int i = 0; i < STRATA_PLAN_LISTS; i++) {
        for (struct strata_selection_entry *next, *e = table->list[i]; e; e = next) {
            next = e->next;
            if (e->asked) {
                strata_plan_table_drop(table, e);
            }
        }
    }
}

void strata_plan_table_destroy(struct strata_plan_table *table)
{
    for (int i = 0; i < STRATA_PLAN_LISTS; i++) {
        while (table->list[i]) {
            strata_plan_table_drop(table, table->list[i]);
        }
    }
}
