/* A chain's ranks as a communicator of MPI. */
#ifndef STRATA_API_ATTACH_CHAIN_COMM_H
#define STRATA_API_ATTACH_CHAIN_COMM_H

#include <mpi.h>

#include "internode/chain/chain_links.h"

/* A communicator of the chain's ranks, in its order, or on none of them where one has an error of
 * its `own`. The chain's addresses are ranks of `comm`. Collective over the chain. */
int strata_chain_collect_comm(MPI_Comm comm, struct strata_station *station,
                              const struct strata_chain_links *links, int own, MPI_Comm *newcomm);

#endif
