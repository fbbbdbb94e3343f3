/* Real nodes: the flags in the node's shared memory are all there is. */
#include "core/base/error.h"
#include "intranode/signals.h"

int strata_signals_create(struct strata_signals **signals, MPI_Comm comm, int node,
                          struct strata_segment *segment)
{
    (void)comm;
    (void)node;
    (void)segment;
    *signals = NULL;
    return STRATA_OK;
}

void strata_signals_destroy(struct strata_signals *signals)
{
    (void)signals;
}

int strata_signals_learn(struct strata_signals *signals, const struct strata_plan *plan)
{
    (void)signals;
    (void)plan;
    return STRATA_OK;
}
