! Strata's calls for Fortran, as many as the example needs. Each further one is such an interface here and a function in
! strata_fortran.c. Handles are those of `use mpi` and mpif.h; with `use mpi_f08` pass comm%MPI_VAL.
module strata
    use, intrinsic :: iso_c_binding, only: c_int
    implicit none
    interface
        integer(c_int) function strata_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm) &
            bind(C, name="strata_alltoall_f")
            import :: c_int
            type(*), intent(in) :: sendbuf(*)
            type(*) :: recvbuf(*)
            integer(c_int), value :: sendcount, sendtype, recvcount, recvtype, comm
        end function strata_alltoall

        integer(c_int) function strata_allreduce(sendbuf, recvbuf, count, type, op, comm) &
            bind(C, name="strata_allreduce_f")
            import :: c_int
            type(*), intent(in) :: sendbuf(*)
            type(*) :: recvbuf(*)
            integer(c_int), value :: count, type, op, comm
        end function strata_allreduce
    end interface
end module strata
