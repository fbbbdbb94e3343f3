/* An MPI communicator of a chain's ranks. */
#ifndef STRATA_API_ATTACH_CHAIN_COMM_H
#define STRATA_API_ATTACH_CHAIN_COMM_H

#include <mpi.h>

#include "internode/chain/chain_links.h"

/* Makes a communicator of the chain's ranks, in the chain's order. `own` is an error that this rank
 * had before, or STRATA_OK. Where one rank had an error, no rank gets a communicator: each returns
 * an error. The chain's addresses are ranks of `comm`. Collective over the chain. */
int strata_chain_collect_comm(MPI_Comm comm, struct strata_station *station,
                              const struct strata_chain_links *links, int own, MPI_Comm *newcomm);

#endif
