/* The plans that a group keeps, each found by everything that decides on a call's plan. */
#ifndef STRATA_API_ATTACH_PLAN_TABLE_H
#define STRATA_API_ATTACH_PLAN_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/config.h"
#include "core/plan/plan.h"
#include "hier/rivals.h"
#include "hier/select.h"

/* Everything that decides on a call's plan; the same on all ranks. */
struct strata_plan_key {
    enum strata_collective collective;
    int root;                          /* 0 for a collective without a root */
    bool commutative, bulky;           /* reductions */
    bool left_fold;                    /* reductions: operands are combined from left to right */
    bool once;                         /* the result lies once in each node */
    bool messages_only, lengths_known; /* nonblocking and persistent calls: core/plan/algorithm.h */
    bool mapped;      /* persistent calls: the memory that ranks expose to each other is mapped */
    int measured;     /* a measurement of so many algorithms forced the choice when the call was
                         described; 0: none did */
    int bucket, most; /* the buckets of block_bytes and most_bytes (struct strata_problem); most of
                         gatherv and scatterv whose lengths are not known: of the longest block that
                         the root told, for a table of timed choices alone */
    int longest;      /* reduce_scatter: the bucket of the longest block; 0: its length does not
                         matter */
    int degree;       /* the bucket of the problem's degree; 0: it is none */
    struct strata_choice forced;
};

/* A plan, shared by entries of other sizes for which the same algorithm builds the same plan. */
struct strata_kept_plan {
    struct strata_plan *plan;
    struct strata_plan *rank_to_rank; /* moves blocks above the plan's threshold, where ranks are
                                         told lengths */
    int entries;
};

enum strata_trial_stage {
    STRATA_TRIAL_OVER, /* or there was none */
    STRATA_TRIAL_SURVEY,
    STRATA_TRIAL_SURVEYED,
    STRATA_TRIAL_SERIES,
    STRATA_TRIAL_TOLD,
    STRATA_TRIAL_OTHERS /* the entry serves calls of another one's trial */
};

enum { STRATA_TRIAL_CALLS = 5, STRATA_TRIAL_RIVALS = 1 + STRATA_RIVALS };
/* The last figure is what the rivals' calls took more than the choice would have. */
enum { STRATA_TRIAL_COST = 1 + STRATA_TRIAL_RIVALS, STRATA_TRIAL_FIGURES };

/* The trial of a choice beside its rivals, which are MPI's own collective and other plans
 * (api/call/trial.h). All but the times is the same on all ranks. */
struct strata_trial {
    enum strata_trial_stage stage;
    int calls;        /* calls in this stage */
    int first;        /* SURVEY: calls by the choice, before the rivals' */
    int each;         /* SERIES: calls of one kind in a row */
    int rivals, best; /* their number; SERIES: the one that is timed */
    int won;          /* rivals that became the choice, one after another */
    struct strata_choice rival[STRATA_TRIAL_RIVALS];
    double times[STRATA_TRIAL_CALLS]; /* of the calls of one kind in a row, in nanoseconds */
    /* The time of a call; SURVEY: by the choice, and by each rival; SERIES: by the choice and by
     * the best rival, in turn. The cost is of all stages, and of all trials in a row. */
    double figure[STRATA_TRIAL_FIGURES];
};

/* What all calls with one key share; made once. */
struct strata_selection_entry {
    struct strata_plan_key key;
    struct strata_selection_entry *next; /* in its list of the table */
    uint64_t used;                       /* the table's clock at the last use */
    int holders;  /* bound calls, requests, and states that report what their last call ran */
    bool dropped; /* no longer in the table; destroyed with its last holder */
    bool asks;    /* no remembered call runs with it: it is dropped, on trial again, or has no plan
                     any more */
    int64_t left; /* calls until its trial begins again; 0 or less: it does not */
    struct strata_kept_plan *kept;  /* shared by all entries with this plan */
    const struct strata_plan *plan; /* NULL: MPI's own collective serves the calls */
    bool lengths_first; /* gatherv, scatterv: a rank passes blocks on, or waits for long ones, so
                           lengths have to be told; the same on all ranks */
    bool depends_on_mapping; /* the plan depends on whether exposed blocks lie in mapped memory */
    bool mapped; /* the ranks told each other that their exposed blocks lie in mapped memory */
    bool early;  /* the entry was made before the first call, so the ranks could not tell each
                    other */
    struct strata_trial trial;
    uint64_t sharable; /* bytes that several threads could have shared in the last call */
    bool moving; /* requests move while MPI's own serves the calls, as they would during a plan */
    char algorithm[96];
    struct strata_selection selection;
};

