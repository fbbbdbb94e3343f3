/* A call that the threads of a parallel region enter together: one makes it, the others help. */
#ifndef STRATA_APPS_COMMON_TEAM_H
#define STRATA_APPS_COMMON_TEAM_H

#include "include/strata.h"

typedef int app_call(void *argument);

/* Without a team this thread makes the call alone. Returns an MPI error code. */
static inline int app_make(struct strata_team *team, int threads, app_call *call, void *argument)
{
    int code = MPI_SUCCESS;
    if (!team) {
        return call(argument);
    }
#pragma omp parallel num_threads(threads) reduction(max : code)
    {
        int calls = 0;
        code = strata_team_enter(team, &calls);
        if (calls) {
            const int made = call(argument), left = strata_team_leave(team);
            code = made != MPI_SUCCESS ? made : left;
        }
    }
    return code;
}

#endif
