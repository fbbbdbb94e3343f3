/* Whether MPI's own long reductions are fit to be called where the program has made none. */
#ifndef STRATA_INTERNODE_MPI_REDUCTIONS_MPI_H
#define STRATA_INTERNODE_MPI_REDUCTIONS_MPI_H

#include <stdbool.h>

/* False: they might end the program. Ranks of one job may differ. Takes up to half a millisecond
 * with an MPI that has such reductions. Local. */
bool strata_mpi_reductions_work(void);

#endif
