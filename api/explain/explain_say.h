/* What STRATA_EXPLAIN prints in MPI_Finalize, and the totals over all ranks. */
#ifndef STRATA_API_EXPLAIN_EXPLAIN_SAY_H
#define STRATA_API_EXPLAIN_EXPLAIN_SAY_H

#include <stdio.h>

#include "api/process/form.h"
#include "api/process/process.h"

/* A kind is a collective in one form. The kinds of blocking calls come first; only their time is
 * known. */
enum { STRATA_EXPLAINED_KINDS = STRATA_FORMS * STRATA_COLLECTIVE_COUNT };

/* Totals of this rank, or of all ranks of MPI_COMM_WORLD. */
struct strata_explained_totals {
    int ranks;      /* 1: this rank alone */
    double program; /* s since the first call */
    double plans[STRATA_EXPLAINED_KINDS], native[STRATA_EXPLAINED_KINDS]; /* calls that plans
                                                                             served, and that
                                                                             MPI's own served */
    double seconds[STRATA_EXPLAINED_KINDS];
    double waiting[STRATA_EXPLAINED_KINDS]; /* seconds of waiting in calls that plans served */
    double most[STRATA_EXPLAINED_KINDS];    /* seconds of the slowest rank */
};

static inline int strata_explained_kind(const struct strata_explained *e)
{
    return e->form * STRATA_COLLECTIVE_COUNT + (int)e->collective;
}

/* The kind's name, such as "allreduce" or "iallreduce". */
static inline void strata_explained_name(int kind, char *text, size_t size)
{
    strata_expected_name((enum strata_collective)(kind % STRATA_COLLECTIVE_COUNT),
                         (enum strata_expected_form)(kind / STRATA_COLLECTIVE_COUNT), text, size);
}

/* Prints on rank 0 of MPI_COMM_WORLD, as the configuration says. Collective if MPI_COMM_WORLD is
 * attached: then all its ranks call this. */
void strata_explain_say(struct strata_process *process);
/* Prints everything as JSON, which docs/preload.md describes. */
void strata_explain_json(const struct strata_process *process,
                         const struct strata_explained_totals *totals, const char *advice,
                         FILE *file);
/* Writes the most helpful advice, a sentence of at most `size` bytes; "" where there is none. */
void strata_explain_advise(const struct strata_process *process, char *text, size_t size);

#endif
