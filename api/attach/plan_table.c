#include "api/attach/plan_table.h"

#include <string.h>

#include "core/base/buckets.h"
#include "core/base/memory.h"

/* The most entries of a table. Rooted collectives of so many kinds may need one for each rank, in
 * programs that call with root after root. The table has fewer entries where plans have a step for
 * each rank and so take much memory. */
#define MOST_ENTRIES  256
#define ROOTED_KINDS  2
#define LEAST_ENTRIES 16
#define ENTRY_RANKS   (1 << 20)

static bool ranked(const struct strata_plan_key *key)
{
    return strata_collective_info[key->collective].ranked;
}

void strata_plan_key_sizes(struct strata_plan_key *key, double bytes, size_t most)
{
    key->bucket =
        ranked(key) ? strata_bucket_of_mean(bytes) : strata_bucket_of_bytes((size_t)bytes);
    key->most = strata_bucket_of_bytes(most);
}

void strata_plan_key_longest(struct strata_plan_key *key, size_t longest, size_t room)
{
    bool counts = key->collective == STRATA_REDUCE_SCATTER && strata_bucket_most(key->most) > room;
    key->longest = counts ? strata_bucket_of_bytes(longest) : 0;
}

void strata_plan_key_means(const struct strata_plan_key *key, size_t *least, size_t *most)
{
    *most = strata_bucket_most(key->bucket);
    *least = strata_bucket_least(key->bucket);
    if (ranked(key)) {
        *least = *most;
        *most = strata_bucket_most(key->bucket + 1) - 1;
    }
}

void strata_plan_key_range(const struct strata_plan_key *key, int ranks, size_t *least,
                           size_t *most)
{
    strata_plan_key_means(key, least, most);
    if (key->most > 0) { /* key->most is of one block, or of one block for each rank together */
        size_t blocks = strata_collective_scatters(key->collective) ? (size_t)ranks : 1;
        size_t below = (strata_bucket_least(key->most) - 1) / blocks;
        size_t end = strata_bucket_most(key->most) / blocks;
        *least = *least > below ? *least : below + 1;
        *most = *most < end ? *most : end;
    }
}

/* The longest block of such a call was told for the sake of a table alone. */
static bool told(const struct strata_plan_key *key)
{
    return strata_collective_one_knows(key->collective) && !key->lengths_known;
}

size_t strata_plan_key_most(const struct strata_plan_key *key)
{
    return told(key) ? 0 : strata_bucket_most(ranked(key) ? key->most : key->bucket);
}

static double unevenness(const struct strata_plan_key *key)
{
    const int longest = key->collective == STRATA_REDUCE_SCATTER ? key->longest : key->most;
    return strata_collective_info[key->collective].varying
               ? strata_bucket_ratio(longest, key->bucket)
               : 0;
}

void strata_plan_key_bytes(const struct strata_plan_key *key, struct strata_problem *problem)
{
    problem->block_bytes = (double)strata_bucket_most(key->bucket);
    problem->most_bytes = strata_plan_key_most(key);
    problem->degree = (int)strata_bucket_most(key->degree);
    problem->unevenness = unevenness(key);
    problem->capacity.longest = key->collective == STRATA_REDUCE_SCATTER
                                    ? strata_bucket_most(key->longest)
                                    : problem->most_bytes;
}

bool strata_plan_key_same_problem(const struct strata_plan_key *a, const struct strata_plan_key *b)
{
    return a->collective == b->collective && a->root == b->root &&
           a->commutative == b->commutative && a->bulky == b->bulky &&
           a->left_fold == b->left_fold && a->once == b->once &&
           a->messages_only == b->messages_only && a->lengths_known == b->lengths_known;
}

static bool same_key(const struct strata_plan_key *a, const struct strata_plan_key *b)
{
    return strata_plan_key_same_problem(a, b) && strata_plan_key_same_sizes(a, b) &&
           strata_choice_same(&a->forced, &b->forced) && a->measured == b->measured &&
           a->mapped == b->mapped;
}

/* Choices have no part in the hash: two keys hardly ever differ in nothing else. */
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

void strata_selection_entry_destroy(struct strata_selection_entry *entry)
{
    struct strata_kept_plan *kept = entry ? entry->kept : NULL;
    if (kept && --kept->entries == 0) {
        strata_plan_destroy(kept->plan);
        strata_plan_destroy(kept->rank_to_rank);
        strata_release(kept);
    }
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
    table->told = table->told == entry ? NULL : table->told;
    entry->dropped = entry->asks = true;
    if (entry->holders == 0) {
        strata_selection_entry_destroy(entry);
    }
}

void strata_plan_table_replace(struct strata_plan_table *table, struct strata_selection_entry *old,
                               struct strata_selection_entry *by)
{
    const struct strata_choice forced = old->key.forced;
    by->depends_on_mapping = old->depends_on_mapping;
    by->mapped = old->mapped;
    strata_plan_table_drop(table, old);
    by->key.forced = forced; /* it has no part in the hash */
}

static bool is_tried(const struct strata_selection_entry *entry)
{
    return entry->trial.stage == STRATA_TRIAL_OTHERS;
}

/* Whether a full table drops `a` rather than `b`. Entries that a trial tries go first: if they
 * pushed out choices, whose trials would begin anew, no trial would end. */
static bool goes_first(const struct strata_selection_entry *a,
                       const struct strata_selection_entry *b)
{
    return is_tried(a) == is_tried(b) ? a->used < b->used : is_tried(a);
}

static struct strata_selection_entry *next_to_go(const struct strata_plan_table *table)
{
    struct strata_selection_entry *found = NULL;
    for (int i = 0; i < STRATA_PLAN_LISTS; i++) {
        for (struct strata_selection_entry *e = table->list[i]; e; e = e->next) {
            found = !found || goes_first(e, found) ? e : found;
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
        strata_plan_table_drop(table, next_to_go(table));
    }
    entry->next = *list;
    *list = entry;
    table->entries++;
    strata_plan_table_use(table, entry);
}

bool strata_plan_table_tries(struct strata_plan_table *table, const struct strata_plan_key *key,
                             int ranks)
{
    return table->entries < strata_plan_table_most(ranks) || is_tried(next_to_go(table)) ||
           strata_plan_table_find(table, key);
}

void strata_plan_table_ask_again(struct strata_plan_table *table)
{
    for (int i = 0; i < STRATA_PLAN_LISTS; i++) {
        for (struct strata_selection_entry *next, *e = table->list[i]; e; e = next) {
            next = e->next;
            if (e->depends_on_mapping) {
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
