/* Signals between the members of nodes, by how far they go. A signal is a cache line that one
 * member writes and another reads. From another cache, domain or package it takes longer, and
 * shares the way with all others that go there. */
#ifndef STRATA_CORE_COST_CROSSINGS_H
#define STRATA_CORE_COST_CROSSINGS_H

#include "core/plan/plan.h"

struct strata_crossings {
    /* Signals read from other packages; from other domains of the package; from other caches of the
     * domain; and from the same cache. */
    long signals[STRATA_INNER_LEVELS + 1];
};

/* Adds the signals that the plan's rank reads in one epoch, each once. STRATA_ERR_MEMORY. */
int strata_crossings_add(struct strata_crossings *crossings, const struct strata_plan *plan);

#endif
