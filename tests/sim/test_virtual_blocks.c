/* Random calls of every collective by every algorithm over blocks, on virtual ranks. Each byte of
 * each buffer is checked, gaps and inputs included. STRATA_TEST_SEEDS=first,count runs other seeds.
 * Then each rank in turn has a wrong length: its call ends on all ranks, at least one finds the
 * mistake, and the calls before and after it are right.
 *
 * long: STRATA_TEST_LONG=1
 * timeout: 300 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/plan/formats.h"
#include "hier/capacity.h"
#include "hier/registry.h"
#include "sim/virtual/virtual_run.h"
#include "tests/algorithms.h"
#include "tests/assert_cmp.h"
#include "tests/long.h"
#include "tests/sim/collective.h"

enum { MOST_RANKS = 20, CALLS = 3, ROWS = 64, SEEDS = 120, SEEDS_SHORT = LONG_SANITIZED ? 5 : 40 };
enum { MOST = 256, SLICED = 700, SLICE = 192 };
enum { WRONG_RANKS = 9, WRONG_CALL = 1, ROOM = 1 << 17 };

/* The calls so far, so that none is left out by bad luck. */
static int seen[ROWS][STRATA_COLLECTIVE_COUNT], seen_in_place, seen_ordered, seen_sliced[ROWS];
static int seen_by_nodes;                  /* moving the blocks of some nodes in each pass */
static uint64_t seen_exposed[STRATA_WAYS]; /* in bytes */

struct trial {
    uint64_t seed;
    int wrong; /* the rank with a wrong length in the second of three calls; -1: none */
    struct random r;
    const struct strata_algorithm *algorithm;
    struct strata_topology *topology, *flat;
    struct strata_torus torus;
    struct strata_problem problem;
    struct strata_virtual_options options;
    int ranks;
    struct strata_plan *plan[MOST_RANKS];
    struct collective_call *call[CALLS];
    struct strata_virtual_call calls[CALLS * MOST_RANKS];
    int counts[MOST_RANKS], work_counts[MOST_RANKS];
};

static const char *name_of(const struct trial *t)
{
    static char text[256];
    char where[96];
    strata_topology_describe(t->topology, where, sizeof where);
    snprintf(text, sizeof text, "seed %llu, %s by %s, root %d, %s, %s", (unsigned long long)t->seed,
             strata_collective_name(t->problem.collective), t->plan[0]->name, t->problem.root,
             where, t->options.rendezvous ? "rendezvous" : "eager");
    return text;
}

static void draw_world(struct trial *t)
{
    int node_of[MOST_RANKS];
    if (t->ranks == 0) {
        t->ranks = random_between(&t->r, 1, random_one_in(&t->r, 3) ? 8 : MOST_RANKS);
    }
    int nodes = random_one_in(&t->r, 4) ? 1 : random_between(&t->r, 1, t->ranks);
    bool even = random_one_in(&t->r, 4);
    while (even && t->ranks % nodes > 0) {
        nodes--;
    }
    random_nodes(&t->r, t->ranks, nodes, even, node_of);
    assert_int_equal(strata_topology_from_colours(t->ranks, node_of, NULL, &t->topology), 0);
    assert_int_equal(strata_topology_flat(t->ranks, &t->flat), 0);
    t->torus = strata_torus_balanced(t->ranks, random_between(&t->r, 1, 3));
    t->options.rendezvous = random_one_in(&t->r, 2);
    t->options.seed = (unsigned)random_next(&t->r);
    t->options.schedule = random_below(&t->r, 3);
    t->options.spans = random_one_in(&t->r, 2);
}

/* Draws blocks that do not fit in the node memory, for algorithms that cut them. */
static void draw_slices(struct trial *t)
{
    struct strata_capacity *sizes = &t->problem.capacity;
    if (t->algorithm->slice && random_one_in(&t->r, 2)) {
        size_t others = (size_t)(t->ranks - t->topology->smallest);
        t->problem.most_bytes = t->problem.most_bytes / MOST * SLICED;
        sizes->slot = STRATA_SHARED_HEAD + STRATA_CACHE_LINE + SLICE * (size_t)t->ranks;
        sizes->slot *= random_one_in(&t->r, 2) ? 2 : 1; /* blocks of a node, where there are two */
        sizes->landing = others > 0 ? SLICE * others : sizes->landing;
        sizes->longest = SLICED;
        sizes->small = 0; /* its slots hold whole blocks */
    }
}

