/* Walks the catalogue: plans of all ranks by a row of the registry for a collective, with every
 * choice that the algorithm leaves open. */
#ifndef STRATA_TESTS_HIER_CATALOGUE_H
#define STRATA_TESTS_HIER_CATALOGUE_H

#include "core/check/check.h"
#include "tests/algorithms.h"
#include "tests/hier/plans.h"

/* One problem, and its plans. */
struct catalogue_case {
    const struct strata_algorithm *algorithm;
    struct strata_problem problem;
    struct strata_torus torus; /* problem.torus may point at it */
    struct strata_plan **of;   /* [ranks] */
    int64_t work;              /* about the number of steps and blocks of all ranks */
    char text[320];            /* for reports: name, collective, root, layout */
};

static inline const struct strata_plan *const *catalogue_plans(const struct catalogue_case *c)
{
    return (const struct strata_plan *const *)c->of;
}

/* A selection of the problems of an algorithm for a collective. */
struct catalogue_question {
    const struct strata_algorithm *algorithm;
    enum strata_collective collective;
    const struct world *world;
    int roots;    /* at most so many roots, at random */
    int choices;  /* at most so many combinations of parameters, at random */
    int shapes;   /* at most so many shapes of a torus, for algorithms that read it */
    int64_t most; /* cases with more work are left out; 0: none */
};

struct catalogue_tally {
    int64_t cases, refused, left_out; /* refused: the algorithm is not applicable */
    int64_t steps, work;              /* of all cases */
};

typedef void catalogue_visit(const struct catalogue_case *c, struct random *r, void *argument);

/* Builds the plans of each problem and hands them to `visit`. */
void catalogue_each(const struct catalogue_question *question, struct random *r,
                    catalogue_visit *visit, void *argument, struct catalogue_tally *tally);

/* Whether problem.torus, or the ranks' nodes, change the algorithm's plans or make it
 * inapplicable. */
bool catalogue_reads_torus(const struct strata_algorithm *algorithm,
                           enum strata_collective collective);
bool catalogue_reads_nodes(const struct strata_algorithm *algorithm,
                           enum strata_collective collective);

/* A layout of so many ranks, most of them with packages and caches. Variant 0 has equal nodes in
 * block order. Variant 1 is any layout for up to PLANS_RANKS ranks; for more it has near-equal
 * nodes, in blocks or dealt in turn. */
void catalogue_world(struct random *r, int ranks, int variant, struct world *world);

#endif
