/* What served the calls of this rank, all communicators together: STRATA_EXPLAIN=summary. */
#ifndef STRATA_API_REPORT_SUMMARY_H
#define STRATA_API_REPORT_SUMMARY_H

#include <stdint.h>

#include "core/plan/collective.h"

struct strata_process;
struct strata_state;

/* Calls by what served them. */
struct strata_served {
    uint64_t plans[STRATA_COLLECTIVE_COUNT], native[STRATA_COLLECTIVE_COUNT];
};

struct strata_summary {
    struct strata_served served;
    char algorithm[STRATA_COLLECTIVE_COUNT][96]; /* of the last call, "native" for MPI's own */
};

/* Before the state goes. */
void strata_summary_add(struct strata_process *process, const struct strata_state *state);
/* A call by MPI's own on a communicator without a state. */
void strata_summary_count(struct strata_process *process, enum strata_collective collective);
/* On rank 0 of MPI_COMM_WORLD, to standard error, if it is asked for. */
void strata_summary_print(const struct strata_process *process);

#endif
