/* Virtual ranks: the real engine runs any plan for all ranks inside one process, without MPI.
 * Messages go through mailboxes, and the ranks of a node share plain memory. A seed gives the
 * interleaving. sim/virtual/virtual_run.h has their calls. */
#ifndef STRATA_SIM_VIRTUAL_VIRTUAL_H
#define STRATA_SIM_VIRTUAL_VIRTUAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/topology/topology.h"

struct strata_virtual; /* a world of ranks with its mailboxes, nodes' memory and epochs */

struct strata_virtual_options {
    bool rendezvous; /* a send completes only when its receive is posted */
    unsigned seed;
    int schedule; /* as struct strata_check */
    bool spans;   /* the transport sends and receives messages of several places without a copy */
    bool alone;   /* ranks have one thread */
    uint64_t most_moves; /* a run with more moves of ranks is an error; 0: no bound */
    int foresee; /* the number, from 1, of the call that is taped before it is made; 0: none */
};

/* slot_bytes (of the large ring) and landing_bytes are those of every node's memory. */
int strata_virtual_create(const struct strata_topology *topology, size_t slot_bytes,
                          size_t landing_bytes, const struct strata_virtual_options *options,
                          struct strata_virtual **world);
void strata_virtual_destroy(struct strata_virtual *world); /* accepts NULL */

#endif
