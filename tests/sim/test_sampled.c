/* Proof by samples accepts every algorithm's plans, and rejects plans with a mistake.
 *
 * timeout: 200 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hier/capacity.h"
#include "hier/registry.h"
#include "sim/sampled/sampled.h"
#include "tests/algorithms.h"
#include "tests/assert_cmp.h"

enum { MOST_RANKS = 64 };

/* A mistake in the first step of the kind `op` in the rank's plan. */
struct mistake {
    const char *algorithm, *collective;
    int op;
    void (*make)(struct strata_plan *plan, struct strata_step *step);
};

struct world {
    struct strata_topology *topology, *flat;
    struct strata_torus torus;
    struct strata_problem problem;
    const struct strata_algorithm *algorithm;
    const struct mistake *mistake; /* of all ranks except 0; NULL: none */
};

static void make_mistake(const struct mistake *m, struct strata_plan *plan)
{
    int i = 0;
    while (i < plan->nsteps && plan->steps[i].op != m->op) {
        i++;
    }
    if (i < plan->nsteps) {
        m->make(plan, &plan->steps[i]);
    }
}

static int build(void *self, int rank, struct strata_plan **plan)
{
    struct world *w = self;
    struct strata_diagnostic message = {""};
    w->problem.rank = rank;
    int error = strata_algorithm_plan(w->algorithm, &w->problem, plan, &message);
    if (!error && w->mistake && rank != 0) {
        make_mistake(w->mistake, *plan);
    }
    return error;
}

static void begin(struct world *w, const char *topology, int ranks)
{
    *w = (struct world){.algorithm = NULL};
    assert_int_equal(strata_topology_parse(topology, ranks, &w->topology, NULL), 0);
    assert_int_equal(strata_topology_flat(w->topology->ranks, &w->flat), 0);
    w->torus = strata_torus_balanced(w->topology->ranks, 2);
}

static void end(struct world *w)
{
    strata_topology_destroy(w->topology);
    strata_topology_destroy(w->flat);
}

/* Whether the algorithm is applicable. */
static bool choose(struct world *w, const struct strata_algorithm *algorithm,
                   enum strata_collective collective)
{
    w->algorithm = algorithm;
    w->problem = (struct strata_problem){
        .collective = collective,
        .topology = w->topology,
        .flat = w->flat,
        .torus = &w->torus,
        .root = strata_collective_rooted(collective) ? w->topology->ranks / 2 : 0,
        .commutative = true,
        .block_bytes = 8,
        .most_bytes = 8};
    assert_int_equal(
        strata_capacity_divide(w->topology, (size_t)1 << 26, 64, 1, false, &w->problem.capacity),
        0);
    algorithm_first_parameters(algorithm, w->problem.parameter);
    return !strata_algorithm_refusal(algorithm, &w->problem);
}

static int prove(struct world *w, struct strata_sampled_proof *proof)
{
    int ranks[MOST_RANKS];
    struct strata_formula formula = {0};
    struct strata_sampling s = {
        .plan = build, .self = w, .rank = ranks, .ranks = w->topology->ranks, .state = 1};
    for (int i = 0; i < s.ranks; i++) {
        ranks[i] = i;
    }
    if (w->algorithm->formula) {
        formula = w->algorithm->formula(&w->problem);
        s.formula = &formula;
    }
    return strata_sampled_prove(&s, proof);
}

static void right_plans_are_right(void **state)
{
    static const char *const topologies[] = {"node:1", "node:4", "node:3,5,1,4", "node:5:cyclic",
                                             "node:16"};
    static const int ranks[] = {1, 16, 13, 29, 16};
    long journeys = 0, messages = 0;
    (void)state;
    for (int t = 0; t < 5; t++) {
        struct world w;
        const struct strata_algorithm *algorithm;
        begin(&w, topologies[t], ranks[t]);
        for (int i = 0; (algorithm = strata_registry_at(i)); i++) {
            for (int c = 0; c < STRATA_COLLECTIVE_COUNT && algorithm->level != STRATA_MPI; c++) {
                struct strata_sampled_proof proof;
                if (!algorithm_serves(algorithm, (enum strata_collective)c) ||
                    !choose(&w, algorithm, (enum strata_collective)c)) {
                    continue;
                }
                if (prove(&w, &proof) != STRATA_OK) {
                    fail_msg("%s by %s on %s: %s",
                             strata_collective_name((enum strata_collective)c), algorithm->name,
                             topologies[t], proof.wrong.text);
                }
                journeys += proof.journeys;
                messages += proof.messages;
            }
        }
        end(&w);
    }
    ASSERT_CMP(journeys, >, 1000);
    ASSERT_CMP(messages, >, 10000);
}

