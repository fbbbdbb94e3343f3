/* What STRATA_EXPLAIN prints in MPI_Finalize, and what the ranks add up for it. */
#ifndef STRATA_API_REPORT_EXPLAIN_SAY_H
#define STRATA_API_REPORT_EXPLAIN_SAY_H

#include <stdio.h>

#include "api/process/process.h"

/* Of this rank, or over all of MPI_COMM_WORLD. */
struct strata_explained_totals {
    int ranks;      /* 1: this one alone */
    double program; /* s since the first call */
    double plans[STRATA_COLLECTIVE_COUNT], native[STRATA_COLLECTIVE_COUNT]; /* calls */
    double seconds[STRATA_COLLECTIVE_COUNT], waiting[STRATA_COLLECTIVE_COUNT];
    double most[STRATA_COLLECTIVE_COUNT]; /* s of the slowest rank */
};

/* On rank 0 of MPI_COMM_WORLD, as the configuration says. Collective where MPI_COMM_WORLD is
 * attached, for then all of its ranks come here. */
void strata_explain_say(struct strata_process *process);
/* "json": all of it, as docs/preload.md describes it. */
void strata_explain_json(const struct strata_process *process,
                         const struct strata_explained_totals *totals, const char *advice,
                         FILE *file);
/* What would help most, in a sentence of at most `size` bytes; "": nothing that is known. */
void strata_explain_advise(const struct strata_process *process, char *text, size_t size);

#endif
