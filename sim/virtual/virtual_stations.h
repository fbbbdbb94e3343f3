/* Virtual ranks that exchange rounds of messages: an algorithm that depends on the data, on as many
 * ranks as memory has room for, each a fiber, without MPI. Messages match as MPI's; the order in
 * which ranks run comes from a seed. */
#ifndef STRATA_SIM_VIRTUAL_VIRTUAL_STATIONS_H
#define STRATA_SIM_VIRTUAL_VIRTUAL_STATIONS_H

#include "core/base/error.h"
#include "core/base/station.h"

struct strata_virtual_stations {
    int ranks;
    bool rendezvous;  /* a send completes only when its receive is posted */
    uint64_t seed;    /* of the order; 0: in turn, the fastest */
    int failing_rank; /* whose allocations succeed allocations times, */
    long allocations; /* and then fail; negative: none fails */
    /* What each rank does; its status. context: as given to strata_virtual_stations_run. */
    int (*body)(struct strata_station *station, void *context);
    void *context;
    /* Results, [ranks] or NULL */
    int *status;
    struct strata_usage *usage;
};

/* Runs all ranks to their end. STRATA_ERR_PLAN with a message when they wait for each other (each
 * rank's exchange has then returned an error), or when messages are left over; STRATA_ERR_MEMORY
 * when there is no room for the ranks. What the bodies return is in status only. */
int strata_virtual_stations_run(const struct strata_virtual_stations *run,
                                struct strata_diagnostic *message);

#endif
