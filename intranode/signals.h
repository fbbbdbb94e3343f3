/* How members of a node signal each other through the flags in the node's memory. On real nodes the
 * flags lie in the node's shared memory, and no message is sent (signals_mpi.c). On simulated
 * clusters (signals_smpi.c) time stands still while a member polls memory, so a member's flag is
 * sent, as a message without bytes, to the members that await it. */
#ifndef STRATA_INTRANODE_SIGNALS_H
#define STRATA_INTRANODE_SIGNALS_H

#include <mpi.h>

#include "core/engine/node_memory.h"
#include "core/plan/plan.h"

struct strata_signal_carrier; /* carries simulated signals; NULL on real nodes */

/* Collective over comm. `node` is equal for the members of a node; their order is that of `member`.
 * Changes how memory signals. Returns STRATA_OK or an error of this rank. */
int strata_signal_carrier_create(struct strata_signal_carrier **carrier, MPI_Comm comm, int node,
                                 struct strata_node_memory *memory);
void strata_signal_carrier_destroy(
    struct strata_signal_carrier *carrier); /* accepts NULL; collective over node */

/* Collective over comm: prepares for the plan, which may be NULL, to be run. Returns STRATA_OK or
 * an error. */
int strata_signal_carrier_learn(struct strata_signal_carrier *carrier,
                                const struct strata_plan *plan);

#endif