#define STRATA_PLAN_LISTS 64
struct strata_plan_table {
    struct strata_selection_entry *list[STRATA_PLAN_LISTS];
    struct strata_selection_entry *last; /* the entry that was found last; compared first */
    bool telling;                        /* the ranks tell each other times of a trial */
    struct strata_selection_entry *told; /* the entry of that trial; NULL: it was dropped */
    int told_calls;                      /* calls of entries on trial since they began */
    int entries;
    uint64_t clock;
};

/* Counts a call by this entry. strata_plan_table_keep drops the one that was unused for longest. */
static inline void strata_plan_table_use(struct strata_plan_table *table,
                                         struct strata_selection_entry *entry)
{
    entry->used = ++table->clock;
}

/* Sets the buckets of a key whose collective is set (core/base/buckets.h): calls whose sizes are in
 * the same buckets use the same plan. `bytes` is the length of the mean block or of the vector.
 * `most` is the length of the longest block, or, for reduce_scatter and reduce_scatter_block, of
 * the whole vector; 0 where it is not known, or where `bytes` is already the whole vector. */
void strata_plan_key_sizes(struct strata_plan_key *key, double bytes, size_t most);
/* Sets the bucket of reduce_scatter's longest block. It matters only where the blocks together do
 * not fit in the room of a slot (hier/node_segments.h), for then they go in slices. All other calls
 * share one plan. room 0: a table of timed choices asks for it, too. */
void strata_plan_key_longest(struct strata_plan_key *key, size_t longest, size_t room);
/* The range, in bytes, of the mean blocks, or vectors, that have this key. */
void strata_plan_key_means(const struct strata_plan_key *key, size_t *least, size_t *most);
/* The range, in bytes, of the sizes that have this key where all blocks are of one length. */
void strata_plan_key_range(const struct strata_plan_key *key, int ranks, size_t *least,
                           size_t *most);
/* From a key back to the sizes of a problem. */
size_t strata_plan_key_most(const struct strata_plan_key *key);
void strata_plan_key_bytes(const struct strata_plan_key *key, struct strata_problem *problem);
static inline bool strata_plan_key_same_sizes(const struct strata_plan_key *a,
                                              const struct strata_plan_key *b)
{
    return a->bucket == b->bucket && a->most == b->most && a->longest == b->longest &&
           a->degree == b->degree;
}
/* Whether a plan for one key may serve the other, if the name is the same. Sizes and forced choices
 * may differ. */
bool strata_plan_key_same_problem(const struct strata_plan_key *a, const struct strata_plan_key *b);

/* NULL: the table has no such entry. */
struct strata_selection_entry *strata_plan_table_find(struct strata_plan_table *table,
                                                      const struct strata_plan_key *key);
/* The most entries that a table of plans for so many ranks holds. */
int strata_plan_table_most(int ranks);
/* Takes a new entry, which counts as used now. A full table drops the entry that was unused for
 * longest, of those that trials try if there are any. */
void strata_plan_table_keep(struct strata_plan_table *table, struct strata_selection_entry *entry,
                            int ranks);
/* Whether a trial may try the entry with this key: no choice has to go for it. */
bool strata_plan_table_tries(struct strata_plan_table *table, const struct strata_plan_key *key,
                             int ranks);
/* Drops an entry that is in the table. */
void strata_plan_table_drop(struct strata_plan_table *table, struct strata_selection_entry *entry);
/* Drops an entry, and has another one serve its calls, whose key differs in the forced choice
 * alone. New memory drops that one, too, if it would have dropped the first. */
void strata_plan_table_replace(struct strata_plan_table *table, struct strata_selection_entry *old,
                               struct strata_selection_entry *by);
/* Drops the entries that depend on whether memory is mapped, for there is new memory. */
void strata_plan_table_ask_again(struct strata_plan_table *table);
void strata_plan_table_destroy(struct strata_plan_table *table);

/* Makes `entry` the held one in place of *held; either may be NULL. Local. */
void strata_selection_entry_hold(struct strata_selection_entry **held,
                                 struct strata_selection_entry *entry);
/* Destroys an entry that is in no table; accepts NULL. */
void strata_selection_entry_destroy(struct strata_selection_entry *entry);

#endif
