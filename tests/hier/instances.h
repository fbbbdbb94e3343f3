/* Random communicators, for tests of decisions about them. */
#ifndef STRATA_TESTS_HIER_INSTANCES_H
#define STRATA_TESTS_HIER_INSTANCES_H

#include "core/plan/algorithm.h"
#include "tests/random.h"

struct instance {
    struct strata_topology *topology, *flat;
    size_t budget;
    struct strata_problem problem; /* rank 0's, without parameters and capacity */
};

/* Draws up to `most` ranks on equal or unequal nodes, in any order. */
struct instance instance_random(struct random *r, int most);
struct instance instance_of(const char *text, int ranks);
void instance_fini(struct instance *x);

/* Divides the budget. Returns strata_capacity_divide's status. */
int instance_divide(struct instance *x, size_t budget, size_t threshold, int passes, bool check);

/* Draws values for the row's parameters: of its choices, or any allowed ones. */
void instance_parameters(struct instance *x, struct random *r,
                         const struct strata_algorithm *algorithm);

#endif
