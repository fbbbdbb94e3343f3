/* Virtual ranks that run an allgather's plan, one step of one rank after another. So a test may
 * fail any of them at any stamp. */
#ifndef STRATA_TESTS_SIM_SEATED_H
#define STRATA_TESTS_SIM_SEATED_H

#include "core/plan/algorithm.h"
#include "sim/virtual/virtual_world.h"
#include "tests/random.h"

enum { SEATED_RANKS = 7, SEATED_BYTES = 9000 };

struct seated {
    int ranks;
    size_t bytes; /* of a block */
    struct random r;
    struct strata_topology *topology, *flat;
    struct strata_virtual *world; /* the test creates it when the plans exist */
    struct strata_plan *plan[SEATED_RANKS];
    struct strata_execution x[SEATED_RANKS];
    int status[SEATED_RANKS];
    unsigned char *scratch[SEATED_RANKS];
    unsigned char input[SEATED_RANKS][SEATED_BYTES];
    unsigned char output[SEATED_RANKS][SEATED_RANKS * SEATED_BYTES];
};

/* Draws the test's values from the seed. */
void seated_init(struct seated *t, size_t bytes, uint64_t seed);
/* Makes the plans of all ranks by a row, for the problem's capacity and parameters. */
void seated_plan(struct seated *t, int ranks, const int *node_of, const char *row,
                 struct strata_problem problem);
/* A rank's execution, ready to start or to decline. */
struct strata_execution *seated_sit(struct seated *t, int rank,
                                    const struct strata_transport *transport, void *self);
void seated_start(struct seated *t, int rank);
/* Steps a random rank that is not done, `draws` times. Then each rank goes on as far as it can,
 * `rounds` times. */
void seated_run(struct seated *t, int draws, int rounds);
/* Fails the test where a rank reports success and lacks a byte. */
void seated_check(const struct seated *t, int rank);
void seated_fini(struct seated *t);

#endif
