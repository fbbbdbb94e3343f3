/* What strata.f90 calls: Fortran's handles become those of C, in each MPI's own way. */
#include <strata.h>

int strata_alltoall_f(const void *sendbuf, int sendcount, MPI_Fint sendtype, void *recvbuf,
                      int recvcount, MPI_Fint recvtype, MPI_Fint comm)
{
    return strata_alltoall(sendbuf, sendcount, MPI_Type_f2c(sendtype), recvbuf, recvcount,
                           MPI_Type_f2c(recvtype), MPI_Comm_f2c(comm));
}

int strata_allreduce_f(const void *sendbuf, void *recvbuf, int count, MPI_Fint type, MPI_Fint op,
                       MPI_Fint comm)
{
    return strata_allreduce(sendbuf, recvbuf, count, MPI_Type_f2c(type), MPI_Op_f2c(op),
                            MPI_Comm_f2c(comm));
}
