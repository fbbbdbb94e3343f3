/* Virtual ranks that exchange rounds of messages, for algorithms that depend on the data. Each rank
 * is a fiber, without MPI; there can be as many as memory allows. Messages match as MPI's do. A
 * seed gives the order in which ranks run. */
#ifndef STRATA_SIM_VIRTUAL_VIRTUAL_STATIONS_H
#define STRATA_SIM_VIRTUAL_VIRTUAL_STATIONS_H

#include "core/base/error.h"
#include "core/base/station.h"

/* What takes time. Links are never crowded: a rank's own messages alone follow one another. */
struct strata_virtual_clock {
    /* Seconds from the start of a message to its first byte. */
    double (*way)(const void *self, int from, int to);
    const void *self;
    int per_node;                            /* ranks of a node */
    double overhead;                         /* of a rank for each message, sent or received, s */
    double byte, byte_node;                  /* between nodes, inside one, s */
    double compare, visit, copy, copy_block; /* as in sim/platforms, s */
};

struct strata_virtual_stations {
    int ranks;
    bool rendezvous;  /* a send completes only when its receive is posted */
    uint64_t seed;    /* of the order; 0: in turn, which is the fastest */
    int failing_rank; /* the rank whose allocations are to fail */
    long allocations; /* how many of its allocations succeed before; negative: all do */
    /* Each rank runs it and returns its status. context: the argument of
     * strata_virtual_stations_run. */
    int (*body)(struct strata_station *station, void *context);
    void *context;
    const struct strata_virtual_clock *clock; /* NULL: time is not kept */
    /* Results, [ranks] or NULL */
    int *status;
    struct strata_usage *usage;
    double *seconds; /* when the rank ended */
};

/* Runs all ranks to their end. STRATA_ERR_PLAN with a message when they wait for each other (each
 * rank's exchange has then returned an error), or when messages are left over; STRATA_ERR_MEMORY
 * when there is too little memory for the ranks. The statuses of the bodies are in `status` only.
 */
int strata_virtual_stations_run(const struct strata_virtual_stations *run,
                                struct strata_diagnostic *message);

#endif