static void other_peer(struct strata_plan *plan, struct strata_step *step)
{
    step->peer = (step->peer + 1) % plan->topology->ranks;
}

/* Where a message comes twice in a row, takes the blocks of the second one. */
static void other_set(struct strata_plan *plan, struct strata_step *step)
{
    step->set = step->set + 1 < plan->nsets ? step->set + 1 : step->set - 1;
}

static void other_source(struct strata_plan *plan, struct strata_step *step)
{
    step->from = step->from + 1 < plan->nsets ? step->from + 1 : step->from - 1;
}

static void left_out(struct strata_plan *plan, struct strata_step *step)
{
    (void)plan;
    step->op = STRATA_STEP_PHASE;
    step->label = 0;
}

static void never_waits(struct strata_plan *plan, struct strata_step *step)
{
    (void)step;
    for (int i = 0; i < plan->nsteps; i++) {
        plan->steps[i].count += plan->steps[i].op == STRATA_STEP_WAIT ? 1000 : 0;
    }
}

static void other_leader(struct strata_plan *plan, struct strata_step *step)
{
    int size = strata_topology_node_size(plan->topology, 0);
    step->peer = (step->peer + 1) % size;
}

static void mistakes_are_found(void **state)
{
    static const struct mistake mistakes[] = {
        {"sloav", "alltoallv", STRATA_STEP_SEND_BLOCKS, other_peer},
        {"sloav", "alltoallv", STRATA_STEP_RECV_BLOCKS, other_peer},
        {"sloav", "alltoallv", STRATA_STEP_SEND_BLOCKS, other_set},
        {"sloav", "alltoallv", STRATA_STEP_SEND_BLOCKS, left_out},
        {"sloav", "alltoallv", STRATA_STEP_WAIT, never_waits},
        {"leaders", "alltoallv", STRATA_STEP_COPY_OUT, other_leader},
        {"leaders", "alltoallv", STRATA_STEP_COPY, left_out},
        {"leaders", "alltoallv", STRATA_STEP_SEND_BLOCKS, other_peer},
        {"bruck", "allgather", STRATA_STEP_SEND_BLOCKS, other_peer},
        {"bruck", "allgather", STRATA_STEP_SEND_BLOCKS, other_set},
        {"bruck", "allgather", STRATA_STEP_WAIT, never_waits},
        {"bruck", "allgather", STRATA_STEP_COPY, left_out},
        {"node_allgather", "allgather", STRATA_STEP_COPY, left_out},
        {"binomial", "bcast", STRATA_STEP_RECV_BLOCKS, left_out},
        {"rabenseifner", "allreduce", STRATA_STEP_REDUCE, other_source},
        {"bruck_index", "alltoall", STRATA_STEP_COPY, other_source},
    };
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        struct strata_sampled_proof proof;
        struct world w;
        int c = 0;
        begin(&w, "node:4", 16);
        while (strcmp(strata_collective_name((enum strata_collective)c), mistakes[i].collective) !=
               0) {
            c++;
        }
        assert_non_null(strata_registry_find(mistakes[i].algorithm));
        assert_true(
            choose(&w, strata_registry_find(mistakes[i].algorithm), (enum strata_collective)c));
        w.mistake = &mistakes[i];
        if (prove(&w, &proof) != STRATA_ERR_PLAN || !*proof.wrong.text) {
            fail_msg("mistake %zu of %s was not found", i, mistakes[i].algorithm);
        }
        end(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_plans_are_right),
        cmocka_unit_test(mistakes_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
