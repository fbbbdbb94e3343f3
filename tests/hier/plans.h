/* Plans of all ranks by rows of the registry, on random layouts, with a given number of passes. */
#ifndef STRATA_TESTS_HIER_PLANS_H
#define STRATA_TESTS_HIER_PLANS_H

#include "core/check/check.h"
#include "hier/registry.h"
#include "tests/random.h"

enum { PLANS_RANKS = 256 };

struct world {
    struct strata_topology *topology, *flat;
};

/* Draws a layout: equal or unequal nodes; ranks in blocks, in turn or at random; domains in the
 * nodes. */
void world_random(struct random *r, int ranks, struct world *world);
void world_parse(const char *text, int ranks, struct world *world);
void world_destroy(struct world *world);

struct plans {
    int ranks;
    struct strata_plan *of[PLANS_RANKS];
    char text[256]; /* for reports: name, passes and layout */
};

/* Draws the parameters that are 0: radix 2 to 8, leaders up to the largest node's ranks, others
 * from the algorithm's own choices. */
void parameters_random(struct random *r, const struct strata_algorithm *algorithm,
                       const struct world *world, int *parameter);

/* Builds plans with so many passes, or fewer where the algorithm never makes so many. The threshold
 * is at most 24 * passes bytes. Fails the test where the algorithm is not applicable with any
 * memory. */
void plans_build(const struct strata_algorithm *algorithm, const struct world *world,
                 const int *parameter, int passes, struct plans *plans);
void plans_destroy(struct plans *plans);

const struct strata_plan *const *plans_of(const struct plans *plans);

/* Fails the test where the plans are wrong, and prints them. */
void plans_require(const struct plans *plans, unsigned seed);

#endif
