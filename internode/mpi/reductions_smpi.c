/* Simulated clusters measure nothing. */
#include "internode/mpi/reductions_mpi.h"

bool strata_mpi_reductions_work(void)
{
    return true;
}
