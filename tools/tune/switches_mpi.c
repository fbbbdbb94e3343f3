/* The calls are PMPI's, as in tune_mpi.c. */
#include <mpi.h>

#include <string.h>

#include "core/base/config.h"
#include "core/base/memory.h"
#include "tools/tune/switches.h"

/* What a rank says of its node. */
struct said {
    int node;
    struct tool_below below;
};

/* What rank 0 works with. */
struct desk {
    struct said *said;            /* [ranks] */
    struct tool_switches *answer; /* [ranks] */
    struct tool_below *below;     /* [nodes] */
    int *partner;                 /* [nodes] */
};

static void desk_open(struct desk *d, int ranks, int nodes)
{
    d->said = strata_allocate((size_t)ranks, sizeof *d->said);
    d->answer = strata_allocate((size_t)ranks, sizeof *d->answer);
    d->below = strata_allocate((size_t)nodes, sizeof *d->below);
    d->partner = strata_allocate((size_t)nodes, sizeof *d->partner);
}

static bool desk_is_whole(const struct desk *d)
{
    return d->said && d->answer && d->below && d->partner;
}

static void desk_close(struct desk *d)
{
    strata_release(d->said);
    strata_release(d->answer);
    strata_release(d->below);
    strata_release(d->partner);
}

/* All nodes below one leaf are what is measured anyway. */
static bool several_leaves(const struct desk *d, int nodes)
{
    int most = 1;
    for (int i = 1; i < nodes && most == 1; i++) {
        most = tool_below_levels(&d->below[0], &d->below[i]);
    }
    return most > 1;
}

static void pair_nodes(const struct desk *d, int ranks, int nodes)
{
    for (int r = 0; r < ranks; r++) {
        d->below[d->said[r].node] = d->said[r].below;
    }
    const bool known = tool_below_known(d->below, nodes) && several_leaves(d, nodes);
    for (int level = 0; level < TOOL_SWITCHES && known; level++) {
        const int pairs = tool_below_pair(d->below, nodes, level + 1, d->partner);
        for (int r = 0; r < ranks; r++) {
            d->answer[r].pairs[level] = pairs;
            d->answer[r].partner[level] = d->partner[d->said[r].node];
        }
    }
}

void tool_switches_find(const struct tool_places *places, struct tool_switches *switches)
{
    const char *names, *kinds;
    struct desk desk = {NULL, NULL, NULL, NULL};
    int ranks, lacking;
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    strata_config_slurm_switches(&names, &kinds);
    const struct said mine = {places->node, tool_below_of(names, kinds)};
    if (places->rank == 0) {
        desk_open(&desk, ranks, places->nodes);
    }
    lacking = places->rank == 0 && !desk_is_whole(&desk);
    PMPI_Bcast(&lacking, 1, MPI_INT, 0, MPI_COMM_WORLD);
    *switches = (struct tool_switches){.pairs = {0}};
    if (!lacking) {
        PMPI_Gather(&mine, sizeof mine, MPI_BYTE, desk.said, sizeof mine, MPI_BYTE, 0,
                    MPI_COMM_WORLD);
        if (desk_is_whole(&desk)) {
            pair_nodes(&desk, ranks, places->nodes);
        }
        PMPI_Scatter(desk.answer, sizeof *switches, MPI_BYTE, switches, sizeof *switches, MPI_BYTE,
                     0, MPI_COMM_WORLD);
    }
    desk_close(&desk);
}
