/* The calls are PMPI's, as in tune_mpi.c. */
#include <mpi.h>

#include "core/base/memory.h"
#include "intranode/cpus.h"
#include "intranode/placement.h"
#include "tools/tune/inner.h"

/* What rank 0 works with. */
struct desk {
    struct tool_inner_place *place; /* [ranks] */
    int (*partners)[TOOL_INNERS];   /* [ranks] of each rank over each distance */
    int *node, *partner;            /* [ranks] */
    struct strata_topology *nodes;
};

static void desk_open(struct desk *d, int ranks)
{
    d->place = strata_allocate((size_t)ranks, sizeof *d->place);
    d->partners = strata_allocate((size_t)ranks, sizeof *d->partners);
    d->node = strata_allocate((size_t)ranks, sizeof *d->node);
    d->partner = strata_allocate((size_t)ranks, sizeof *d->partner);
}

static bool desk_is_whole(const struct desk *d)
{
    return d->place && d->partners && d->node && d->partner;
}

static void desk_close(struct desk *d)
{
    strata_release(d->place);
    strata_release(d->partners);
    strata_release(d->node);
    strata_release(d->partner);
    strata_topology_destroy(d->nodes);
}

/* Whether a rank may run on a processing unit. On a machine that is not real its core counts. */
static bool has_unit(const struct strata_hardware *h, const struct strata_cpus *own,
                     const struct strata_place *place, int unit)
{
    return h->objects.real ? strata_cpus_have(own, h->unit[unit].cpu)
                           : h->unit[unit].place.core == place->core;
}

/* Where this rank is. It stays unknown where the kernel or hwloc does not say. */
static struct tool_inner_place find_mine(const struct tool_places *at)
{
    struct tool_inner_place mine = {
        .node = at->node,
        .place = {STRATA_SEVERAL, STRATA_SEVERAL, STRATA_SEVERAL, STRATA_SEVERAL, STRATA_SEVERAL}};
    struct strata_hardware *h = NULL;
    struct strata_placement placement;
    struct strata_cpus own;
    MPI_Comm host;
    PMPI_Comm_split(MPI_COMM_WORLD, at->node, at->rank, &host);
    if (strata_placement_find(host, &h, &placement) == MPI_SUCCESS && h && strata_cpus_find(&own)) {
        mine.place = placement.place;
        mine.objects = placement.hardware;
        mine.units = h->units;
        mine.first = -1;
        for (int unit = 0; unit < h->units; unit++) {
            if (has_unit(h, &own, &mine.place, unit)) {
                mine.first = mine.first < 0 ? unit : mine.first;
                mine.last = unit;
            }
        }
    }
    strata_release(h);
    PMPI_Comm_free(&host);
    return mine;
}

static void pair_ranks(struct desk *d, int ranks, struct tool_inner_pairs *pairs)
{
    for (int distance = 0; distance < TOOL_INNERS; distance++) {
        tool_inner_pair(d->place, d->nodes, (enum tool_inner_distance)distance,
                        &pairs->inner[distance], d->partner);
        for (int r = 0; r < ranks; r++) {
            d->partners[r][distance] = d->partner[r];
        }
    }
}

/* Rank 0 has all places. False without memory. */
static bool make_topology(struct desk *d, int ranks)
{
    for (int r = 0; r < ranks; r++) {
        d->node[r] = d->place[r].node;
    }
    return strata_topology_from_colours(ranks, d->node, NULL, &d->nodes) == STRATA_OK;
}

/* No pair is known. */
static struct tool_inner_pairs none(void)
{
    struct tool_inner_pairs pairs;
    for (int distance = 0; distance < TOOL_INNERS; distance++) {
        pairs.inner[distance] = (struct tool_inner){TOOL_LACKS_PLACES};
        pairs.partner[distance] = -1;
    }
    return pairs;
}

void tool_inner_find(const struct tool_places *places, struct tool_inner_pairs *pairs)
{
    struct desk desk = {NULL, NULL, NULL, NULL, NULL};
    int ranks, whole;
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const struct tool_inner_place mine = find_mine(places);
    if (places->rank == 0) {
        desk_open(&desk, ranks);
    }
    whole = places->rank != 0 || desk_is_whole(&desk);
    PMPI_Bcast(&whole, 1, MPI_INT, 0, MPI_COMM_WORLD);
    *pairs = none();
    if (whole) {
        PMPI_Gather(&mine, sizeof mine, MPI_BYTE, desk.place, sizeof mine, MPI_BYTE, 0,
                    MPI_COMM_WORLD);
        whole = places->rank != 0 || make_topology(&desk, ranks);
        PMPI_Bcast(&whole, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    if (whole) {
        if (places->rank == 0) {
            pair_ranks(&desk, ranks, pairs);
        }
        PMPI_Bcast(pairs->inner, sizeof pairs->inner, MPI_BYTE, 0, MPI_COMM_WORLD);
        PMPI_Scatter(desk.partners, TOOL_INNERS, MPI_INT, pairs->partner, TOOL_INNERS, MPI_INT, 0,
                     MPI_COMM_WORLD);
    }
    desk_close(&desk);
}
