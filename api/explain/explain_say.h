/* What STRATA_EXPLAIN prints in MPI_Finalize, and what the ranks add up for it. */
#ifndef STRATA_API_EXPLAIN_EXPLAIN_SAY_H
#define STRATA_API_EXPLAIN_EXPLAIN_SAY_H

#include <stdio.h>

#include "api/process/form.h"
#include "api/process/process.h"

/* A collective in one of its forms: calls that block first, of which alone time is known. */
enum { STRATA_EXPLAINED_KINDS = STRATA_FORMS * STRATA_COLLECTIVE_COUNT };

/* Of this rank, or over all of MPI_COMM_WORLD. */
struct strata_explained_totals {
    int ranks;      /* 1: this one alone */
    double program; /* s since the first call */
    double plans[STRATA_EXPLAINED_KINDS], native[STRATA_EXPLAINED_KINDS]; /* calls */
    double seconds[STRATA_EXPLAINED_KINDS];
    double waiting[STRATA_EXPLAINED_KINDS]; /* of plans */
    double most[STRATA_EXPLAINED_KINDS];    /* s of the slowest rank */
};

static inline int strata_explained_kind(const struct strata_explained *e)
{
    return e->form * STRATA_COLLECTIVE_COUNT + (int)e->collective;
}

/* "allreduce", "iallreduce". */
static inline void strata_explained_name(int kind, char *text, size_t size)
{
    strata_expected_name((enum strata_collective)(kind % STRATA_COLLECTIVE_COUNT),
                         (enum strata_expected_form)(kind / STRATA_COLLECTIVE_COUNT), text, size);
}

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
