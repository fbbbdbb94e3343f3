/* Which plan a call runs: selected by size, built once, kept by the group state. */
#ifndef STRATA_API_CALL_PLANS_H
#define STRATA_API_CALL_PLANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/config.h"
#include "core/plan/plan.h"
#include "hier/registry.h"

struct strata_group;
struct strata_process;

/* What decides on a call's plan; equal on all ranks. */
struct strata_plan_key {
    enum strata_collective collective;
    int root;         /* 0 without one */
    bool commutative; /* reductions */
    int bucket, most; /* buckets of block_bytes and most_bytes, as struct strata_problem has them */
    struct strata_choice forced;
};

struct strata_kept_plan;

/* What calls with one key use; made once. */
struct strata_selection_entry {
    struct strata_plan_key key;
    struct strata_selection_entry *next; /* in its list of the table */
    uint64_t used;                       /* when: the table's clock */
    int holders;                         /* states that say what their last call ran */
    bool dropped;                        /* from the table; goes with its last holder */
    struct strata_kept_plan *kept;       /* of all entries with this plan */
    const struct strata_plan *plan;      /* NULL: MPI's own */
    size_t fixed_scratch;                /* plans over items: strata_engine_fixed_scratch */
    bool
        lengths_first; /* gatherv, scatterv: some rank passes blocks on, and has to be told how long
                           they are; alike on all ranks */
    char algorithm[96];
    char why[160];
};

#define STRATA_PLAN_LISTS 64
struct strata_plan_table {
    struct strata_selection_entry *list[STRATA_PLAN_LISTS];
    int entries;
    uint64_t clock;
};

/* The buckets of a key: sizes in the same power of two use the same plan. bytes: the mean block or
 * the vector; most: 0 where nothing is known about the longest block. */
void strata_plan_key_sizes(struct strata_plan_key *key, double bytes, size_t most);

/* The entry for a key. Where it is not there yet it is made collectively over the group, and where
 * the table is full the one longest unused makes room: all ranks make the same calls, so they keep
 * the same entries. An entry without a plan, or *entry NULL (no memory on some rank), means MPI's
 * own collective. STRATA_ERR_PLAN, alike on all ranks, when a plan is not correct. */
int strata_plans_find(struct strata_group *group, const struct strata_plan_key *key,
                      struct strata_selection_entry **entry, struct strata_diagnostic *message);
/* Holds `entry` in place of *held; either may be NULL. Local. */
void strata_plans_hold(struct strata_selection_entry **held, struct strata_selection_entry *entry);
void strata_plans_destroy(struct strata_plan_table *table);

/* Says what is wrong with STRATA_ALLTOALLV and the like, STRATA_TOPO, STRATA_TORUS and
 * STRATA_MACHINE. */
void strata_settings_check(const struct strata_process *process, strata_complain *complain);
/* Reads them for the group; what is wrong takes its default. STRATA_OK or STRATA_ERR_MEMORY. */
int strata_settings_read(struct strata_group *group);

#endif
