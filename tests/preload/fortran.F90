! A Fortran program that knows nothing of Strata: MPI's 17 blocking collectives by one of its
! bindings, MPIF, MPI or F08, with MPI_IN_PLACE where it is allowed, MPI_BOTTOM, and an operator of its
! own. LARGE: a count of MPI-4 too. Prints "all right", or what is wrong.
#ifdef F08
#define HANDLE(kind) type(kind)
#define ERROR
#else
#define HANDLE(kind) integer
#define ERROR , error
#endif
module operators
contains
    ! An operator of the program's own: a + b + 1.
#ifdef F08
    subroutine add_and_one(from, into, length, datatype)
        use mpi_f08
        use iso_c_binding
        type(c_ptr), value :: from, into
        integer :: length
        type(MPI_Datatype) :: datatype
        integer, pointer :: a(:), b(:)
        call c_f_pointer(from, a, [length])
        call c_f_pointer(into, b, [length])
        b = a + b + merge(1, 1000, datatype == MPI_INTEGER)
    end subroutine
#else
    subroutine add_and_one(a, b, length, datatype)
        integer :: length, datatype, a(length), b(length)
        b = a + b + merge(1, 1000, datatype /= 0)
    end subroutine
#endif
end module

program collectives
#if defined F08
    use mpi_f08
#elif defined MPI
    use mpi
#endif
    use operators
    implicit none
#ifdef MPIF
    include 'mpif.h'
#endif
    integer, parameter :: n = 3, most = 16
    integer :: a(n * most), b(n * most), counts(most), displs(most), bytes(most)
    HANDLE(MPI_Datatype) :: types(most), none(1)
    integer :: rank, ranks, error, wrong, all_wrong, repeat, i

    error = 0
    wrong = 0
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank ERROR)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks ERROR)
    counts = n
    displs = (/ (n * (i - 1), i = 1, most) /)
    bytes = 4 * displs
    types = MPI_INTEGER
    none = MPI_DATATYPE_NULL
    do repeat = 1, 3
        call alltoalls
        call allgathers
        call rooted(ranks - 1)
        call sections(ranks - 1)
        call reductions
        call from_the_bottom
        call by_own_operator
        call MPI_Barrier(MPI_COMM_WORLD ERROR)
    end do
    call MPI_Allreduce(wrong, all_wrong, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD ERROR)
    if (rank == 0 .and. all_wrong == 0 .and. error == 0) print '(a)', 'all right'
    call MPI_Finalize(error)
    if (wrong > 0) stop 1

