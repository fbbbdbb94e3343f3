#include "intranode/placement.h"

#include <stdio.h>
#include <string.h>

#include "intranode/cpus_mpi.h"
#include "intranode/scheduler.h"

static void describe(const struct strata_cpus *own, struct strata_placement *placement)
{
    char host[MPI_MAX_PROCESSOR_NAME] = ""; /* MPI writes to its very end */
    int length = 0;
    strata_cpus_say(own, placement->cpu_set, sizeof placement->cpu_set);
    if (PMPI_Get_processor_name(host, &length)) {
        length = 0;
    }
    int most = (int)sizeof placement->host - 1;
    snprintf(placement->host, sizeof placement->host, "%.*s", length < most ? length : most, host);
    placement->numa_domains = strata_numa_domains();
    placement->numa = strata_numa_domain(own);
}

/* The numbers that the host's processes agree on: the largest of each. */
enum { STATUS, QUOTA, GROUP, MINUS_GROUP, FIGURES };

static int agree(MPI_Comm host, int status, int figures[FIGURES])
{
    int group = strata_scheduling_group();
    figures[STATUS] = status;
    figures[QUOTA] = strata_quota_cpus();
    figures[GROUP] = group;
    figures[MINUS_GROUP] = -group;
    int error = PMPI_Allreduce(MPI_IN_PLACE, figures, FIGURES, MPI_INT, MPI_MAX, host);
    return error ? error : figures[STATUS];
}

/* Counts the processing units in the union of all processes' bindings. */
static int count_cpus(MPI_Comm host, const struct strata_cpus *own, int *cpus)
{
    struct strata_cpus all = *own;
    int error =
        PMPI_Allreduce(MPI_IN_PLACE, all.word, STRATA_CPUS_WORDS, MPI_UNSIGNED_LONG, MPI_BOR, host);
    *cpus = strata_cpus_count(&all);
    return error;
}

int strata_placement_find(MPI_Comm host, struct strata_placement *placement)
{
    struct strata_cpus own;
    struct strata_placement found = {0};
    int figures[FIGURES];
    int error = agree(host, strata_cpus_find(&own) ? MPI_SUCCESS : MPI_ERR_OTHER, figures);
    error = error ? error : count_cpus(host, &own, &found.cpus);
    error = error ? error : PMPI_Comm_size(host, &found.processes);
    if (!error) {
        found.cpus = figures[QUOTA] < found.cpus ? figures[QUOTA] : found.cpus;
        found.kernel = strata_shared_kernel(found.cpus);
        found.yields = figures[GROUP] == -figures[MINUS_GROUP];
        describe(&own, &found);
        *placement = found;
    }
    return error;
}
