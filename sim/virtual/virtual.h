/* Virtual ranks: any plan run by the real engine for all ranks inside one process, without MPI.
 * Messages go through mailboxes; nodes share plain memory; the interleaving comes from a seed. */
#ifndef STRATA_SIM_VIRTUAL_VIRTUAL_H
#define STRATA_SIM_VIRTUAL_VIRTUAL_H

#include "core/engine/engine.h"

struct strata_virtual; /* a world of ranks with its mailboxes, nodes' memory and epochs */

struct strata_virtual_options {
    bool rendezvous; /* a send completes only when its receive is posted */
    unsigned seed;
    int schedule; /* as struct strata_check */
    bool spots;   /* the transport takes messages of several places without a copy */
};

/* slot_bytes and landing_bytes of every node's memory. */
int strata_virtual_create(const struct strata_topology *topology, size_t slot_bytes,
                          size_t landing_bytes, const struct strata_virtual_options *options,
                          struct strata_virtual **world);
void strata_virtual_destroy(struct strata_virtual *world); /* accepts NULL */

/* The buffers of one rank in a call. */
struct strata_virtual_call {
    const struct strata_plan *plan;
    struct strata_layout input, output;
    bool in_place, check;
    struct strata_layout work; /* plans over blocks: as in struct strata_execution */
    const struct strata_operator *op;
    /* results */
    int status;
    struct strata_agreed agreed;
    struct strata_traffic_count count;
    struct strata_diagnostic message;
};

/* Runs ncalls calls one after another on every rank; call c of rank r is calls[c * ranks + r].
 * Ranks run ahead of each other as the schedule says. Returns the first error; a deadlock (nobody
 * can move) is STRATA_ERR_PLAN with the steps that the ranks are stuck at. */
int strata_virtual_run(struct strata_virtual *world, struct strata_virtual_call *calls, int ncalls,
                       struct strata_diagnostic *message);

#endif
