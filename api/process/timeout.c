#include "api/process/timeout.h"

#include <stdint.h>
#include <stdio.h>

#include "api/process/process.h"

enum { SELDOM = 64 }; /* looks; a clock costs more than most of them */

void strata_stall_ask(struct strata_stall *stall)
{
    stall->looks = SELDOM - 1;
}

int strata_stall_seconds(struct strata_stall *stall, int complete)
{
    const int64_t told = strata_process_here.config.stall;
    const int64_t patience = told > 0 ? told : stall->patience;
    if (patience == 0 || stall->said || ++stall->looks % SELDOM != 0) {
        return 0;
    }
    const double now = strata_seconds(); /* any thread may ask this clock */
    if (stall->since == 0 || stall->complete != complete) {
        stall->since = now;
        stall->complete = complete;
    } else if (now - stall->since >= (double)patience) {
        stall->said = true;
        return (int)(now - stall->since);
    }
    return 0;
}

void strata_stall_say_mpi(int seconds)
{
    fprintf(stderr,
            STRATA_STALLED "in MPI: for requests of the program's, or for other ranks to come to "
                           "the same call\n",
            strata_process_here.world_rank, seconds);
}

void strata_stall_say_first(int seconds)
{
    fprintf(stderr,
            STRATA_STALLED "in the first call of a communicator: some rank has not come to that "
                           "call, or calls MPI's own collective in its place. All ranks of a "
                           "communicator call Strata there, or none\n",
            strata_process_here.world_rank, seconds);
}
