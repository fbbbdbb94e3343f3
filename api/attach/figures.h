/* Sizes that a communicator's earlier calls agreed on. */
#ifndef STRATA_API_ATTACH_FIGURES_H
#define STRATA_API_ATTACH_FIGURES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/plan/collective.h"

/* What an earlier alltoallv, alltoallw, gatherv or scatterv agreed on, or what stands in for it. */
struct strata_figures {
    int bucket, most;          /* for the next one's key */
    uint64_t busiest, largest; /* bytes: of the busiest rank, of the largest block */
    int age;                   /* calls since, until they are forgotten, */
    bool ask;                  /* or, in gatherv and scatterv, until the ranks tell each other */
    int period;                /* anew, after so many, */
    bool telling;              /* which they are at */
};
/* Whose: api/call/sizes.h. */
enum { STRATA_FIGURES = STRATA_ALLTOALLW + 3 };

/* Bytes of a mean block while no figure is agreed. */
enum { STRATA_FIRST_BLOCK = 256 };
/* Calls after which an agreed figure is too old: plans without log rounds bring no new one, so the
 * default is tried again. */
enum { STRATA_SIZES_OLD = 64 };

/* Nothing is known of any. */
void strata_figures_forget(struct strata_figures *figures);

#endif
