/* Where the processes of a physical host may run (placement_mpi.c, and placement_smpi.c in
 * simulated clusters). */
#ifndef STRATA_INTRANODE_PLACEMENT_H
#define STRATA_INTRANODE_PLACEMENT_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "intranode/hardware.h"

struct strata_placement {
    int processes;   /* processes of the communicator on this physical host */
    int cpus;        /* processing units in the union of their CPU sets, or their quota */
    uint64_t kernel; /* equal for two hosts whose processes run on the same cores; 0: no other
                          host's do */
    bool yields;     /* sched_yield hands a core from any of them to any other */
    struct strata_place place;      /* of this process */
    struct strata_objects hardware; /* of the host */
    char cpu_set[128];              /* this process's binding: "0-3,8" */
    char host[128];
};

/* Collective over host, the communicator of one physical host's processes (MPI_COMM_TYPE_SHARED).
 * *hardware is the host's, which this process knows from an earlier call, or NULL. Then it becomes
 * what one of the processes knows, which looks only if none does; the caller releases it
 * (strata_release). Returns an MPI error code. */
int strata_placement_find(MPI_Comm host, struct strata_hardware **hardware,
                          struct strata_placement *placement);

/* Whether MPI's idle ranks hand over their core. Tests a message to itself for a millisecond
 * (idle_mpi.c). Local; but a rank that is alone on its core says no, so call it where other ranks
 * do too, and believe any that says yes. */
bool strata_idle_hands_over(MPI_Comm comm);

#endif
