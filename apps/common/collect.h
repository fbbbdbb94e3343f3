/* What a program exchanges besides its data. Where threads are members these are Strata's
 * collectives, for MPI's own know nothing of threads. */
#ifndef STRATA_APPS_COMMON_COLLECT_H
#define STRATA_APPS_COMMON_COLLECT_H

#include <mpi.h>
#include <stdbool.h>

#include "include/strata.h"

/* `members`: comm is a member's handle, and ranks are members. */
static inline void app_place(MPI_Comm comm, bool members, int *rank, int *ranks)
{
    if (members) {
        strata_members_rank(comm, rank);
        strata_members_size(comm, ranks);
    } else {
        MPI_Comm_rank(comm, rank);
        MPI_Comm_size(comm, ranks);
    }
}

/* The numbers of all ranks, combined, in place of this rank's, by Strata (as members must) or by
 * MPI. */
static inline void app_collect(MPI_Comm comm, bool by_strata, void *numbers, int count,
                               MPI_Datatype type, MPI_Op op)
{
    if (by_strata) {
        strata_allreduce(MPI_IN_PLACE, numbers, count, type, op, comm);
    } else {
        MPI_Allreduce(MPI_IN_PLACE, numbers, count, type, op, comm);
    }
}

static inline void app_meet(MPI_Comm comm, bool members)
{
    if (members) {
        strata_barrier(comm);
    } else {
        MPI_Barrier(comm);
    }
}

#endif
