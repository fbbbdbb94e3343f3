/* What plans saved beside MPI's own collectives, as far as trials timed these (api/call/trial.h).
 * Of rank 0's calls. */
#ifndef STRATA_API_EXPLAIN_SAVED_H
#define STRATA_API_EXPLAIN_SAVED_H

#include "api/process/explained.h"
#include "api/process/form.h"

struct strata_saved {
    uint64_t calls;  /* by plans, that are compared; 0: nothing can be */
    double compared; /* their seconds */
    double seconds;  /* that plans saved; negative: that they cost */
    double interval; /* half the width of the 95 % interval of `seconds` */
};

/* Compares the calls by plans with those that MPI's own made in trials of the same collective and
 * size, on communicators of as many ranks and nodes. The first call of each class on a communicator
 * sets things up, and is in no mean. */
struct strata_saved strata_explain_saved(const struct strata_explain *all);

#endif
