/* How members of a node signal each other: what becomes of the flags in the node's memory.
 *
 * On real nodes the flags lie in the node's shared memory, and nothing is sent (signals_mpi.c). On
 * simulated clusters (signals_smpi.c) looking at memory would never let time go on, so a member's
 * flag is sent to those that await it, as a message without bytes. */
#ifndef STRATA_INTRANODE_SIGNALS_H
#define STRATA_INTRANODE_SIGNALS_H

#include <mpi.h>

#include "core/engine/node_memory.h"
#include "core/plan/plan.h"

struct strata_signal_carrier; /* carries simulated signals; NULL where nothing is kept */

/* Collective over comm, all ranks alike: `node` is equal for the members of a node, whose order is
 * that of `member`. Changes how memory signals. Returns STRATA_OK or an error of this rank. */
int strata_signal_carrier_create(struct strata_signal_carrier **carrier, MPI_Comm comm, int node,
                                 struct strata_node_memory *memory);
void strata_signal_carrier_destroy(
    struct strata_signal_carrier *carrier); /* accepts NULL; collective over node */

/* Collective over comm: the plan, which may be NULL, will be run. Returns STRATA_OK or an error. */
int strata_signal_carrier_learn(struct strata_signal_carrier *carrier,
                                const struct strata_plan *plan);

#endif
