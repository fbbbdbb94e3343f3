#include "api/call/plans.h"

#include <stdio.h>
#include <string.h>

#include "api/attach/group.h"
#include "core/base/memory.h"
#include "core/check/check.h"
#include "core/engine/engine_sizes.h"
#include "core/plan/limits.h"

#define MOST_PROVED 64 /* ranks; beyond, a proof takes too long to be waited for */
/* Entries of a table at most, fewer where plans with a step for each rank would take much memory. */
#define MOST_ENTRIES  256
#define LEAST_ENTRIES 16
#define ENTRY_RANKS   (1 << 20)

/* Entries whose calls run the same plan: other sizes, the same name. */
struct strata_kept_plan {
    struct strata_plan *plan;
    int entries;
};

/* 0, 1, 2..3, 4..7, ... */
static int bucket_of(double bytes)
{
    int bucket = 0;

    for (double limit = 1; limit <= bytes && bucket < 63; limit *= 2) {
        bucket++;
    }
    return bucket;
}

static double bytes_of(int bucket)
{
    return bucket > 0 ? (double)(UINT64_C(1) << (bucket - 1)) : 0;
}

/* The longest block is rounded up, so that what fits it fits all of its bucket: 1 for up to 1 byte,
 * 2 for 2, 3 for 3..4, 4 for 5..8, ... */
static int most_bucket_of(size_t most)
{
    int bucket = 1;

    while (bucket < 63 && (size_t)1 << (bucket - 1) < most) {
        bucket++;
    }
    return most > 0 ? bucket : 0;
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

static bool same_choice(const struct strata_choice *a, const struct strata_choice *b)
{
    return a->algorithm == b->algorithm &&
           memcmp(a->parameter, b->parameter, sizeof a->parameter) == 0;
}

/* Of equal sizes or not, forced or not: what a plan may depend on, but for its name. */
static bool same_problem(const struct strata_plan_key *a, const struct strata_plan_key *b)
{
    return a->collective == b->collective && a->root == b->root && a->commutative == b->commutative;
}

static bool same_key(const struct strata_plan_key *a, const struct strata_plan_key *b)
{
    return same_problem(a, b) && a->most == b->most && a->bucket == b->bucket &&
           same_choice(&a->forced, &b->forced);
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

static struct strata_selection_entry *look_up(struct strata_plan_table *table,
                                              const struct strata_plan_key *key)
{
    struct strata_selection_entry *e = *list_of(table, key);

    while (e && !same_key(&e->key, key)) {
        e = e->next;
    }
    return e;
}

static void destroy_entry(struct strata_selection_entry *entry)
{
    struct strata_kept_plan *kept = entry ? entry->kept : NULL;

    if (kept && --kept->entries == 0) {
        strata_plan_destroy(kept->plan);
        strata_release(kept);
    }
    strata_release(entry);
}

void strata_plans_hold(struct strata_selection_entry **held, struct strata_selection_entry *entry)
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
        destroy_entry(before);
    }
}

