/* An MPI communicator of a chain's ranks. */
#ifndef STRATA_API_ATTACH_CHAIN_COMM_H
#define STRATA_API_ATTACH_CHAIN_COMM_H

#include <mpi.h>

#include "internode/chain/chain_links.h"

/* Makes a communicator of the chain's ranks, in the chain's order. Where one rank brings an
 * error as `own`, no rank gets one. The chain's addresses are ranks of `comm`. Collective over
 * the chain. */
int strata_chain_collect_comm(MPI_Comm comm, struct strata_station *station,
                              const struct strata_chain_links *links, int own, MPI_Comm *newcomm);

#endif