/* Draws a problem that the algorithm serves. Returns false where none is found. */
static bool draw_problem(struct trial *t, enum strata_collective collective)
{
    for (int attempt = 0; attempt < 40; attempt++) {
        t->problem = (struct strata_problem){.collective = collective,
                                             .topology = t->topology,
                                             .flat = t->flat,
                                             .torus = random_one_in(&t->r, 2) ? &t->torus : NULL,
                                             .commutative = random_one_in(&t->r, 2),
                                             .bulky = random_one_in(&t->r, 2),
                                             .block_bytes = 64,
                                             .most_bytes = MOST};
        t->problem.most_bytes *= strata_collective_scatters(collective) ? (size_t)t->ranks : 1;
        assert_int_equal(strata_capacity_divide(t->topology, (size_t)1 << 17, 4096, 1, false,
                                                &t->problem.capacity),
                         0);
        if (strata_collective_rooted(collective)) {
            t->problem.root = random_below(&t->r, t->ranks);
        }
        draw_slices(t);
        algorithm_draw_parameters(t->algorithm, &t->r, t->problem.parameter);
        if (!strata_algorithm_refusal(t->algorithm, &t->problem)) {
            return true;
        }
    }
    return false;
}

static void build_plans(struct trial *t)
{
    for (int rank = 0; rank < t->ranks; rank++) {
        struct strata_diagnostic message = {""};
        t->problem.rank = rank;
        if (strata_algorithm_plan(t->algorithm, &t->problem, &t->plan[rank], &message) !=
            STRATA_OK) {
            fail_msg("seed %llu: %s", (unsigned long long)t->seed, message.text);
        }
    }
}

/* The member whose output holds the result, where it lies once in a node. */
static int owner_of(const struct trial *t, int rank)
{
    int node = t->topology->node_of[rank], root = t->problem.root;
    bool roots = strata_collective_rooted(t->problem.collective);
    return !t->algorithm->once ? rank
           : roots && t->topology->node_of[root] == node
               ? root
               : strata_topology_rank(t->topology, node, 0);
}

/* The other members' own output stays as it is. */
static void share_output(struct trial *t, int c, int rank)
{
    struct part *mine = &t->call[c]->output[rank];
    const struct part *shared = &t->call[c]->output[owner_of(t, rank)];
    struct strata_virtual_call *call = &t->calls[c * t->ranks + rank];
    if (mine != shared) {
        memcpy(mine->expected, mine->memory, mine->size);
        call->output = shared->layout;
        call->input = call->in_place ? shared->layout : call->input;
    }
}

static int draw_most(struct trial *t)
{
    size_t blocks = strata_collective_scatters(t->problem.collective) ? (size_t)t->ranks : 1;
    int most = (int)(t->problem.most_bytes / blocks);
    return random_one_in(&t->r, 4) ? most : random_one_in(&t->r, 2) ? most / 2 : 100;
}

static void make_call(struct trial *t, int c)
{
    struct collective_shape shape = {.collective = t->problem.collective,
                                     .ranks = t->ranks,
                                     .root = t->problem.root,
                                     .segments = t->plan[0]->blocks.count,
                                     .commutative = t->problem.commutative,
                                     .bulky = t->problem.bulky,
                                     .in_place = t->wrong < 0 && !t->algorithm->once &&
                                                 random_one_in(&t->r, 3),
                                     .most = draw_most(t)};
    t->call[c] = collective_create(&t->r, &shape);
    for (int rank = 0; rank < t->ranks; rank++) {
        t->calls[c * t->ranks + rank] =
            (struct strata_virtual_call){.plan = t->plan[rank],
                                         .input = t->call[c]->input[rank].layout,
                                         .output = t->call[c]->output[rank].layout,
                                         .work = t->call[c]->work,
                                         .op = &t->call[c]->op,
                                         .in_place = collective_in_place(t->call[c], rank)};
        share_output(t, c, rank);
    }
    seen_in_place += shape.in_place;
    seen_ordered += strata_collective_reduces(shape.collective) && !shape.commutative;
}

/* Changes all blocks by one element, or one block where each has its own count. Returns the change
 * in bytes. */
static int change(struct trial *t, struct strata_layout *l, int blocks)
{
    int more = random_one_in(&t->r, 2) ? 1 : -1, which = random_below(&t->r, blocks);
    if (l->counts) {
        memcpy(t->counts, l->counts, (size_t)blocks * sizeof *t->counts);
        more = t->counts[which] == 0 ? 1 : more;
        t->counts[which] += more;
        l->counts = t->counts;
    } else {
        more = l->count == 0 ? 1 : more;
        l->count += (size_t)more;
    }
    return more * (int)l->type->size;
}

