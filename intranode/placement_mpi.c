#include "intranode/placement.h"

#include <hwloc.h>
#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "intranode/scheduler.h"

/* This process's part, before the host's processes put theirs together. */
struct own_place {
    hwloc_topology_t topology;
    hwloc_bitmap_t cpus;
};

static void close_place(struct own_place *own)
{
    if (own->cpus) {
        hwloc_bitmap_free(own->cpus);
    }
    if (own->topology) {
        hwloc_topology_destroy(own->topology);
    }
}

/* The processing units that the process is bound to, of those that it may use at all. */
static int open_place(struct own_place *own)
{
    *own = (struct own_place){.cpus = hwloc_bitmap_alloc()};
    if (!own->cpus || hwloc_topology_init(&own->topology)) {
        return MPI_ERR_NO_MEM;
    }
    if (hwloc_topology_load(own->topology)) {
        return MPI_ERR_OTHER;
    }
    hwloc_const_cpuset_t allowed = hwloc_topology_get_allowed_cpuset(own->topology);
    if (hwloc_get_cpubind(own->topology, own->cpus, HWLOC_CPUBIND_PROCESS) ||
        !hwloc_bitmap_intersects(own->cpus, allowed)) {
        hwloc_bitmap_copy(own->cpus, allowed);
    }
    hwloc_bitmap_and(own->cpus, own->cpus, allowed);
    return MPI_SUCCESS;
}

/* The domain that holds all of the process's processing units; 0 when there are several. */
static void find_numa(const struct own_place *own, struct strata_placement *placement)
{
    placement->numa_domains = hwloc_get_nbobjs_by_type(own->topology, HWLOC_OBJ_NUMANODE);
    placement->numa = 0;
    for (int i = 0; i < placement->numa_domains; i++) {
        hwloc_obj_t domain = hwloc_get_obj_by_type(own->topology, HWLOC_OBJ_NUMANODE, (unsigned)i);
        if (domain && hwloc_bitmap_isincluded(own->cpus, domain->cpuset)) {
            placement->numa = i;
            return;
        }
    }
}

static void describe(const struct own_place *own, struct strata_placement *placement)
{
    char host[MPI_MAX_PROCESSOR_NAME] = ""; /* MPI writes to its very end */
    int length = 0;
    hwloc_bitmap_list_snprintf(placement->cpu_set, sizeof placement->cpu_set, own->cpus);
    if (PMPI_Get_processor_name(host, &length)) {
        length = 0;
    }
    int most = (int)sizeof placement->host - 1;
    snprintf(placement->host, sizeof placement->host, "%.*s", length < most ? length : most, host);
    find_numa(own, placement);
}

/* Sets words to the union of all processes' bit sets and counts it. */
static int unite(MPI_Comm host, hwloc_const_bitmap_t mine, unsigned long *words, int nwords,
                 int *cpus)
{
    for (int i = 0; i < nwords; i++) {
        words[i] = hwloc_bitmap_to_ith_ulong(mine, (unsigned)i);
    }
    int error = PMPI_Allreduce(MPI_IN_PLACE, words, nwords, MPI_UNSIGNED_LONG, MPI_BOR, host);
    *cpus = 0;
    for (int i = 0; i < nwords; i++) {
        *cpus += __builtin_popcountl(words[i]);
    }
    return error;
}

/* What the host's processes agree on: the largest of each. */
enum { STATUS, WORDS, QUOTA, GROUP, MINUS_GROUP, FIGURES };

static int agree(MPI_Comm host, const struct own_place *own, int status, int figures[FIGURES])
{
    int group = strata_scheduling_group();
    figures[STATUS] = status;
    figures[WORDS] = status ? 0 : 1 + hwloc_bitmap_last(own->cpus) / (8 * (int)sizeof(long));
    figures[QUOTA] = strata_quota_cpus();
    figures[GROUP] = group;
    figures[MINUS_GROUP] = -group;
    int error = PMPI_Allreduce(MPI_IN_PLACE, figures, FIGURES, MPI_INT, MPI_MAX, host);
    return error ? error : figures[STATUS];
}

static int count_cpus(MPI_Comm host, const struct own_place *own, int nwords, int *cpus)
{
    unsigned long *words = strata_allocate((size_t)nwords, sizeof *words);
    int missing = words == NULL;
    int error = PMPI_Allreduce(MPI_IN_PLACE, &missing, 1, MPI_INT, MPI_MAX, host);
    if (!error) {
        error = missing ? MPI_ERR_NO_MEM : unite(host, own->cpus, words, nwords, cpus);
    }
    strata_release(words);
    return error;
}

int strata_placement_find(MPI_Comm host, struct strata_placement *placement)
{
    struct own_place own;
    struct strata_placement found = {0};
    int figures[FIGURES];
    int error = agree(host, &own, open_place(&own), figures);
    error = error ? error : count_cpus(host, &own, figures[WORDS], &found.cpus);
    error = error ? error : PMPI_Comm_size(host, &found.processes);
    if (!error) {
        found.cpus = figures[QUOTA] < found.cpus ? figures[QUOTA] : found.cpus;
        found.kernel = strata_shared_kernel(found.cpus);
        found.yields = figures[GROUP] == -figures[MINUS_GROUP];
        describe(&own, &found);
        *placement = found;
    }
    close_place(&own);
    return error;
}
