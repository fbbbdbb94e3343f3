/* How many calls of each collective plans served, and how many MPI's own did. */
#ifndef STRATA_API_ATTACH_SERVED_H
#define STRATA_API_ATTACH_SERVED_H

#include <stdint.h>

#include "core/plan/collective.h"

struct strata_served {
    uint64_t plans[STRATA_COLLECTIVE_COUNT], native[STRATA_COLLECTIVE_COUNT];
    uint64_t opened; /* calls that opened a team of threads */
    uint64_t helped; /* pieces of work that other threads did in blocking calls */
};

#endif