/* Spoils a rank's lengths. Vectors have one length for all, and so have a reduction's blocks on
 * both sides. The rank's idea of the work store's blocks follows from the side that knows more. */
static void spoil(struct trial *t, struct strata_virtual_call *call, const struct part *in,
                  const struct part *out)
{
    const struct strata_collective_info *info = &strata_collective_info[t->problem.collective];
    bool both = !info->ranked || strata_collective_reduces(t->problem.collective);
    bool input_knows = both || in->blocks > out->blocks;
    bool input =
        both ? in->blocks > 0 : in->blocks > 0 && (!out->blocks || random_one_in(&t->r, 2));
    struct strata_layout *l = input ? &call->input : &call->output;
    int more = change(t, l, input ? in->blocks : out->blocks);
    bool one_knows = info->varying && info->root != '-';
    if (both && !l->counts) {
        call->input.count = call->output.count = l->count;
    } else if (both) {
        call->output.count = (size_t)l->counts[t->wrong];
    }
    if (input == input_knows && !one_knows && !call->work.counts) {
        call->work.count += (size_t)(more / (int)call->work.type->size);
    } else if (input == input_knows && !one_knows) {
        for (int i = 0; i < t->ranks; i++) {
            t->work_counts[i] = (int)(strata_layout_bytes(l, i) / call->work.type->size);
        }
        call->work.counts = t->work_counts;
    }
}

/* Moves a call to other memory with room for more. */
static void spoil_call(struct trial *t)
{
    static unsigned char sizes[2][ROOM];
    struct strata_virtual_call *call = &t->calls[WRONG_CALL * t->ranks + t->wrong];
    call->input.base = sizes[0] + ROOM / 2;
    call->output.base = sizes[!call->in_place] + ROOM / 2;
    spoil(t, call, &t->call[WRONG_CALL]->input[t->wrong], &t->call[WRONG_CALL]->output[t->wrong]);
}

static int found(const struct trial *t)
{
    int ranks = 0;
    for (int rank = 0; rank < t->ranks; rank++) {
        int status = t->calls[WRONG_CALL * t->ranks + rank].status;
        if (status != STRATA_OK && status != STRATA_ERR_TRUNCATE) {
            fail_msg("%s: rank %d ends with %d", name_of(t), rank, status);
        }
        ranks += status != STRATA_OK;
    }
    return ranks;
}

static void judge(struct trial *t, int status, int ncalls, const char *text)
{
    bool whole = status == STRATA_OK || (t->wrong >= 0 && status == STRATA_ERR_TRUNCATE);
    if (!whole) {
        fail_msg("%s, wrong at %d: %s", name_of(t), t->wrong, text);
    }
    for (int c = 0; c < ncalls; c++) {
        bool spoilt = t->wrong >= 0 && c == WRONG_CALL;
        int wrong = spoilt ? -1 : collective_wrong(t->call[c]);
        if (wrong >= 0) {
            fail_msg("%s: rank %d has a wrong byte after call %d", name_of(t), wrong, c);
        }
        if (spoilt && t->ranks > 1 && found(t) == 0) {
            fail_msg("%s: nobody finds that rank %d is wrong", name_of(t), t->wrong);
        }
        collective_destroy(t->call[c]);
        for (int i = 0; i < t->ranks * STRATA_WAYS; i++) {
            const struct strata_virtual_call *call = &t->calls[c * t->ranks + i / STRATA_WAYS];
            seen_exposed[i % STRATA_WAYS] += call->count.exposed[i % STRATA_WAYS];
        }
    }
}

static void run_calls(struct trial *t)
{
    struct strata_virtual *world = NULL;
    struct strata_diagnostic message = {""};
    const struct strata_capacity *capacity = &t->problem.capacity;
    assert_int_equal(
        strata_virtual_create(t->topology, capacity->slot, capacity->landing, &t->options, &world),
        0);
    int ncalls = t->wrong < 0 ? random_between(&t->r, 1, CALLS) : CALLS;
    for (int c = 0; c < ncalls; c++) {
        make_call(t, c);
    }
    if (t->wrong >= 0) {
        spoil_call(t);
    }
    int status = strata_virtual_run(world, t->calls, ncalls, &message);
    judge(t, status, ncalls, message.text);
    strata_virtual_destroy(world);
}

