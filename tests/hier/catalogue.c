#include "tests/hier/catalogue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/text/plan_text.h"
#include "tests/assert_cmp.h"

enum { MOST_VALUES = 64, MOST_CHOICES = 4096, MOST_SHAPES = 64 };

/* --- choices -----------------------------------------------------------------------------------
 */

/* Lists the values of a parameter to try: its choices and the least value, or all that have
 * names. */
static int values_of(const struct strata_parameter *p, int *values)
{
    int count = 0;
    values[count++] = p->least;
    if (strata_parameter_word(p, p->least)) {
        for (; p->least + count <= strata_parameter_most(p); count++) {
            ASSERT_CMP(count, <, MOST_VALUES);
            values[count] = p->least + count;
        }
        return count;
    }
    for (int i = 0; i < algorithm_choices(p); i++) {
        if (strata_parameter_choice(p, i) != p->least) {
            values[count++] = strata_parameter_choice(p, i);
        }
    }
    return count;
}

/* Lists all combinations of parameters in random order. Returns their number. */
static int combine(const struct strata_algorithm *algorithm, struct random *r,
                   int combination[][STRATA_PARAMETERS])
{
    int count = 1;
    memset(combination[0], 0, sizeof combination[0]);
    for (int i = 0; i < STRATA_PARAMETERS && algorithm->parameters[i].name; i++) {
        int values[MOST_VALUES], nvalues = values_of(&algorithm->parameters[i], values),
                                 before = count;
        ASSERT_CMP(count * nvalues, <=, MOST_CHOICES);
        for (count = 0; count < before * nvalues; count++) {
            if (count >= before) {
                memcpy(combination[count], combination[count % before], sizeof combination[0]);
            }
        }
        for (int c = 0; c < count; c++) {
            combination[c][i] = values[c / before];
        }
    }
    for (int i = count - 1; i > 0; i--) {
        int other[STRATA_PARAMETERS], j = random_below(r, i + 1);
        memcpy(other, combination[i], sizeof other);
        memcpy(combination[i], combination[j], sizeof other);
        memcpy(combination[j], other, sizeof other);
    }
    return count;
}

/* Lists all shapes of that many axes or fewer; longer shapes only without axes of 1. */
static int find_shapes(int ranks, struct strata_torus shape, struct strata_torus *shapes, int count)
{
    if (ranks == 1 && shape.ndims > 0) {
        if (count < MOST_SHAPES) {
            shapes[count++] = shape;
        }
        return count;
    }
    for (int size = ranks == 1 ? 1 : 2; size <= ranks && shape.ndims < STRATA_TORUS_DIMS; size++) {
        if (ranks % size == 0) {
            struct strata_torus longer = shape;
            longer.size[longer.ndims++] = size;
            count = find_shapes(ranks / size, longer, shapes, count);
        }
    }
    return count;
}

/* Lists shapes for so many ranks in random order; every other one is a mesh. */
static int draw_shapes(int ranks, struct random *r, struct strata_torus *shapes)
{
    int count = find_shapes(ranks, (struct strata_torus){.ndims = 0}, shapes, 0);
    for (int i = count - 1; i > 0; i--) {
        int j = random_below(r, i + 1);
        struct strata_torus other = shapes[i];
        shapes[i] = shapes[j];
        shapes[j] = other;
    }
    for (int i = 0, tori = count; i < tori && count < MOST_SHAPES; i++) {
        shapes[count] = shapes[i];
        shapes[count++].mesh = true;
    }
    return count;
}

/* --- plans -------------------------------------------------------------------------------------
 */

static void measure(struct catalogue_case *c)
{
    const struct strata_plan *plan = c->of[0];
    struct strata_cursor cursor;
    int64_t ranks = plan->topology->ranks;
    int64_t work = plan->blocks.count / 4 + plan->blocks.work / 4;
    for (strata_cursor_begin(&cursor, plan); strata_cursor_step(&cursor);
         strata_cursor_advance(&cursor)) {
        work += 1 + strata_set_count(strata_cursor_set(&cursor));
    }
    c->work = ranks * work;
}

static void describe(struct catalogue_case *c)
{
    const struct strata_problem *p = &c->problem;
    char where[96], torus[48] = "";
    int used = 0;
    strata_topology_describe(p->topology, where, sizeof where);
    for (int d = 0; p->torus && d < p->torus->ndims; d++) {
        used += snprintf(torus + used, sizeof torus - (size_t)used, "%s%d", d ? "x" : ", torus ",
                         p->torus->size[d]);
    }
    snprintf(c->text, sizeof c->text, "%s, %s, root %d%s%s%s, %s", c->of[0]->name,
             strata_collective_name(p->collective), p->root,
             strata_collective_reduces(p->collective) && !p->commutative ? ", keeps order" : "",
             torus, p->torus && p->torus->mesh ? " mesh" : "", where);
}

