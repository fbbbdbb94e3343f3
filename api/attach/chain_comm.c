#include "api/attach/chain_comm.h"

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

static int create(MPI_Comm comm, int size, const int *ranks, MPI_Comm *newcomm)
{
    enum { TAG = 0x5354 }; /* one of the tags of MPI_Comm_create_group */
    MPI_Group all = MPI_GROUP_NULL, members = MPI_GROUP_NULL;
    int error = PMPI_Comm_group(comm, &all);

    if (error == MPI_SUCCESS) {
        error = PMPI_Group_incl(all, size, ranks, &members);
        PMPI_Group_free(&all);
    }
    if (error == MPI_SUCCESS) {
        error = PMPI_Comm_create_group(comm, members, TAG, newcomm);
        PMPI_Group_free(&members);
    }
    return error;
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
    if (!error && create(comm, links->size, list, newcomm) != MPI_SUCCESS) {
        error = STRATA_ERR_TRANSPORT;
    }
    strata_station_release(station, memory);
    strata_station_release(station, list);
    return error;
}
