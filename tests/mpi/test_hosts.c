/* Which ranks share a host, by numbers of names and by splitting ranks by name. The program makes
 * the hosts up: it answers for a rank's host name and for its memory. MPI says of each rank that it
 * shares memory with no other.
 *
 * run: 1,2,5
 * run: 8
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/attach/group_locate.h"
#include "api/attach/settings.h"
#include "api/attach/state.h"
#include "api/life/life.h"
#include "api/process/process.h"
#include "include/strata.h"
#include "intranode/backing.h"
#include "tests/mpi/require.h"

/* The numbers of the host's name and of the memory of each rank of MPI_COMM_WORLD. */
struct hosts {
    const char *what;
    int (*name)(int rank, int ranks);
    int (*memory)(int rank, int ranks);
};

static const struct hosts *hosts;

static int one(int rank, int ranks)
{
    (void)rank;
    (void)ranks;
    return 0;
}

static int each(int rank, int ranks)
{
    (void)ranks;
    return rank;
}

static int pairs(int rank, int ranks)
{
    (void)ranks;
    return rank / 2;
}

static int dealt(int rank, int ranks)
{
    return rank % (ranks > 2 ? 3 : 1);
}

static int parity(int rank, int ranks)
{
    (void)ranks;
    return rank % 2;
}

static const struct hosts worlds[] = {{"one host", one, one},
                                      {"a host for each rank", each, each},
                                      {"neighbours on a host", pairs, pairs},
                                      {"ranks dealt to three hosts", dealt, dealt},
                                      {"one name, memory apart", one, parity},
                                      {"one name, no memory shared", one, each},
                                      {"names in pairs, memory apart", pairs, each}};
enum { WORLDS = sizeof worlds / sizeof *worlds };

static int world_rank(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

static int world_size(void)
{
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return ranks;
}

/* The longest possible name; hosts differ in its last byte. */
int PMPI_Get_processor_name(char *name, int *length)
{
    *length = MPI_MAX_PROCESSOR_NAME - 1;
    memset(name, 'h', MPI_MAX_PROCESSOR_NAME);
    name[*length - 1] = (char)('0' + hosts->name(world_rank(), world_size()));
    name[*length] = 0;
    return MPI_SUCCESS;
}

int PMPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made)
{
    (void)info;
    REQUIRE_CMP(type, ==, MPI_COMM_TYPE_SHARED);
    return PMPI_Comm_split(comm, world_rank(), key, made);
}

uint64_t strata_backing_place(void)
{
    return 1 + (uint64_t)hosts->memory(world_rank(), world_size());
}

/* The members are the same on all, in the order of ranks. */
static void check_members(MPI_Comm comm, MPI_Comm host)
{
    int count = 0, size;
    MPI_Comm_size(host, &size);
    int *ranks = calloc((size_t)size, sizeof *ranks);
    int mine = world_rank();
    REQUIRE_CMP(ranks, !=, NULL);
    MPI_Allgather(&mine, 1, MPI_INT, ranks, 1, MPI_INT, host);
    for (int r = 0, all = world_size(); r < all; r++) {
        if (hosts->name(r, all) == hosts->name(mine, all) &&
            hosts->memory(r, all) == hosts->memory(mine, all)) {
            REQUIRE_CMP(count, <, size);
            REQUIRE_CMP(ranks[count], ==, r);
            count++;
        }
    }
    REQUIRE_CMP(count, ==, size);
    MPI_Barrier(comm);
    free(ranks);
}

static void check_find(MPI_Comm comm, bool named)
{
    const int ranks = world_size();
    const struct strata_settings settings = {.config = {.split_hosts = named ? ranks : ranks + 1}};
    struct strata_group group = {.comm = comm,
                                 .served = MPI_COMM_NULL,
                                 .rank = world_rank(),
                                 .ranks = ranks,
                                 .settings = &settings};
    MPI_Comm host = MPI_COMM_NULL;
    REQUIRE_CMP(strata_hosts_find(&group, &host), ==, STRATA_OK);
    check_members(comm, host);
    MPI_Comm_free(&host);
}

/* An attached communicator has these hosts as its nodes, and sums through them. */
static void check_attach(void)
{
    struct strata_process *process = strata_process();
    MPI_Comm comm;
    int mine = world_rank() + 1, ranks = world_size(), sum = 0;
    process->config.split_hosts = 1;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -mine, &comm); /* the last rank first */
    succeed(strata_allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm));
    REQUIRE_CMP(sum, ==, ranks * (ranks + 1) / 2);
    const struct strata_state *state = strata_state_find(process, comm);
    REQUIRE(state);
    REQUIRE(state->group);
    const struct strata_topology *t = state->group->topology;
    for (int a = 0; a < ranks; a++) {
        for (int b = 0; b < ranks; b++) {
            const int x = ranks - 1 - a, y = ranks - 1 - b;
            REQUIRE_CMP(t->node_of[a] == t->node_of[b], ==,
                        hosts->name(x, ranks) == hosts->name(y, ranks) &&
                            hosts->memory(x, ranks) == hosts->memory(y, ranks));
        }
    }
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    hosts = &worlds[0];
    REQUIRE(strata_process());
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    for (int i = 0; i < WORLDS; i++) {
        hosts = &worlds[i];
        check_find(comm, true);
        check_find(comm, false);
    }
    hosts = &worlds[3 + world_size() % 4];
    check_attach();
    MPI_Comm_free(&comm);
    if (world_rank() == 0) {
        printf("hosts: %d ranks: ok\n", world_size());
    }
    MPI_Finalize();
    return 0;
}
