/* Goes through the catalogue: plans of all ranks by a row of the registry for a collective, with
 * every choice that an algorithm leaves open. */
#ifndef STRATA_TESTS_HIER_CATALOGUE_H
#define STRATA_TESTS_HIER_CATALOGUE_H

#include "core/check/check.h"
#include "tests/algorithms.h"
#include "tests/hier/plans.h"

/* One problem, and the plans for it. */
struct catalogue_case {
    const struct strata_algorithm *algorithm;
    struct strata_problem problem;
    struct strata_torus torus; /* what problem.torus points at, if anything */
    struct strata_plan **of;   /* [ranks] */
    int64_t work;              /* about how many steps and blocks all ranks have */
    char text[320];            /* name, collective, root, layout, to report */
};

static inline const struct strata_plan *const *catalogue_plans(const struct catalogue_case *c)
{
    return (const struct strata_plan *const *)c->of;
}

/* Some of the problems of an algorithm for a collective. */
struct catalogue_question {
    const struct strata_algorithm *algorithm;
    enum strata_collective collective;
    const struct world *world;
    int roots;    /* so many, drawn at random; all where there are no more */
    int choices;  /* likewise combinations of parameters */
    int shapes;   /* likewise shapes of a torus, for algorithms that look at it */
    int64_t most; /* work of a case that is not left out; 0: all */
};

struct catalogue_tally {
    int64_t cases, refused, left_out; /* refused: the algorithm is not applicable */
    int64_t steps, work;              /* of the cases */
};

typedef void catalogue_visit(const struct catalogue_case *c, struct random *r, void *argument);

/* Builds the plans of each problem and hands them to visit. */
void catalogue_each(const struct catalogue_question *question, struct random *r,
                    catalogue_visit *visit, void *argument, struct catalogue_tally *tally);

/* Whether the algorithm's plans, or its word on whether it is applicable, depend on problem.torus,
 * or on how ranks lie on nodes. */
bool catalogue_reads_torus(const struct strata_algorithm *algorithm,
                           enum strata_collective collective);
bool catalogue_reads_nodes(const struct strata_algorithm *algorithm,
                           enum strata_collective collective);

/* Layout number `variant` for so many ranks: 0 equal nodes in block order, 1 any (of up to
 * PLANS_RANKS ranks, else near-equal nodes, in blocks or dealt in turn). */
void catalogue_world(struct random *r, int ranks, int variant, struct world *world);

#endif
