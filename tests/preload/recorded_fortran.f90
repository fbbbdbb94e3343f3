! recorded.c in Fortran: the faults that a binding could hide, by mpif.h's calls.
!   recorded_fortran FAULT RANK CALLS SEED
program recorded
  use mpi
  implicit none
  integer :: error, rank, ranks, faulty, calls, seed, twin, i, one(2), total(2), status(MPI_STATUS_SIZE), message, room(1000)
  real :: ones(2), totals(2)
  character(len=32) :: fault, word
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, error)
  call MPI_Comm_dup(MPI_COMM_WORLD, twin, error) ! the second of these ranks
  call MPI_Barrier(twin, error)
  call MPI_Comm_free(twin, error)
  call MPI_Comm_dup(MPI_COMM_WORLD, twin, error)
  call MPI_Barrier(twin, error)
  call get_command_argument(1, fault)
  call get_command_argument(2, word)
  read (word, *) faulty
  call get_command_argument(3, word)
  read (word, *) calls
  call get_command_argument(4, word)
  read (word, *) seed
  one = 1
  ones = 1
  do i = 1, calls
    call right(mod(i * seed, 5))
  end do
  call MPI_Buffer_attach(room, 4000, error)
  if (fault == 'matched') call MPI_Bsend(one, 1, MPI_INTEGER, mod(rank + 1, ranks), 8, MPI_COMM_WORLD, error)
  if (rank == faulty) call fail(trim(fault))
  if (fault == 'root') call MPI_Bcast(one, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
  if (fault == 'order') call MPI_Barrier(MPI_COMM_WORLD, error)
  if (fault == 'order') call MPI_Barrier(twin, error)
  call MPI_Allreduce(one, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  call stand()

contains

  subroutine stand()
    do
      call sleep(1)
    end do
  end subroutine

  subroutine right(which)
    integer, intent(in) :: which
    integer :: all(64), root
    root = mod(i, ranks)
    select case (which)
    case (0)
      call MPI_Barrier(MPI_COMM_WORLD, error)
    case (1)
      call MPI_Bcast(one, 1, MPI_INTEGER, root, twin, error)
    case (2)
      call MPI_Allgather(rank, 1, MPI_INTEGER, all, 1, MPI_INTEGER, MPI_COMM_WORLD, error)
    case (3)
      call MPI_Reduce(one, total, 1, MPI_INTEGER, MPI_MAX, root, MPI_COMM_WORLD, error)
    case default
      call MPI_Allreduce(ones, totals, 2, MPI_REAL, MPI_SUM, twin, error)
    end select
  end subroutine

  subroutine fail(name)
    character(len=*), intent(in) :: name
    select case (name)
    case ('collective')
      call MPI_Barrier(MPI_COMM_WORLD, error) ! line of collective
    case ('root')
      call MPI_Bcast(one, 1, MPI_INTEGER, 1, MPI_COMM_WORLD, error) ! line of root
    case ('operator')
      call MPI_Allreduce(one, total, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, error) ! line of operator
    case ('type')
      call MPI_Allreduce(ones, totals, 1, MPI_REAL, MPI_SUM, MPI_COMM_WORLD, error) ! line of type
    case ('count')
      call MPI_Allreduce(one, total, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error) ! line of count
    case ('communicator')
      call MPI_Allreduce(one, total, 1, MPI_INTEGER, MPI_SUM, twin, error) ! line of communicator
    case ('order')
      call MPI_Barrier(twin, error) ! line of order
    case ('recv')
      call MPI_Recv(one, 1, MPI_INTEGER, mod(rank + 1, ranks), 7, MPI_COMM_WORLD, status, error) ! line of recv
    case ('matched')
      call MPI_Mprobe(mod(rank + ranks - 1, ranks), MPI_ANY_TAG, MPI_COMM_WORLD, message, status, error)
      call MPI_Mrecv(one, 1, MPI_INTEGER, message, status, error) ! line of matched
    case ('buffered')
      call MPI_Bsend(one, 1, MPI_INTEGER, mod(rank + 1, ranks), 8, MPI_COMM_WORLD, error) ! line of buffered
    case ('finalize')
      call MPI_Finalize(error) ! line of finalize
    end select
    call stand()
  end subroutine
end program
