! Transposes a matrix whose columns are spread over all ranks, by one alltoall of square blocks.
program transpose_matrix
    use mpi
    use strata
    implicit none
    integer, parameter :: width = 64 ! columns of each rank
    real(8), allocatable :: columns(:, :), sent(:, :, :), received(:, :, :)
    real(8) :: error(1), largest(1)
    integer :: rank, ranks, code, i, j, part

    call MPI_Init(code)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
    allocate (columns(width*ranks, width), sent(width, width, ranks), received(width, width, ranks))
    do j = 1, width
        do i = 1, width*ranks
            columns(i, j) = element(i, rank*width + j)
        end do
    end do

    do part = 1, ranks
        sent(:, :, part) = transpose(columns((part - 1)*width + 1:part*width, :))
    end do
    code = strata_alltoall(sent, width*width, MPI_DOUBLE_PRECISION, received, width*width, MPI_DOUBLE_PRECISION, &
                           MPI_COMM_WORLD)
    do part = 1, ranks
        columns((part - 1)*width + 1:part*width, :) = received(:, :, part)
    end do

    error = 0
    do j = 1, width
        do i = 1, width*ranks
            error(1) = max(error(1), abs(columns(i, j) - element(rank*width + j, i)))
        end do
    end do
    code = strata_allreduce(error, largest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
    if (rank == 0) print '(a, i0, a, i0, a, es8.1)', 'transposed ', width*ranks, ' x ', width*ranks, ', error ', largest(1)
    call MPI_Finalize(code)
    if (largest(1) > 0) error stop

contains

    pure real(8) function element(row, column)
        integer, intent(in) :: row, column
        element = row + 1d6*column
    end function element
end program transpose_matrix
