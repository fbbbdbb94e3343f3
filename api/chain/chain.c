/* Makes chains, tells ranks their places, and makes MPI communicators of chains. */
#include "api/chain/chain.h"

#include "api/attach/state.h"
#include "api/attach/wire.h"
#include "api/life/life.h"
#include "core/base/memory.h"

int strata_chain_raise(const struct strata_chain *chain, int code, const char *call,
                       const char *text)
{
    return strata_raise(chain ? chain->comm : MPI_COMM_NULL, code, call, text);
}

static void hold(struct strata_process *process, struct strata_group *group)
{
    pthread_mutex_lock(&process->lock);
    group->users++;
    pthread_mutex_unlock(&process->lock);
}

struct strata_chain *strata_chain_make(MPI_Comm comm, struct strata_group *group,
                                       const struct strata_chain_links *links)
{
    struct strata_process *process = strata_process();
    struct strata_chain *chain = process ? strata_allocate(1, sizeof *chain) : NULL;
    if (chain) {
        chain->comm = comm;
        chain->group = group;
        chain->links = *links;
        strata_station_init(&chain->station, &strata_wire_mpi, group, links->address, group->ranks);
        hold(process, group);
    }
    return chain;
}

int strata_chain_free(struct strata_chain **chain)
{
    struct strata_process *process = strata_process();
    if (!chain) {
        return strata_raise(MPI_COMM_NULL, MPI_ERR_ARG, "chain_free",
                            "the chain's address is null");
    }
    if (*chain) {
        if (process) {
            strata_group_drop(process, (*chain)->group);
        }
        strata_release(*chain);
        *chain = NULL;
    }
    return MPI_SUCCESS;
}

int strata_chain_place(const struct strata_chain *chain, struct strata_chain_place *place)
{
    if (!chain || !place) {
        return strata_chain_raise(chain, MPI_ERR_ARG, "chain_place",
                                  chain ? "the place is null" : "the chain is null");
    }
    *place = (struct strata_chain_place){chain->links.size, chain->links.rank, chain->links.address,
                                         chain->links.left, chain->links.right};
    return MPI_SUCCESS;
}

/* Attaches the communicator; NULL where that fails, and *why says why. */
static struct strata_state *attached(struct strata_process *process, MPI_Comm comm,
                                     const char **why)
{
    struct strata_state *state = strata_state_find(process, comm);
    if (!state) {
        strata_attach_decline(process, comm);
        *why = "out of memory";
    } else if (!strata_attach_now(process, state)) {
        *why = state->why;
        state = NULL;
    }
    return state;
}

/* Makes a chain on all ranks. If one rank has no memory or brings an error of its own, no rank gets
 * one. */
static int make_for_all(MPI_Comm comm, struct strata_group *group, int own,
                        struct strata_chain **made)
{
    const struct strata_chain_links links = strata_chain_links_of_all(group->rank, group->ranks);
    struct strata_chain *chain = strata_chain_make(comm, group, &links);
    int worst = own != MPI_SUCCESS ? own : chain ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    int error = MPI_ERR_OTHER;
    if (strata_group_agree(group, &worst, 1, MPI_INT, MPI_MAX) == MPI_SUCCESS) {
        error = worst;
    }
    if (error == MPI_SUCCESS) {
        *made = chain;
    } else {
        strata_chain_free(&chain);
    }
    return error;
}

int strata_chain_create(MPI_Comm comm, struct strata_chain **chain)
{
    struct strata_process *process = strata_process();
    struct strata_chain *made = NULL;
    const char *why = process ? strata_communicator_wrong(comm) : "MPI is not running";
    if (why) {
        return strata_raise(MPI_COMM_NULL, process ? MPI_ERR_COMM : MPI_ERR_OTHER, "chain_create",
                            why);
    }
    struct strata_state *state = attached(process, comm, &why);
    if (!state) {
        return strata_raise(comm, MPI_ERR_OTHER, "chain_create", why);
    }
    int error = make_for_all(comm, state->group, chain ? MPI_SUCCESS : MPI_ERR_ARG, &made);
    if (error != MPI_SUCCESS || !chain) {
        return strata_raise(comm, error, "chain_create",
                            !chain                    ? "the chain's address is null"
                            : error == MPI_ERR_NO_MEM ? "out of memory"
                                                      : "another rank could not go on");
    }
    *chain = made;
    return MPI_SUCCESS;
}
