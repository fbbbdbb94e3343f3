/* Programs that call with one root after another. A rank of 512, 16 on a node, makes a plan for
 * each root of a broadcast and of a reduction once, and finds it again in 10,000 calls of each. The
 * test prints and bounds the number and the size of the plans. With more ranks than plans in a
 * table, the table's memory is still bounded. One process follows the tables of some ranks.
 *
 * run: 1
 * sanitized: long
 */
#include <string.h>

#include "api/attach/plan_table.h"
#include "core/base/memory.h"
#include "core/cost/machine.h"
#include "hier/capacity.h"
#include "hier/select.h"
#include "tests/mpi/require.h"

enum { CALLS = 10000, BYTES = 4096, KINDS = 2, NODE = 16, MEBIBYTE = 1 << 20 };

struct program {
    struct strata_topology *topology, *flat;
    struct strata_capacity capacity;
    struct strata_machine machine;
    struct strata_plan_table table;
    int rank, made;
};

static size_t bytes_of(const struct strata_selection_entry *entry)
{
    const struct strata_plan *p = entry->plan;
    size_t plan = p ? sizeof *p + (size_t)p->nsteps * sizeof *p->steps +
                          (size_t)p->nsets * sizeof *p->sets +
                          (size_t)p->nboxes * sizeof *p->boxes + (size_t)p->labels_size
                    : 0;
    return sizeof *entry + sizeof *entry->kept + plan;
}

static size_t bytes_of_all(const struct strata_plan_table *table)
{
    size_t bytes = 0;
    for (int i = 0; i < STRATA_PLAN_LISTS; i++) {
        for (const struct strata_selection_entry *e = table->list[i]; e; e = e->next) {
            bytes += bytes_of(e);
        }
    }
    return bytes;
}

static struct strata_selection_entry *make(struct program *p, const struct strata_plan_key *key)
{
    struct strata_selection_entry *entry = strata_allocate(1, sizeof *entry);
    struct strata_problem problem = {.collective = key->collective,
                                     .rank = p->rank,
                                     .topology = p->topology,
                                     .flat = p->flat,
                                     .capacity = p->capacity,
                                     .root = key->root,
                                     .commutative = key->commutative};
    REQUIRE(entry);
    REQUIRE(entry->kept = strata_allocate(1, sizeof *entry->kept));
    strata_plan_key_bytes(key, &problem);
    REQUIRE_CMP(strata_select(NULL, &problem, &p->machine, &entry->selection), ==, STRATA_OK);
    const struct strata_algorithm *algorithm = entry->selection.choice.algorithm;
    memcpy(problem.parameter, entry->selection.choice.parameter, sizeof problem.parameter);
    if (algorithm->level != STRATA_MPI) {
        REQUIRE_CMP(strata_algorithm_plan(algorithm, &problem, &entry->kept->plan, NULL), ==,
                    STRATA_OK);
    }
    entry->key = *key;
    entry->kept->entries = 1;
    entry->plan = entry->kept->plan;
    p->made++;
    return entry;
}

static void call(struct program *p, enum strata_collective collective, int root)
{
    struct strata_plan_key key = {
        .collective = collective, .root = root, .commutative = collective == STRATA_REDUCE};
    strata_plan_key_sizes(&key, BYTES, BYTES);
    struct strata_selection_entry *entry = strata_plan_table_find(&p->table, &key);
    if (!entry) {
        entry = make(p, &key);
        strata_plan_table_keep(&p->table, entry, p->topology->ranks);
    }
    strata_plan_table_use(&p->table, entry);
    REQUIRE_CMP(entry->key.root, ==, root);
    REQUIRE_CMP(entry->key.collective, ==, collective);
}

static void begin(struct program *p, int ranks)
{
    char nodes[32];
    *p = (struct program){.rank = 0};
    snprintf(nodes, sizeof nodes, "node:%d", ranks / NODE);
    REQUIRE_CMP(strata_topology_parse(nodes, ranks, &p->topology, NULL), ==, STRATA_OK);
    REQUIRE_CMP(strata_topology_flat(ranks, &p->flat), ==, STRATA_OK);
    REQUIRE_CMP(strata_machine_parse("cluster", &p->machine, NULL), ==, STRATA_OK);
    REQUIRE_CMP(
        strata_capacity_divide(p->topology, (size_t)64 * MEBIBYTE, 4096, 1, false, &p->capacity),
        ==, STRATA_OK);
}

static void end(struct program *p)
{
    strata_plan_table_destroy(&p->table);
    strata_topology_destroy(p->topology);
    strata_topology_destroy(p->flat);
}

/* Returns the bytes that the rank has in the end. */
static size_t rotate(struct program *p, int rank, int calls)
{
    int ranks = p->topology->ranks;
    p->rank = rank;
    p->made = 0;
    for (int i = 0; i < calls; i++) {
        call(p, STRATA_BCAST, i % ranks);
        call(p, STRATA_REDUCE, (i + rank) % ranks);
    }
    size_t bytes = bytes_of_all(&p->table);
    printf("rank %d of %d: %d calls, %d plans made, %d kept, %zu bytes\n", rank, ranks,
           KINDS * calls, p->made, p->table.entries, bytes);
    REQUIRE_CMP(p->table.entries, <=, strata_plan_table_most(ranks));
    strata_plan_table_destroy(&p->table);
    p->table = (struct strata_plan_table){.entries = 0};
    return bytes;
}

/* Each root's plan is made once. */
static void test_as_many_as_roots(void)
{
    static const int ranks[] = {17, 511};
    struct program p;
    begin(&p, 512);
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++) {
        REQUIRE_CMP(rotate(&p, ranks[i], CALLS), <, (size_t)4 * MEBIBYTE);
        REQUIRE_CMP(p.made, ==, KINDS * 512);
    }
    end(&p);
}

/* There are more roots than the table has room for. */
static void test_more_roots(void)
{
    struct program p;
    begin(&p, 4096);
    REQUIRE_CMP(strata_plan_table_most(4096), <, 4096);
    REQUIRE_CMP(rotate(&p, 5, 600), <, MEBIBYTE);
    end(&p);
}

static void test_room(void)
{
    REQUIRE_CMP(strata_plan_table_most(2), ==, 260);
    REQUIRE_CMP(strata_plan_table_most(512), ==, 1280);
    REQUIRE_CMP(strata_plan_table_most(4096), ==, 256);
    REQUIRE_CMP(strata_plan_table_most(1 << 20), ==, 16);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    test_room();
    test_as_many_as_roots();
    test_more_roots();
    MPI_Finalize();
    return 0;
}
