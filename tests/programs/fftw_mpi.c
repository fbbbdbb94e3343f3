/* FFTW's MPI transforms in two and three dimensions, there and back: checksums of both. */
#include <complex.h>
#include <fftw3-mpi.h>
#include <math.h>
#include <stdio.h>

enum { TIMES = 20 };

static void fill(fftw_complex *data, ptrdiff_t count, ptrdiff_t first)
{
    for (ptrdiff_t i = 0; i < count; i++) {
        data[i] = sin(0.3 * (double)(first + i)) + I * cos(0.7 * (double)(first + i));
    }
}

static double norm(const fftw_complex *data, ptrdiff_t count)
{
    double sum = 0;
    for (ptrdiff_t i = 0; i < count; i++) {
        sum += cabs(data[i]) * (double)(1 + i % 7);
    }
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

static void transform(int dimensions, const ptrdiff_t *size, int rank)
{
    ptrdiff_t rows, first, others = 1;
    ptrdiff_t room = fftw_mpi_local_size(dimensions, size, MPI_COMM_WORLD, &rows, &first);
    fftw_complex *data = fftw_alloc_complex((size_t)room);
    fftw_plan there =
        fftw_mpi_plan_dft(dimensions, size, data, data, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_MEASURE);
    fftw_plan back = fftw_mpi_plan_dft(dimensions, size, data, data, MPI_COMM_WORLD, FFTW_BACKWARD,
                                       FFTW_MEASURE);
    for (int d = 1; d < dimensions; d++) {
        others *= size[d];
    }
    for (int i = 0; i < TIMES; i++) {
        fill(data, rows * others, first * others);
        fftw_execute(there);
        double between = norm(data, rows * others);
        fftw_execute(back);
        double after = norm(data, rows * others);
        if (rank == 0 && i == TIMES - 1) {
            printf("%d dimensions: %.10g there, %.10g back\n", dimensions, between, after);
        }
    }
    fftw_destroy_plan(there);
    fftw_destroy_plan(back);
    fftw_free(data);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    fftw_mpi_init();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    transform(2, (const ptrdiff_t[]){512, 384}, rank);
    transform(3, (const ptrdiff_t[]){64, 48, 40}, rank);
    fftw_mpi_cleanup();
    MPI_Finalize();
    return 0;
}