static struct strata_plan *plan_of(struct catalogue_case *c, int rank)
{
    struct strata_plan *plan = NULL;
    struct strata_diagnostic message = {""};
    c->problem.rank = rank;
    if (strata_algorithm_plan(c->algorithm, &c->problem, &plan, &message) != STRATA_OK) {
        fail_msg("%s for rank %d of %d of %s, root %d: %s", c->algorithm->name, rank,
                 c->problem.flat->ranks, strata_collective_name(c->problem.collective),
                 c->problem.root, message.text);
    }
    return plan;
}

struct tour {
    const struct catalogue_question *question;
    struct random *r;
    catalogue_visit *visit;
    void *argument;
    struct catalogue_tally *tally;
};

static void visit_case(const struct tour *t, struct catalogue_case *c)
{
    int ranks = c->problem.flat->ranks;
    if (strata_algorithm_refusal(c->algorithm, &c->problem)) {
        t->tally->refused++;
        return;
    }
    c->of = calloc((size_t)ranks, sizeof *c->of);
    assert_non_null(c->of);
    c->of[0] = plan_of(c, 0);
    measure(c);
    if (t->question->most && c->work > t->question->most) {
        t->tally->left_out++;
    } else {
        for (int rank = 1; rank < ranks; rank++) {
            c->of[rank] = plan_of(c, rank);
        }
        describe(c);
        t->tally->cases++;
        t->visit(c, t->r, t->argument);
    }
    for (int rank = 0; rank < ranks; rank++) {
        strata_plan_destroy(c->of[rank]);
    }
    free(c->of);
}

/* Visits operators that commute, and for algorithms that keep the order also operators that do
 * not. */
static void visit_operators(const struct tour *t, struct catalogue_case *c)
{
    c->problem.commutative = true;
    visit_case(t, c);
    if (strata_collective_reduces(c->problem.collective) && c->algorithm->keeps_order) {
        c->problem.commutative = false;
        visit_case(t, c);
    }
}

static void visit_roots(const struct tour *t, struct catalogue_case *c)
{
    int ranks = c->problem.flat->ranks, roots = t->question->roots;
    bool rooted = strata_collective_rooted(c->problem.collective), all = roots >= ranks;
    int count = !rooted ? 1 : all ? ranks : roots;
    for (int i = 0; i < count; i++) {
        c->problem.root = !rooted ? 0 : all ? i : random_below(t->r, ranks);
        visit_operators(t, c);
    }
}

static void visit_shapes(const struct tour *t, struct catalogue_case *c)
{
    struct strata_torus shapes[MOST_SHAPES];
    c->problem.torus = NULL;
    visit_roots(t, c);
    if (!catalogue_reads_torus(c->algorithm, c->problem.collective)) {
        return;
    }
    int count = draw_shapes(c->problem.flat->ranks, t->r, shapes);
    for (int i = 0; i < count && i < t->question->shapes; i++) {
        c->torus = shapes[i];
        c->problem.torus = &c->torus;
        visit_roots(t, c);
    }
}

static struct strata_problem problem_of(const struct catalogue_question *q)
{
    const size_t ample = (size_t)1 << 40;
    return (struct strata_problem){.collective = q->collective,
                                   .topology = q->world->topology,
                                   .flat = q->world->flat,
                                   .capacity = {.slot = ample,
                                                .landing = ample,
                                                .scratch = ample,
                                                .threshold = 24,
                                                .passes = 1,
                                                .single_copy = true},
                                   .block_bytes = 8,
                                   .most_bytes = 8};
}

void catalogue_each(const struct catalogue_question *question, struct random *r,
                    catalogue_visit *visit, void *argument, struct catalogue_tally *tally)
{
    static int combination[MOST_CHOICES][STRATA_PARAMETERS];
    struct tour tour = {question, r, visit, argument, tally};
    int count = combine(question->algorithm, r, combination);
    for (int i = 0; i < count && i < question->choices; i++) {
        struct catalogue_case c = {.algorithm = question->algorithm,
                                   .problem = problem_of(question)};
        memcpy(c.problem.parameter, combination[i], sizeof combination[i]);
        visit_shapes(&tour, &c);
    }
}

/* --- layouts -----------------------------------------------------------------------------------
 */

