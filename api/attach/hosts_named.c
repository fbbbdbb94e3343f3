#include "api/attach/hosts_named.h"

#include "api/attach/chain_comm.h"
#include "api/attach/host_name.h"
#include "api/attach/settings.h"
#include "api/attach/wire.h"
#include "internode/split/split.h"
#include "internode/split/values.h"

bool strata_hosts_named(const struct strata_group *group)
{
    return group->ranks >= group->settings->config.split_hosts;
}

/* *named becomes the chain of the ranks whose hosts have my host's name. */
static int split_by_name(struct strata_station *station, const struct strata_chain_links *all,
                         struct strata_chain_links *named)
{
    struct strata_host_name name;
    const struct strata_field colour = {.enabled = true,
                                        .bytes = name.text,
                                        .compare = strata_order_bytes,
                                        .hash = strata_hash_any};
    struct strata_split_input input = {.colour = colour};
    strata_host_name_find(&name, true);
    input.colour.size = name.size;
    return strata_split_run(station, all, &input, named, NULL);
}

int strata_hosts_find_named(struct strata_group *g, MPI_Comm *host)
{
    const struct strata_chain_links all = strata_chain_links_of_all(g->rank, g->ranks);
    struct strata_station station;
    struct strata_chain_links named;
    g->waiter = strata_waiter_of(STRATA_WAIT_SLEEP); /* safe, but slow, until more is known */
    strata_station_init(&station, &strata_wire_mpi, g, g->rank, g->ranks);
    int error = split_by_name(&station, &all, &named);
    return error ? error : strata_chain_collect_comm(g->comm, &station, &named, STRATA_OK, host);
}
