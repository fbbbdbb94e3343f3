#include "apps/fft/collect.h"

#include "include/strata.h"

void fft_collect_place(MPI_Comm comm, bool members, int *rank, int *ranks)
{
    if (members) {
        strata_members_rank(comm, rank);
        strata_members_size(comm, ranks);
    } else {
        MPI_Comm_rank(comm, rank);
        MPI_Comm_size(comm, ranks);
    }
}

void fft_collect(MPI_Comm comm, bool members, void *numbers, int count, MPI_Datatype type,
                 MPI_Op op)
{
    if (members) {
        strata_allreduce(MPI_IN_PLACE, numbers, count, type, op, comm);
    } else {
        MPI_Allreduce(MPI_IN_PLACE, numbers, count, type, op, comm);
    }
}

void fft_collect_meet(MPI_Comm comm, bool members)
{
    if (members) {
        strata_barrier(comm);
    } else {
        MPI_Barrier(comm);
    }
}
