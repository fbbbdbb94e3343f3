#include "api/report/summary.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "api/attach/process.h"
#include "api/attach/state.h"

void strata_summary_add(struct strata_process *process, const struct strata_state *state)
{
    struct strata_summary *all = &process->summary;

    pthread_mutex_lock(&process->lock);
    for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
        all->served.plans[c] += state->served.plans[c];
        all->served.native[c] += state->served.native[c];
        if (state->ran[c]) {
            snprintf(all->algorithm[c], sizeof all->algorithm[c], "%s", state->ran[c]->algorithm);
        }
    }
    pthread_mutex_unlock(&process->lock);
}

void strata_summary_count(struct strata_process *process, enum strata_collective collective)
{
    pthread_mutex_lock(&process->lock);
    process->summary.served.native[collective]++;
    pthread_mutex_unlock(&process->lock);
}

void strata_summary_print(const struct strata_process *process)
{
    const struct strata_summary *all = &process->summary;

    if (process->world_rank > 0 || strcmp(process->config.explain, "summary") != 0) {
        return;
    }
    fprintf(stderr, "strata: calls of rank 0  by plans  by MPI's own  the last by\n");
    for (int c = 0; c < STRATA_COLLECTIVE_COUNT; c++) {
        if (all->served.plans[c] + all->served.native[c] > 0) {
            fprintf(stderr, "strata: %-20s %5" PRIu64 "  %12" PRIu64 "  %s\n",
                    strata_collective_name((enum strata_collective)c), all->served.plans[c],
                    all->served.native[c], all->algorithm[c]);
        }
    }
}