static void drop(struct strata_plan_table *table, struct strata_selection_entry *entry)
{
    struct strata_selection_entry **link = list_of(table, &entry->key);

    while (*link != entry) {
        link = &(*link)->next;
    }
    *link = entry->next;
    table->entries--;
    entry->dropped = true;
    if (entry->holders == 0) {
        destroy_entry(entry);
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

static void keep(struct strata_plan_table *table, struct strata_selection_entry *entry, int ranks)
{
    int most = ENTRY_RANKS / ranks;
    struct strata_selection_entry **list = list_of(table, &entry->key);

    most = most > MOST_ENTRIES ? MOST_ENTRIES : most < LEAST_ENTRIES ? LEAST_ENTRIES : most;
    if (table->entries >= most) {
        drop(table, oldest(table));
    }
    entry->next = *list;
    *list = entry;
    table->entries++;
}

void strata_plans_destroy(struct strata_plan_table *table)
{
    for (int i = 0; i < STRATA_PLAN_LISTS; i++) {
        while (table->list[i]) {
            drop(table, table->list[i]);
        }
    }
}

/* Builds all ranks' plans and proves them together. */
static int prove(const struct strata_group *g, const struct strata_algorithm *algorithm,
                 struct strata_problem problem, struct strata_diagnostic *message)
{
    struct strata_plan **plans = strata_allocate((size_t)g->ranks, sizeof(struct strata_plan *));
    int error = plans ? STRATA_OK : STRATA_ERR_MEMORY;

    for (int r = 0; error == STRATA_OK && r < g->ranks; r++) {
        problem.rank = r;
        error = strata_algorithm_plan(algorithm, &problem, &plans[r], message);
    }
    if (error == STRATA_OK) {
        error = strata_check_plan((const struct strata_plan *const *)plans, g->ranks, 1, message);
    }
    for (int r = 0; plans && r < g->ranks; r++) {
        strata_plan_destroy(plans[r]);
    }
    strata_release(plans);
    return error;
}

/* Whether another entry's plan of the same name is what would be built: plans in a node's memory and
 * those in passes depend on the longest block. */
static bool serves(const struct strata_selection_entry *other,
                   const struct strata_selection_entry *entry,
                   const struct strata_capacity *capacity)
{
    struct strata_limits limits = other->plan->limits; /* threshold 0: nothing is staged */

    if (other->key.most == entry->key.most) {
        return true;
    }
    if (strata_plan_over_blocks(other->plan)) {
        return !other->plan->blocks.shared;
    }
    if (limits.threshold == 0) {
        return true;
    }
    strata_limits_pass(capacity, &limits);
    return limits.passes == other->plan->limits.passes;
}

/* The plan of another entry for the same problem, under the same name; NULL if none has it. */
static struct strata_kept_plan *find_kept(const struct strata_plan_table *table,
                                          const struct strata_selection_entry *entry,
                                          const struct strata_capacity *capacity)
{
    for (int i = 0; i < STRATA_PLAN_LISTS; i++) {
        for (struct strata_selection_entry *e = table->list[i]; e; e = e->next) {
            if (e->kept && same_problem(&e->key, &entry->key) &&
                strcmp(e->algorithm, entry->algorithm) == 0 && serves(e, entry, capacity)) {
                return e->kept;
            }
        }
    }
    return NULL;
}

static int make_kept(const struct strata_group *g, const struct strata_algorithm *algorithm,
                     const struct strata_problem *problem, struct strata_kept_plan **kept,
                     struct strata_diagnostic *message)
{
    int error;

    *kept = strata_allocate(1, sizeof **kept);
    if (!*kept) {
        return STRATA_ERR_MEMORY;
    }
    error = strata_algorithm_plan(algorithm, problem, &(*kept)->plan, message);
    if (error == STRATA_OK && g->config.check && g->ranks <= MOST_PROVED) {
        error = prove(g, algorithm, *problem, message);
    }
    return error;
}

static int build(const struct strata_group *g, const struct strata_problem *problem,
                 const struct strata_algorithm *algorithm, struct strata_selection_entry *entry,
                 struct strata_diagnostic *message)
{
    int error = STRATA_OK;

    strata_algorithm_name(algorithm, problem->parameter, entry->algorithm, sizeof entry->algorithm);
    if (algorithm->level == STRATA_MPI) {
        return STRATA_OK;
    }
    entry->kept = find_kept(&g->plans, entry, &problem->capacity);
    if (!entry->kept) {
        error = make_kept(g, algorithm, problem, &entry->kept, message);
    }
    if (entry->kept) {
        entry->kept->entries++;
        entry->plan = entry->kept->plan;
    }
    if (error == STRATA_OK && !strata_plan_over_blocks(entry->plan)) {
        entry->fixed_scratch = strata_engine_fixed_scratch(entry->plan, g->capacity.check);
    }
    return error;
}

static int fill(const struct strata_group *g, struct strata_selection_entry *entry,
                struct strata_diagnostic *message)
{
    const struct strata_plan_key *key = &entry->key;
    struct strata_problem problem = {
        .collective = key->collective,
        .rank = g->rank,
        .topology = g->topology,
        .flat = g->flat,
        .capacity = g->capacity,
        .root = key->root,
        .commutative = key->commutative,
        .torus = g->torus.ndims > 0 ? &g->torus : NULL,
        .block_bytes = bytes_of(key->bucket),
        .most_bytes = most_of(key->most),
    };
    problem.capacity.longest = problem.most_bytes;
    struct strata_selection selection = {.choice = {.algorithm = NULL}};
    int error = strata_select(&key->forced, &problem, &g->machine, &selection);

    if (error != STRATA_OK) {
        return strata_fail(message, error, "no algorithm is applicable");
    }
    memcpy(problem.parameter, selection.choice.parameter, sizeof problem.parameter);
    snprintf(entry->why, sizeof entry->why, "%s", selection.why);
    return build(g, &problem, selection.choice.algorithm, entry, message);
}

/* Whether this rank passes on blocks whose lengths its arguments do not tell. */
static bool passes_on(const struct strata_selection_entry *entry)
{
    bool one_knows =
        entry->key.collective == STRATA_GATHERV || entry->key.collective == STRATA_SCATTERV;

    return one_knows && entry->plan && entry->plan->blocks.work > 0;
}

/* Every rank goes to the same agreement, with or without an entry of its own. */
static int make(struct strata_group *g, const struct strata_plan_key *key,
                struct strata_selection_entry **made, struct strata_diagnostic *message)
{
    struct strata_selection_entry *entry = strata_allocate(1, sizeof *entry);
    int word[2] = {STRATA_ERR_MEMORY, 0}; /* error; whether lengths go first */
    int error = STRATA_ERR_MEMORY;

    if (entry) {
        entry->key = *key;
        word[0] = error = fill(g, entry, message);
        word[1] = passes_on(entry);
    }
    if (PMPI_Allreduce(MPI_IN_PLACE, word, 2, MPI_INT, MPI_MAX, g->comm) != MPI_SUCCESS) {
        word[0] = STRATA_ERR_TRANSPORT;
    }
    if (word[0] != STRATA_OK || !entry) {
        destroy_entry(entry);
        return error != STRATA_OK ? word[0]
                                  : strata_fail(message, word[0], "on another rank: %s",
                                                strata_error_text(word[0]));
    }
    if (strata_signal_carrier_learn(g->carrier, entry->plan) != STRATA_OK) {
        destroy_entry(entry);
        return strata_fail(message, STRATA_ERR_TRANSPORT, "the members of a node could not agree");
    }
    entry->lengths_first = word[1] != 0;
    keep(&g->plans, entry, g->ranks);
    *made = entry;
    return STRATA_OK;
}

int strata_plans_find(struct strata_group *group, const struct strata_plan_key *key,
                      struct strata_selection_entry **entry, struct strata_diagnostic *message)
{
    int error = STRATA_OK;

    *entry = look_up(&group->plans, key);
    if (!*entry) {
        error = make(group, key, entry, message);
    }
    if (*entry) {
        (*entry)->used = ++group->plans.clock;
    }
    return error == STRATA_ERR_MEMORY || error == STRATA_ERR_UNSUPPORTED ? STRATA_OK : error;
}
