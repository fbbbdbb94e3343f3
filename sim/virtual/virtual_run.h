/* Calls of virtual ranks. */
#ifndef STRATA_SIM_VIRTUAL_VIRTUAL_RUN_H
#define STRATA_SIM_VIRTUAL_VIRTUAL_RUN_H

#include "core/engine/engine.h"
#include "sim/virtual/virtual.h"

/* The buffers of one rank in a call. */
struct strata_virtual_call {
    const struct strata_plan *plan;
    struct strata_layout input, output;
    bool in_place, check;
    struct strata_layout work; /* plans over blocks: as in struct strata_execution */
    const struct strata_operator *op;
    struct strata_kept_lengths *kept; /* of this rank's calls that are alike; or NULL */
    /* results */
    int status;
    struct strata_agreed agreed;
    struct strata_traffic_count count;
    struct strata_diagnostic message;
    bool taped; /* to its end: core/engine/tape.h */
};

/* Runs ncalls calls one after another on every rank; call c of rank r is calls[c * ranks + r].
 * Ranks run ahead of each other as the schedule says. Returns the first error; a deadlock (nobody
 * can move) is STRATA_ERR_PLAN with the steps that the ranks are stuck at. */
int strata_virtual_run(struct strata_virtual *world, struct strata_virtual_call *calls, int ncalls,
                       struct strata_diagnostic *message);
/* The same with a thread for each rank, which the system lets run as it likes. All calls must be
 * right: who waits for a rank that failed waits for ever. */
int strata_virtual_run_threads(struct strata_virtual *world, struct strata_virtual_call *calls,
                               int ncalls, struct strata_diagnostic *message);

#endif
