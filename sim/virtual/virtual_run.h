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
    struct strata_kept_lengths *kept; /* kept for this rank's calls of the same shape; or NULL */
    /* results */
    int status;
    struct strata_agreed agreed;
    struct strata_traffic_count count;
    struct strata_diagnostic message;
    bool taped; /* its tape is complete: core/engine/tape.h */
};

/* Runs ncalls calls one after another on every rank; call c of rank r is calls[c * ranks + r]. The
 * schedule lets ranks run ahead of each other. Returns the first error; a deadlock (no rank can
 * move) is STRATA_ERR_PLAN with the steps at which the ranks wait, and so is a run above
 * most_moves. */
int strata_virtual_run(struct strata_virtual *world, struct strata_virtual_call *calls, int ncalls,
                       struct strata_diagnostic *message);
/* The same with a thread for each rank, which the system schedules. All calls must be right: a rank
 * that waits for one that failed waits for ever. */
int strata_virtual_run_threads(struct strata_virtual *world, struct strata_virtual_call *calls,
                               int ncalls, struct strata_diagnostic *message);

#endif