/* ranks 0: a random number. */
static void run_trial(uint64_t seed, int index, enum strata_collective collective, int ranks,
                      int wrong)
{
    struct trial t = {
        .seed = seed, .algorithm = strata_registry_at(index), .ranks = ranks, .wrong = wrong};
    t.r.state = random_mix(seed + 1) ^ (uint64_t)(100 * index + (int)collective);
    draw_world(&t);
    if (draw_problem(&t, collective)) {
        build_plans(&t);
        if (strata_plan_over_blocks(t.plan[0])) {
            run_calls(&t);
            seen_sliced[index] += strata_plan_slices(t.plan[0]);
            seen_by_nodes += strata_collective_info[collective].ranked &&
                             t.plan[0]->limits.passes > strata_plan_slice_count(t.plan[0]);
            seen[index][collective]++;
        } else {
            seen[index][collective] = -1; /* over items: test_virtual */
        }
        for (int rank = 0; rank < t.ranks; rank++) {
            strata_plan_destroy(t.plan[rank]);
        }
    }
    strata_topology_destroy(t.topology);
    strata_topology_destroy(t.flat);
}

static void run_algorithm(int index, uint64_t first, uint64_t count)
{
    const struct strata_algorithm *algorithm = strata_registry_at(index);
    for (int c = 0; c < STRATA_COLLECTIVE_COUNT && algorithm->level != STRATA_MPI; c++) {
        for (uint64_t seed = first; (algorithm->collectives >> c & 1) && seed < first + count;
             seed++) {
            run_trial(seed, index, (enum strata_collective)c, 0, -1);
        }
    }
}

static void every_algorithm_gives_the_expected_bytes(void **state)
{
    (void)state;
    unsigned long long first = 0, count = long_form() ? SEEDS : SEEDS_SHORT;
    const char *other = getenv("STRATA_TEST_SEEDS"), *only = getenv("STRATA_TEST_ROW");
    if (other) {
        assert_int_equal(sscanf(other, "%llu,%llu", &first, &count), 2);
    }
    for (int i = 0; strata_registry_at(i); i++) {
        ASSERT_CMP(i, <, ROWS);
        if (!only || strcmp(only, strata_registry_at(i)->name) == 0) {
            run_algorithm(i, first, count);
        }
    }
}

/* With sanitizers each world is dear, so the short form takes few numbers of ranks, and may draw no
 * call that moves the blocks of some nodes in each pass. */
static bool few(void)
{
    return LONG_SANITIZED && !long_form();
}

static void a_wrong_length_leaves_the_ranks_in_step(void **state)
{
    (void)state;
    const struct strata_algorithm *algorithm;
    uint64_t seed = 1000000;
    for (int i = 0; (algorithm = strata_registry_at(i)); i++) {
        for (int c = 0; c < STRATA_COLLECTIVE_COUNT && algorithm->level != STRATA_MPI; c++) {
            /* of a result that lies once in a node ranks agree on lengths before */
            bool moves =
                (algorithm->collectives >> c & 1) && c != STRATA_BARRIER && !algorithm->once;
            for (int ranks = 1; moves && ranks <= WRONG_RANKS; ranks += few() ? ranks : 1) {
                for (int wrong = 0; wrong < ranks; wrong++, seed++) {
                    run_trial(seed, i, (enum strata_collective)c, ranks, wrong);
                }
            }
        }
    }
}

static void nothing_was_left_out(void **state)
{
    (void)state;
    if (getenv("STRATA_TEST_SEEDS") || getenv("STRATA_TEST_ROW")) {
        skip();
    }
    const struct strata_algorithm *algorithm;
    for (int i = 0; (algorithm = strata_registry_at(i)); i++) {
        assert_true(!algorithm->slice || seen_sliced[i] > SEEDS_SHORT / 4);
        for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
            if (algorithm->level != STRATA_MPI && (algorithm->collectives >> c & 1) &&
                seen[i][c] == 0) {
                fail_msg("%s was never run by %s",
                         strata_collective_name((enum strata_collective)c), algorithm->name);
            }
        }
    }
    assert_true(seen_by_nodes > 0 || few());
    int least = long_form() ? SEEDS : SEEDS_SHORT;
    ASSERT_CMP(seen_in_place, >, least);
    ASSERT_CMP(seen_ordered, >, least);
    for (int way = 0; way < STRATA_WAYS; way++) {
        ASSERT_CMP(seen_exposed[way], >, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_algorithm_gives_the_expected_bytes),
        cmocka_unit_test(a_wrong_length_leaves_the_ranks_in_step),
        cmocka_unit_test(nothing_was_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
