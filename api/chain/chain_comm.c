/* A chain's ranks as a communicator of MPI. */
#include "api/chain/chain.h"

/* Ranks of the chain's communicator, in the chain's order. */
static int collect(struct strata_chain *chain, int *ranks, void *memory)
{
    int mine = chain->links.address;
    const struct strata_chain_blocks blocks = {&mine, ranks, sizeof mine};

    return strata_chain_allgather_run(&chain->endpoint, &chain->links, &blocks, memory);
}

static int create(struct strata_chain *chain, const int *ranks, MPI_Comm *newcomm)
{
    enum { TAG = 0x5354 }; /* among MPI_Comm_create_group's own tags */
    MPI_Group all = MPI_GROUP_NULL, members = MPI_GROUP_NULL;
    int error = PMPI_Comm_group(chain->comm, &all);

    if (error == MPI_SUCCESS) {
        error = PMPI_Group_incl(all, chain->links.size, ranks, &members);
        PMPI_Group_free(&all);
    }
    if (error == MPI_SUCCESS) {
        error = PMPI_Comm_create_group(chain->comm, members, TAG, newcomm);
        PMPI_Group_free(&members);
    }
    return error;
}

/* Whatever one rank has against it is known to all of the chain before the communicator is made. */
int strata_chain_collect_comm(struct strata_chain *chain, int own, MPI_Comm *newcomm)
{
    size_t ranks = (size_t)chain->links.size;
    int *list = strata_endpoint_allocate(&chain->endpoint, ranks * sizeof *list);
    void *memory =
        strata_endpoint_allocate(&chain->endpoint, strata_chain_memory((int)ranks, sizeof *list));
    int status = own ? own : list && memory ? STRATA_OK : STRATA_ERR_MEMORY;
    int error = strata_chain_agree(&chain->endpoint, &chain->links, status);

    error = error ? error : collect(chain, list, memory);
    if (!error && create(chain, list, newcomm) != MPI_SUCCESS) {
        error = STRATA_ERR_TRANSPORT;
    }
    strata_endpoint_release(&chain->endpoint, memory);
    strata_endpoint_release(&chain->endpoint, list);
    return error;
}
