/* Real nodes: members read the flags in the node's shared memory, so no carrier is needed. */
#include "core/base/error.h"
#include "intranode/signals.h"

int strata_signal_carrier_create(struct strata_signal_carrier **carrier, MPI_Comm comm, int node,
                                 struct strata_node_memory *memory)
{
    (void)comm;
    (void)node;
    (void)memory;
    *carrier = NULL;
    return STRATA_OK;
}

void strata_signal_carrier_destroy(struct strata_signal_carrier *carrier)
{
    (void)carrier;
}

int strata_signal_carrier_learn(struct strata_signal_carrier *carrier,
                                const struct strata_plan *plan)
{
    (void)carrier;
    (void)plan;
    return STRATA_OK;
}
