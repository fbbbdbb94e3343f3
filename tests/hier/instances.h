/* Random communicators, for tests of what is decided about them. */
#ifndef STRATA_TESTS_HIER_INSTANCES_H
#define STRATA_TESTS_HIER_INSTANCES_H

#include "core/plan/algorithm.h"
#include "tests/random.h"

struct instance {
    struct strata_topology *topology, *flat;
    size_t budget;
    struct strata_problem problem; /* of rank 0, without parameters; no capacity yet */
};

/* Up to `most` ranks: equal or unequal nodes, in any order. */
struct instance instance_random(struct random *r, int most);
struct instance instance_of(const char *text, int ranks);
void instance_fini(struct instance *x);

/* Divides the budget; returns strata_capacity_divide's status. */
int instance_divide(struct instance *x, size_t budget, size_t threshold, int passes, bool check);

/* Random values for the row's parameters, of its choices or any that is allowed. */
void instance_parameters(struct instance *x, struct random *r,
                         const struct strata_algorithm *algorithm);

#endif
