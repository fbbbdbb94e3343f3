#include "api/attach/hosts.h"

#include <stdio.h>
#include <string.h>

#include "api/chain/chain.h"
#include "internode/split/split.h"

enum { BOOT_ID = 40 };

/* The name, a zero, the boot id: a host that was renamed, or two of one name, differ in one of them. */
struct host_name {
    char text[MPI_MAX_PROCESSOR_NAME + BOOT_ID];
    size_t size;
};

/* Without a boot id to read the name alone decides. */
static void find_name(struct host_name *name)
{
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    int length = 0;

    memset(name->text, 0, sizeof name->text);
    if (PMPI_Get_processor_name(name->text, &length) != MPI_SUCCESS) {
        length = 0;
    }
    name->size = (size_t)length + 1;
    if (file) {
        name->size += fread(name->text + name->size, 1, BOOT_ID - 1, file);
        fclose(file);
    }
}

/* The ranks whose hosts are called like mine, as a chain. */
static int split_by_name(struct strata_chain *chain)
{
    struct host_name name;
    struct strata_chain_links named;
    const struct strata_field colour = {.enabled = true,
                                        .bytes = name.text,
                                        .compare = strata_order_bytes,
                                        .hash = strata_hash_any};
    struct strata_split_input input = {.colour = colour};

    find_name(&name);
    input.colour.size = name.size;
    int error = strata_split_run(&chain->endpoint, &chain->links, &input, &named, NULL);
    if (error == STRATA_OK) {
        chain->links = named;
    }
    return error;
}

static int find_named(struct strata_group *g, MPI_Comm *named)
{
    struct strata_chain chain = {
        .comm = g->comm, .group = g, .links = strata_chain_links_of_all(g->rank, g->ranks)};

    g->waiter.crowded = true; /* until it is known */
    strata_endpoint_init(&chain.endpoint, &strata_wire_mpi, g, g->rank, g->ranks);
    int error = split_by_name(&chain);
    error = error ? error : strata_chain_collect_comm(&chain, STRATA_OK, named);
    return error ? error
           : PMPI_Comm_set_errhandler(*named, MPI_ERRORS_RETURN) == MPI_SUCCESS
               ? STRATA_OK
               : STRATA_ERR_TRANSPORT;
}

static int ask_mpi(MPI_Comm comm, MPI_Comm *host)
{
    return PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, host) ==
                       MPI_SUCCESS &&
                   PMPI_Comm_set_errhandler(*host, MPI_ERRORS_RETURN) == MPI_SUCCESS
               ? STRATA_OK
               : STRATA_ERR_TRANSPORT;
}

bool strata_hosts_named(const struct strata_group *group)
{
    return group->ranks >= group->config.split_hosts;
}

int strata_hosts_find(struct strata_group *group, MPI_Comm *host)
{
    MPI_Comm named = MPI_COMM_NULL;

    if (!strata_hosts_named(group)) {
        return ask_mpi(group->comm, host);
    }
    int error = find_named(group, &named);
    error = error ? error : ask_mpi(named, host);
    if (named != MPI_COMM_NULL) {
        PMPI_Comm_free(&named);
    }
    return error;
}
