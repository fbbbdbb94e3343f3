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
enum { STATUS, QUOTA, GROUP, MINUS_GROUP, WORDS, FIGURES };

static int agree(MPI_Comm host, int status, const struct strata_cpus *own, int figures[FIGURES])
{
    int group = strata_scheduling_group();
    int words = STRATA_CPUS_WORDS;
    while (words > 1 && own->word[words - 1] == 0) {
        words--;
    }
    figures[STATUS] = status;
    figures[WORDS] = words;
    figures[QUOTA] = strata_quota_cpus();
    figures[GROUP] = group;
    figures[MINUS_GROUP] = -group;
    int error = PMPI_Allreduce(MPI_IN_PLACE, figures, FIGURES, MPI_INT, MPI_MAX, host);
    return error ? error : figures[STATUS];
}

/* Counts the processing units in the union of all processes' bindings, which lie in so many words.
 * All words would be as long as what crashes in Open MPI 6.0.0rc2 with xhc preferred and no single
 * copy: an MPI_Allreduce of 260 to 4096 bytes. */
static int count_cpus(MPI_Comm host, const struct strata_cpus *own, int words, int *cpus)
{
    struct strata_cpus all = *own;
    int error = PMPI_Allreduce(MPI_IN_PLACE, all.word, words, MPI_UNSIGNED_LONG, MPI_BOR, host);
    *cpus = strata_cpus_count(&all);
    return error;
}

int strata_placement_find(MPI_Comm host, struct strata_placement *placement)
{
    struct strata_cpus own;
    struct strata_placement found = {0};
    int figures[FIGURES];
    int status = strata_cpus_find(&own) ? MPI_SUCCESS : MPI_ERR_OTHER;
    int error = agree(host, status, &own, figures);
    error = error ? error : count_cpus(host, &own, figures[WORDS], &found.cpus);
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
