#include "api/attach/chain_comm.h"

#include "api/process/process.h"
#include "core/base/error.h"
#include "internode/chain/chain_gather.h"
#include "internode/chain/chain_scatter.h"

/* Collects the ranks of the chain's communicator, in the chain's order. */
static int collect(struct strata_station *station, const struct strata_chain_links *links,
                   int *ranks, void *memory)
{
    int mine = links->address;
    const struct strata_chain_blocks blocks = {&mine, ranks, sizeof mine};
    return strata_chain_allgather_run(station, links, &blocks, memory);
}

/* All ranks of the chain know of every rank's error before they make the communicator. */
int strata_chain_collect_comm(MPI_Comm comm, struct strata_station *station,
                              const struct strata_chain_links *links, int own, MPI_Comm *newcomm)
{
    size_t ranks = (size_t)links->size;
    int *list = strata_station_allocate(station, ranks * sizeof *list);
    void *memory = strata_station_allocate(station, strata_chain_memory((int)ranks, sizeof *list));
    int status = own ? own : list && memory ? STRATA_OK : STRATA_ERR_MEMORY;
    int error = strata_chain_agree(station, links, status);
    error = error ? error : collect(station, links, list, memory);
    if (!error && strata_communicator_of(comm, links->size, list, newcomm) != MPI_SUCCESS) {
        error = STRATA_ERR_TRANSPORT;
    }
    strata_station_release(station, memory);
    strata_station_release(station, list);
    return error;
}
