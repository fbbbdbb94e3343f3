/* Plans of all ranks by rows of the registry, on random layouts, in as many passes as wanted. */
#ifndef STRATA_TESTS_HIER_PLANS_H
#define STRATA_TESTS_HIER_PLANS_H

#include "core/check/check.h"
#include "hier/registry.h"
#include "tests/random.h"

enum { PLANS_RANKS = 256 };

struct world {
    struct strata_topology *topology, *flat;
};

/* Sizes equal or not, ranks dealt in blocks, in turn or at random, domains inside the nodes. */
void world_random(struct random *r, int ranks, struct world *world);
void world_parse(const char *text, int ranks, struct world *world);
void world_destroy(struct world *world);

struct plans {
    int ranks;
    struct strata_plan *of[PLANS_RANKS];
    char text[256]; /* name, passes and layout, to report */
};

/* Fills the parameters that are 0: radix 2..8, leaders up to the largest node's ranks, others by
 * the algorithm's own choices. */
void parameters_random(struct random *r, const struct strata_algorithm *algorithm,
                       const struct world *world, int *parameter);

/* Plans with so many passes, or fewer when the algorithm never makes so many, with threshold 24 *
 * passes bytes at most. Fails the test when the algorithm is not applicable with all the memory it
 * may want. */
void plans_build(const struct strata_algorithm *algorithm, const struct world *world,
                 const int *parameter, int passes, struct plans *plans);
void plans_destroy(struct plans *plans);

const struct strata_plan *const *plans_of(const struct plans *plans);

/* Fails the test with the plans' text when they are not right. */
void plans_require(const struct plans *plans, unsigned seed);

#endif
