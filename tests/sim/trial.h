/* Virtual worlds with random topologies and budgets, and random calls on them by every
 * algorithm. */
#ifndef STRATA_TESTS_SIM_TRIAL_H
#define STRATA_TESTS_SIM_TRIAL_H

#include "hier/registry.h"
#include "sim/virtual/virtual_run.h"
#include "tests/sim/exchange.h"

enum { TRIAL_CALLS = 5, TRIAL_RANKS = 32 };

/* A world and its calls. */
struct trial {
    uint64_t seed;
    struct random r;
    struct strata_topology *topology, *flat;
    struct strata_capacity capacity;
    struct strata_virtual_options options;
    struct strata_virtual *world;
    int ranks, ncalls;
    struct exchange *exchange[TRIAL_CALLS];
    const struct strata_algorithm *algorithm[TRIAL_CALLS];
    struct strata_plan *plan[TRIAL_CALLS][TRIAL_RANKS];
    struct strata_virtual_call call[TRIAL_CALLS * TRIAL_RANKS];
};

/* Draws everything from the seed, with at most `calls` calls. A mistake fails the test. */
void trial_init(struct trial *t, uint64_t seed, int calls);
void trial_fini(struct trial *t);

/* "seed 7, call 1 of 3 (leaders:..., 9 ranks on 3 nodes, eager, schedule 0)" */
const char *trial_name(const struct trial *t, int c);

#endif
