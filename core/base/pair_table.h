/* What lies between pairs of ranks: a hash table that has room for those that exchange something,
 * not for all. */
#ifndef STRATA_CORE_BASE_PAIR_TABLE_H
#define STRATA_CORE_BASE_PAIR_TABLE_H

#include <stddef.h>
#include <stdint.h>

/* The two ends of a queue, in whatever array the owner of the table has; -1: it is empty. */
struct strata_pair {
    uint64_t key; /* of the pair, plus one; 0: nobody's */
    int32_t head, tail;
};

/* All zero is an empty table. */
struct strata_pair_table {
    struct strata_pair *pairs;
    size_t capacity, used;
};

/* The pair's queue, empty when it is new; NULL without memory. Stays where it is until the next
 * call for a new one. */
struct strata_pair *strata_pair_find(struct strata_pair_table *table, uint64_t key);
void strata_pair_table_fini(struct strata_pair_table *table);

#endif
