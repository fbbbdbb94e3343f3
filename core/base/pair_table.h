/* What pairs of ranks have for each other, first come first served: a hash table that has room for
 * those that exchange something, not for all. Messages are matched by it. */
#ifndef STRATA_CORE_BASE_PAIR_TABLE_H
#define STRATA_CORE_BASE_PAIR_TABLE_H

#include <stddef.h>
#include <stdint.h>

/* The two ends of a pair's queue; -1: it is empty. */
struct strata_pair {
    uint64_t key; /* of the pair, plus one; 0: nobody's */
    int32_t head, tail;
};

struct strata_pair_entry {
    int32_t value, next; /* of its queue; of those that are free, plus one */
};

/* All zero is an empty table. */
struct strata_pair_table {
    struct strata_pair *pairs;
    size_t capacity, used;
    struct strata_pair_entry *entries;
    int32_t nentries, entries_capacity, free; /* free: the first, plus one */
    int64_t queued;                           /* values in all queues */
};

/* The pair's queue, empty when it is new; NULL without memory. Stays where it is until the next
 * call for a new one. */
struct strata_pair *strata_pair_find(struct strata_pair_table *table, uint64_t key);
/* Puts a value, 0 or more, behind the pair's others; STRATA_OK or STRATA_ERR_MEMORY. */
int strata_pair_put(struct strata_pair_table *table, struct strata_pair *pair, int32_t value);
/* The pair's oldest value; -1: none. Taking it out lets the next one be that. */
int32_t strata_pair_first(const struct strata_pair_table *table, const struct strata_pair *pair);
int32_t strata_pair_take(struct strata_pair_table *table, struct strata_pair *pair);
void strata_pair_table_fini(struct strata_pair_table *table);

#endif
