/* A queue of values for each pair of ranks, first come first served. It is a hash table with room
 * for the pairs that exchange something, not for all pairs. Messages are matched by it. */
#ifndef STRATA_CORE_BASE_PAIR_TABLE_H
#define STRATA_CORE_BASE_PAIR_TABLE_H

#include <stddef.h>
#include <stdint.h>

/* A pair's queue. */
struct strata_pair {
    uint64_t key;       /* the pair's key, plus one; 0: the place is free */
    int32_t head, tail; /* the first and the last entry; -1: the queue is empty */
};

struct strata_pair_entry {
    /* The value, and the next entry of its queue; of a free entry, the next free one plus one. */
    int32_t value, next;
};

/* A table of zeros is empty. */
struct strata_pair_table {
    struct strata_pair *pairs;         /* [capacity] the hash table */
    size_t capacity, used;             /* its places, and how many pairs it holds */
    struct strata_pair_entry *entries; /* [entries_capacity] */
    /* How many entries were ever used, how many there are, and the first free one, plus one. */
    int32_t nentries, entries_capacity, free;
    int64_t queued; /* values in all queues */
};

/* The pair's queue, which is empty when the pair is new; NULL: there is no memory. The pointer
 * stays valid until the next call for a new pair. */
struct strata_pair *strata_pair_find(struct strata_pair_table *table, uint64_t key);
/* Puts a value, 0 or more, at the end of the pair's queue; STRATA_OK or STRATA_ERR_MEMORY. */
int strata_pair_put(struct strata_pair_table *table, struct strata_pair *pair, int32_t value);
/* The pair's oldest value; -1: none. */
int32_t strata_pair_first(const struct strata_pair_table *table, const struct strata_pair *pair);
/* The same, and takes the value out of the queue. */
int32_t strata_pair_take(struct strata_pair_table *table, struct strata_pair *pair);
void strata_pair_table_fini(struct strata_pair_table *table);

#endif