void catalogue_world(struct random *r, int ranks, int variant, struct world *world)
{
    char text[64];
    if (variant == 1 && ranks <= PLANS_RANKS) {
        world_random(r, ranks, world);
        return;
    }
    int nodes = random_between(r, 1, ranks);
    while (variant == 0 && ranks % nodes) {
        nodes--;
    }
    int used = snprintf(text, sizeof text, "node:%d%s", nodes,
                        variant == 1 && random_one_in(r, 2) ? ":cyclic" : "");
    const int packages = ranks / nodes > 1 ? 2 : 1, cores = ranks / nodes / packages;
    if (cores > 1 && ranks % 3) {
        snprintf(text + used, sizeof text - (size_t)used, " package:%d%s cache:%d", packages,
                 ranks % 3 == 1 ? ":cyclic" : "", cores < 4 ? cores : 4);
    }
    world_parse(text, ranks, world);
}

/* --- what algorithms look at
 * ---------------------------------------------------------------------------
 */

/* The text of the plan that the algorithm makes for twelve ranks. */
static char *printed(struct strata_problem *problem, const struct strata_algorithm *algorithm)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    const char *refusal = strata_algorithm_refusal(algorithm, problem);
    fprintf(file, "%s\n", refusal ? refusal : "");
    for (int rank = 0; rank < 12 && !refusal; rank++) {
        struct strata_plan *plan = NULL;
        problem->rank = rank;
        assert_int_equal(strata_algorithm_plan(algorithm, problem, &plan, NULL), STRATA_OK);
        strata_plan_print(plan, file);
        strata_plan_destroy(plan);
    }
    fclose(file);
    return text;
}

/* A change that may alter plans. Variant 0 is the reference. */
typedef bool alteration(struct strata_problem *problem, struct world *worlds, int variant);

enum { LAYOUTS = 4 };

static bool alter_torus(struct strata_problem *problem, struct world *worlds, int variant)
{
    static const struct strata_torus shapes[] = {
        {1, {12}, false}, {2, {3, 4}, false}, {2, {4, 3}, true}, {3, {2, 3, 2}, false}};
    (void)worlds;
    problem->torus = variant > 0 ? &shapes[variant - 1] : NULL;
    return variant <= 4;
}

static bool alter_nodes(struct strata_problem *problem, struct world *worlds, int variant)
{
    problem->topology = worlds[variant % LAYOUTS].topology;
    problem->flat = worlds[variant % LAYOUTS].flat;
    return variant < LAYOUTS;
}

static bool differs(struct strata_problem *problem, const struct strata_algorithm *algorithm,
                    struct world *worlds, alteration *alter)
{
    bool differs = false;
    alter(problem, worlds, 0);
    char *first = printed(problem, algorithm);
    for (int variant = 1; !differs && alter(problem, worlds, variant); variant++) {
        char *other = printed(problem, algorithm);
        differs = strcmp(first, other) != 0;
        free(other);
    }
    alter(problem, worlds, 0);
    free(first);
    return differs;
}

static bool reads(const struct strata_algorithm *algorithm, enum strata_collective collective,
                  alteration *alter)
{
    static const char *const layouts[LAYOUTS] = {"node:4", "node:3", "node:3:cyclic", "node:5,4,3"};
    static int combination[MOST_CHOICES][STRATA_PARAMETERS];
    struct world worlds[LAYOUTS];
    struct random r = {1};
    bool found = false;
    for (int i = 0; i < LAYOUTS; i++) {
        world_parse(layouts[i], 12, &worlds[i]);
    }
    struct catalogue_question q = {
        .algorithm = algorithm, .collective = collective, .world = &worlds[0]};
    struct strata_problem problem = problem_of(&q);
    problem.commutative = true;
    int count = combine(algorithm, &r, combination);
    for (int c = 0; c < count && !found; c++) {
        memcpy(problem.parameter, combination[c], sizeof combination[c]);
        found = differs(&problem, algorithm, worlds, alter);
    }
    for (int i = 0; i < LAYOUTS; i++) {
        world_destroy(&worlds[i]);
    }
    return found;
}

/* The answers for each algorithm and collective. 0: not asked yet, 1: no, 2: yes. */
enum { ROWS = 256 };
typedef signed char answers[ROWS][STRATA_COLLECTIVE_COUNT];

static bool reads_once(const struct strata_algorithm *algorithm, enum strata_collective collective,
                       alteration *alter, answers known)
{
    int index = 0;
    while (strata_registry_at(index) != algorithm) {
        index++;
    }
    ASSERT_CMP(index, <, ROWS);
    if (!known[index][collective]) {
        known[index][collective] = (signed char)(1 + reads(algorithm, collective, alter));
    }
    return known[index][collective] == 2;
}

bool catalogue_reads_torus(const struct strata_algorithm *algorithm,
                           enum strata_collective collective)
{
    static answers known;
    return reads_once(algorithm, collective, alter_torus, known);
}

bool catalogue_reads_nodes(const struct strata_algorithm *algorithm,
                           enum strata_collective collective)
{
    static answers known;
    return algorithm->level == STRATA_NODE_AWARE ||
           reads_once(algorithm, collective, alter_nodes, known);
}
