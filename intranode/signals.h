/* How members of a node tell each other that a phase is over: what a segment's flags become.
 *
 * On real nodes the flags lie in the node's shared memory, and nothing is sent (signals.c). On
 * simulated clusters (signals_smpi.c) looking at memory would never let time go on, so a member's
 * flag is sent to those that await it, as a message without bytes. */
#ifndef STRATA_INTRANODE_SIGNALS_H
#define STRATA_INTRANODE_SIGNALS_H

#include <mpi.h>

#include "core/engine/segment.h"
#include "core/plan/plan.h"

struct strata_signals; /* NULL where nothing is kept */

/* Collective over comm, all ranks alike: `node` is equal for the members of a node, whose order is
 * that of `member`. Changes how segment signals. Returns STRATA_OK or an error of this rank. */
int strata_signals_create(struct strata_signals **signals, MPI_Comm comm, int node,
                          struct strata_segment *segment);
void strata_signals_destroy(
    struct strata_signals *signals); /* accepts NULL; collective over node */

/* Collective over comm: the plan, which may be NULL, will be run. Returns STRATA_OK or an error. */
int strata_signals_learn(struct strata_signals *signals, const struct strata_plan *plan);

#endif
