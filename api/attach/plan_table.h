/* The plans that a group state keeps, by what decides on a call's plan. */
#ifndef STRATA_API_ATTACH_PLAN_TABLE_H
#define STRATA_API_ATTACH_PLAN_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/config.h"
#include "core/plan/plan.h"
#include "hier/select.h"

/* What decides on a call's plan; equal on all ranks. */
struct strata_plan_key {
    enum strata_collective collective;
    int root;                          /* 0 without one */
    bool commutative, bulky;           /* reductions */
    bool left_fold;                    /* and to be combined from left to right */
    bool once;                         /* the result is to lie once in each node */
    bool messages_only, lengths_known; /* calls that go on by themselves: core/plan/algorithm.h */
    bool mapped;                       /* persistent ones: what ranks expose to each other is */
    int measured; /* forced by a measurement of so many, when the call was described; 0: by none */
    int bucket, most; /* buckets of block_bytes and most_bytes, as struct strata_problem has them */
    int longest;      /* reduce_scatter: that of the longest block; 0: it does not count */
    struct strata_choice forced;
};

/* Entries whose calls run the same plan: other sizes, the same name. */
struct strata_kept_plan {
    struct strata_plan *plan;
    struct strata_plan *rank_to_rank; /* of blocks above its threshold, where lengths are told */
    int entries;
};

/* What calls with one key use; made once. */
struct strata_selection_entry {
    struct strata_plan_key key;
    struct strata_selection_entry *next; /* in its list of the table */
    uint64_t used;                       /* when: the table's clock */
    int holders;                    /* bound calls, requests, and states that say what they ran */
    bool dropped;                   /* from the table; goes with its last holder */
    struct strata_kept_plan *kept;  /* of all entries with this plan */
    const struct strata_plan *plan; /* NULL: MPI's own */
    bool lengths_first; /* gatherv, scatterv: some rank passes blocks on, or waits for long ones, so
                          lengths have to be told; alike on all ranks */
    bool depends_on_mapping; /* whether exposed blocks are mapped decides on the plan */
    bool mapped;             /* the ranks told each other that they are mapped */
    bool early;              /* the ranks could not tell each other yet: there was no call */
    char algorithm[96];
    struct strata_selection selection;
};

#define STRATA_PLAN_LISTS 64
struct strata_plan_table {
    struct strata_selection_entry *list[STRATA_PLAN_LISTS];
    struct strata_selection_entry *last; /* found; compared first */
    int entries;
    uint64_t clock;
};

/* Counts a call by this entry: the one longest unused makes way. */
static inline void strata_plan_table_use(struct strata_plan_table *table,
                                         struct strata_selection_entry *entry)
{
    entry->used = ++table->clock;
}

/* The buckets of a key (core/base/buckets.h): their sizes use the same plan. bytes: the mean block
 * or the vector; most: the longest block, of reduce_scatter(_block) the whole vector; 0 where
 * nothing is known about it, or bytes tells it. The key's collective is set before. */
void strata_plan_key_sizes(struct strata_plan_key *key, double bytes, size_t most);
/* Besides, of a reduce_scatter, the longest block. It counts where all blocks do not fit in the
 * room of a slot (hier/node_segments.h), for then they go in slices; so calls that do not need it
 * have one plan. */
void strata_plan_key_longest(struct strata_plan_key *key, size_t longest, size_t room);
/* The mean blocks, or vectors, of which a key is, in bytes. */
void strata_plan_key_means(const struct strata_plan_key *key, size_t *least, size_t *most);
/* The sizes of which a key is, where the mean block is as long as the longest one: bytes. */
void strata_plan_key_range(const struct strata_plan_key *key, int ranks, size_t *least,
                           size_t *most);
/* And back: what a problem says of sizes. */
size_t strata_plan_key_most(const struct strata_plan_key *key);
void strata_plan_key_bytes(const struct strata_plan_key *key, struct strata_problem *problem);
static inline bool strata_plan_key_same_sizes(const struct strata_plan_key *a,
                                              const struct strata_plan_key *b)
{
    return a->bucket == b->bucket && a->most == b->most && a->longest == b->longest;
}
/* Of equal sizes or not, forced or not: what a plan may depend on, but for its name. */
bool strata_plan_key_same_problem(const struct strata_plan_key *a, const struct strata_plan_key *b);

/* NULL if it is not there. */
struct strata_selection_entry *strata_plan_table_find(struct strata_plan_table *table,
                                                      const struct strata_plan_key *key);
/* How many entries a table of plans for so many ranks holds. */
int strata_plan_table_most(int ranks);
/* Takes a new entry, which counts as used now. A full table drops the one longest unused. */
void strata_plan_table_keep(struct strata_plan_table *table, struct strata_selection_entry *entry,
                            int ranks);
/* Drops one that is in the table. */
void strata_plan_table_drop(struct strata_plan_table *table, struct strata_selection_entry *entry);
/* Drops those that were `asked`: there is new memory. */
void strata_plan_table_ask_again(struct strata_plan_table *table);
void strata_plan_table_destroy(struct strata_plan_table *table);

/* Holds `entry` in place of *held; either may be NULL. Local. */
void strata_selection_entry_hold(struct strata_selection_entry **held,
                                 struct strata_selection_entry *entry);
/* One that is in no table; accepts NULL. */
void strata_selection_entry_destroy(struct strata_selection_entry *entry);

#endif