contains

    ! Element i of the block from one rank to another.
    elemental integer function element(from, to, i)
        integer, intent(in) :: from, to, i
        element = 10000 * from + 100 * to + i
    end function

    subroutine fill
        a(1:n * ranks) = (/ (element(rank, (i - 1) / n, mod(i - 1, n)), i = 1, n * ranks) /)
        b = -1
    end subroutine

    subroutine expect(what, right)
        character(*), intent(in) :: what
        logical, intent(in) :: right
        if (right) return
        if (wrong == 0) print '(a, i0, 2a)', 'wrong: rank ', rank, ', ', what
        wrong = wrong + 1
    end subroutine

    ! Whether a buffer holds the blocks of all ranks, those for rank `to` or, if that is negative, each rank's for itself.
    logical function from_each(buffer, to)
        integer, intent(in) :: buffer(:), to
        from_each = all(buffer(1:n * ranks) == (/ (element((i - 1) / n, merge((i - 1) / n, to, to < 0), &
                                                        mod(i - 1, n)), i = 1, n * ranks) /))
    end function

    ! Whether it begins with the sums of the first ranks' blocks for rank `to`.
    logical function summed(buffer, first, to)
        integer, intent(in) :: buffer(:), first, to
        integer :: r
        summed = all(buffer(1:n) == (/ (sum((/ (element(r, to, i), r = 0, first - 1) /)), i = 0, n - 1) /))
    end function

    subroutine alltoalls
        call fill
        call MPI_Alltoall(a, n, MPI_INTEGER, b, n, MPI_INTEGER, MPI_COMM_WORLD ERROR)
        call expect('alltoall', from_each(b, rank))
        call fill
        call MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, a, n, MPI_INTEGER, MPI_COMM_WORLD ERROR)
        call expect('alltoall in place', from_each(a, rank))
        call fill
        call MPI_Alltoallv(a, counts, displs, MPI_INTEGER, b, counts, displs, MPI_INTEGER, MPI_COMM_WORLD ERROR)
        call expect('alltoallv', from_each(b, rank))
        call fill
        call MPI_Alltoallw(a, counts, bytes, types, b, counts, bytes, types, MPI_COMM_WORLD ERROR)
        call expect('alltoallw', from_each(b, rank))
        call fill
        call MPI_Alltoallw(MPI_IN_PLACE, counts, bytes, none, a, counts, bytes, types, MPI_COMM_WORLD ERROR)
        call expect('alltoallw in place', from_each(a, rank))
    end subroutine

    subroutine allgathers
        call fill
        call MPI_Allgather(a(n * rank + 1:), n, MPI_INTEGER, b, n, MPI_INTEGER, MPI_COMM_WORLD ERROR)
        call expect('allgather', from_each(b, -1))
        call fill
        call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, a, n, MPI_INTEGER, MPI_COMM_WORLD ERROR)
        call expect('allgather in place', from_each(a, -1))
        call fill
        call MPI_Allgatherv(a(n * rank + 1:), n, MPI_INTEGER, b, counts, displs, MPI_INTEGER, MPI_COMM_WORLD ERROR)
        call expect('allgatherv', from_each(b, -1))
    end subroutine

    ! Every second element, which MPI gets as a descriptor, or in a copy of the compiler's. No section has blocks for several
    ! ranks, because MPICH, by mpi_f08, lays each next one an element too early.
    subroutine sections(root)
        integer, intent(in) :: root
        call fill
        call MPI_Bcast(a(1:2 * n:2), n, MPI_INTEGER, root, MPI_COMM_WORLD ERROR)
        call expect('bcast of a section', &
                    all(a(1:2 * n) == (/ (element(merge(root, rank, mod(i, 2) == 1), (i - 1) / n, mod(i - 1, n)), i = 1, 2 * n) /)))
        call fill
        a(n * ranks + 1:n * ranks + 2 * n:2) = a(n * rank + 1:n * (rank + 1))
        call MPI_Allgather(a(n * ranks + 1:n * ranks + 2 * n:2), n, MPI_INTEGER, b, n, MPI_INTEGER, MPI_COMM_WORLD ERROR)
        call expect('allgather of a section', from_each(b, -1))
    end subroutine

    subroutine rooted(root)
        integer, intent(in) :: root
        call fill
        call MPI_Bcast(a, n, MPI_INTEGER, root, MPI_COMM_WORLD ERROR)
        call expect('bcast', all(a(1:n) == element(root, 0, (/ (i, i = 0, n - 1) /))))
        call fill
        call MPI_Gather(a(n * rank + 1:), n, MPI_INTEGER, b, n, MPI_INTEGER, root, MPI_COMM_WORLD ERROR)
        call expect('gather', rank /= root .or. from_each(b, -1))
        call fill
        call MPI_Gatherv(a(n * rank + 1:), n, MPI_INTEGER, b, counts, displs, MPI_INTEGER, root, MPI_COMM_WORLD ERROR)
        call expect('gatherv', rank /= root .or. from_each(b, -1))
        call fill
        if (rank == root) then
            call MPI_Scatter(a, n, MPI_INTEGER, MPI_IN_PLACE, n, MPI_INTEGER, root, MPI_COMM_WORLD ERROR)
            b(1:n) = a(n * rank + 1:n * (rank + 1))
        else
            call MPI_Scatter(a, n, MPI_INTEGER, b, n, MPI_INTEGER, root, MPI_COMM_WORLD ERROR)
        end if
        call expect('scatter', all(b(1:n) == element(root, rank, (/ (i, i = 0, n - 1) /))))
        call fill
        call MPI_Scatterv(a, counts, displs, MPI_INTEGER, b, n, MPI_INTEGER, root, MPI_COMM_WORLD ERROR)
        call expect('scatterv', all(b(1:n) == element(root, rank, (/ (i, i = 0, n - 1) /))))
    end subroutine

    subroutine reductions
        call fill
        call MPI_Reduce(a, b, n, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD ERROR)
        call expect('reduce', rank /= 0 .or. summed(b, ranks, 0))
        call fill
        call MPI_Allreduce(a, b, n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD ERROR)
        call expect('allreduce', summed(b, ranks, 0))
        call fill
        call MPI_Allreduce(MPI_IN_PLACE, a, n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD ERROR)
        call expect('allreduce in place', summed(a, ranks, 0))
        call fill
        call MPI_Reduce_scatter(a, b, counts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD ERROR)
        call expect('reduce_scatter', summed(b, ranks, rank))
        call fill
        call MPI_Reduce_scatter_block(a, b, n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD ERROR)
        call expect('reduce_scatter_block', summed(b, ranks, rank))
        call fill
        call MPI_Scan(a, b, n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD ERROR)
        call expect('scan', summed(b, rank + 1, 0))
        call fill
        call MPI_Exscan(MPI_IN_PLACE, a, n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD ERROR)
        call expect('exscan in place', rank == 0 .or. summed(a, rank, 0))
    end subroutine

    ! A datatype of absolute addresses: those of a(1:n).
    subroutine from_the_bottom
        HANDLE(MPI_Datatype) :: placed
        integer(MPI_ADDRESS_KIND) :: at(1)
        integer :: lengths(1)
        lengths = n
        call MPI_Get_address(a, at(1) ERROR)
        call MPI_Type_create_hindexed(1, lengths, at, MPI_INTEGER, placed ERROR)
        call MPI_Type_commit(placed ERROR)
        call fill
        call MPI_Allgather(MPI_BOTTOM, 1, placed, b, n, MPI_INTEGER, MPI_COMM_WORLD ERROR)
        call expect('allgather from the bottom', from_each(b, 0))
        call fill
        call MPI_Bcast(MPI_BOTTOM, 1, placed, ranks - 1, MPI_COMM_WORLD ERROR)
        call expect('bcast at the bottom', all(a(1:n) == element(ranks - 1, 0, (/ (i, i = 0, n - 1) /))))
        call MPI_Type_free(placed ERROR)
    end subroutine

    subroutine by_own_operator
        HANDLE(MPI_Op) :: own
        call MPI_Op_create(add_and_one, .true., own ERROR)
        call fill
        call MPI_Allreduce(a, b, n, MPI_INTEGER, own, MPI_COMM_WORLD ERROR)
        call expect('allreduce by an operator of its own', summed(b(1:n) - ranks + 1, ranks, 0))
        call MPI_Op_free(own ERROR)
#ifdef LARGE
        call fill
        call MPI_Allreduce(a, b, int(n, MPI_COUNT_KIND), MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
        call expect('allreduce of a large count', summed(b, ranks, 0))
#endif
    end subroutine
end program
