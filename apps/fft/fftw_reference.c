/* FFTW's MPI transform of the same data, in FFTW's own distribution: planes of z before, planes of
 * y after. This order ("transposed") saves FFTW an exchange, as the cut of our spectrum saves us
 * one.
 *
 * FFTW ignores axes of one element and transposes the first two others. Where z or y has one
 * element, FFTW does not transpose, and the planes stay as before. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/fft/ft.h"

#include <fftw3-mpi.h>

#include "apps/fft/remap.h"

struct ft_reference {
    struct fft_box before, after;
    /* The elements of `after`: in the order y, z, x, and in natural order. */
    double complex *data, *ours;
    fftw_plan forward, inverse;
    struct fft_remap remap; /* from our spectrum's distribution to `after` */
};

static bool transposes(const int n[3])
{
    return n[0] > 1 && n[1] > 1;
}

const char *ft_reference_lacks(const int n[3])
{
    return n[0] > 1 || n[1] > 1 || n[2] > 1 ? NULL : "FFTW's MPI transform takes no single element";
}

/* The bytes of FFTW's data, of our data in the same distribution, and of FFTW's scratch for
 * transposing in place. */
double ft_reference_bytes(const struct ft_options *options, int ranks)
{
    const int *n = options->n;
    int planes = (n[0] + ranks - 1) / ranks, rows = (n[1] + ranks - 1) / ranks;
    double before = (double)planes * n[1] * n[2], after = (double)rows * n[0] * n[2];
    return 3 * (before > after ? before : after) * sizeof(double complex);
}

static int allocate(struct ft_reference *r, struct ft *ft)
{
    const int *n = ft->options->n;
    ptrdiff_t planes, plane, rows, row;
    ptrdiff_t count =
        fftw_mpi_local_size_3d_transposed(n[0], n[1], n[2], ft->comm, &planes, &plane, &rows, &row);
    r->before = (struct fft_box){{(int)plane, 0, 0}, {(int)planes, n[1], n[2]}};
    r->after = (struct fft_box){{0, (int)row, 0}, {n[0], (int)rows, n[2]}};
    if (!transposes(n)) {
        count = fftw_mpi_local_size_3d(n[0], n[1], n[2], ft->comm, &planes, &plane);
        r->after = r->before;
    }
    r->data = fftw_alloc_complex((size_t)count + 1);
    r->ours = fftw_alloc_complex(fft_box_count(&r->after) + 1);
    return r->data && r->ours;
}

static int plan(struct ft_reference *r, struct ft *ft)
{
    const int *n = ft->options->n;
    const unsigned flags = ft->options->measure ? FFTW_MEASURE : FFTW_ESTIMATE;
    const unsigned out = transposes(n) ? FFTW_MPI_TRANSPOSED_OUT : 0;
    const unsigned in = transposes(n) ? FFTW_MPI_TRANSPOSED_IN : 0;
    fftw_plan_with_nthreads(ft->host->threads);
    r->forward = fftw_mpi_plan_dft_3d(n[0], n[1], n[2], r->data, r->data, ft->comm, FFTW_FORWARD,
                                      flags | out);
    r->inverse = fftw_mpi_plan_dft_3d(n[0], n[1], n[2], r->data, r->data, ft->comm, FFTW_BACKWARD,
                                      flags | in);
    return r->forward && r->inverse;
}

static int connect(struct ft_reference *r, struct ft *ft)
{
    const int size = sizeof(struct fft_box);
    struct fft_box *ours = malloc(2 * (size_t)ft->ranks * sizeof *ours), *theirs = ours + ft->ranks;
    int fine = ours != NULL;
    MPI_Allreduce(MPI_IN_PLACE, &fine, 1, MPI_INT, MPI_MIN, ft->comm);
    if (fine) {
        const struct fft_remap_ends ends = {
            {ours, theirs}, {*fft_spectrum(ft->fft), r->after}, {0, 0}, ft->rank, ft->ranks};
        MPI_Allgather(fft_spectrum(ft->fft), size, MPI_BYTE, ours, size, MPI_BYTE, ft->comm);
        MPI_Allgather(&r->after, size, MPI_BYTE, theirs, size, MPI_BYTE, ft->comm);
        fine = fft_remap_create(&r->remap, &ends, ft->comm, ft->host->threads) == MPI_SUCCESS;
    }
    free(ours);
    return fine;
}

static bool all_fine(struct ft *ft, int fine)
{
    MPI_Allreduce(MPI_IN_PLACE, &fine, 1, MPI_INT, MPI_MIN, ft->comm);
    return fine;
}

struct ft_reference *ft_reference_create(struct ft *ft)
{
    struct ft_reference *r = calloc(1, sizeof *r);
    fftw_mpi_init();
    if (all_fine(ft, r && allocate(r, ft)) && all_fine(ft, plan(r, ft)) &&
        all_fine(ft, connect(r, ft))) {
        return r;
    }
    ft_reference_destroy(r);
    return NULL;
}

void ft_reference_destroy(struct ft_reference *reference)
{
    if (!reference) {
        return;
    }
    fft_remap_destroy(&reference->remap);
    if (reference->forward) {
        fftw_destroy_plan(reference->forward);
    }
    if (reference->inverse) {
        fftw_destroy_plan(reference->inverse);
    }
    fftw_free(reference->data);
    fftw_free(reference->ours);
    free(reference);
}

double ft_reference_forward(struct ft *ft)
{
    struct ft_reference *r = ft->reference;
    ft_noise_fill(ft->options->n, &r->before, r->data, ft->host->threads);
    MPI_Barrier(ft->comm);
    double start = MPI_Wtime();
    fftw_execute(r->forward);
    return MPI_Wtime() - start;
}

double ft_reference_inverse(struct ft *ft)
{
    MPI_Barrier(ft->comm);
    double start = MPI_Wtime();
    fftw_execute(ft->reference->inverse);
    return MPI_Wtime() - start;
}

/* The largest difference and the largest value of my elements. */
static void compare(const struct ft *ft, double most[2])
{
    const struct ft_reference *r = ft->reference;
    const int *size = r->after.size;
    double difference = 0, value = 0;
#pragma omp parallel for num_threads(ft->host->threads) schedule(static) collapse(2)               \
    reduction(max                                                                                  \
              : difference, value)
    for (int z = 0; z < size[0]; z++) {
        for (int y = 0; y < size[1]; y++) {
            const double complex *a =
                r->ours + ((size_t)z * (size_t)size[1] + (size_t)y) * (size_t)size[2];
            const double complex *b =
                r->data + ((size_t)y * (size_t)size[0] + (size_t)z) * (size_t)size[2];
            for (int x = 0; x < size[2]; x++) {
                double error = cabs(a[x] - b[x]);
                difference = error <= difference ? difference : isnan(error) ? INFINITY : error;
                value = fmax(value, cabs(b[x]));
            }
        }
    }
    most[0] = difference;
    most[1] = value;
}

double ft_reference_error(struct ft *ft)
{
    struct ft_reference *r = ft->reference;
    const struct fft_remap_way way = {FFT_MPI, FFT_DATATYPE, false, FFT_BLOCKING};
    double most[2], seconds[FFT_PARTS] = {0};
    if (fft_remap_run(&r->remap, way, (struct fft_remap_buffers){ft->field, r->ours, NULL, NULL},
                      seconds)) {
        return INFINITY;
    }
    compare(ft, most);
    MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_DOUBLE, MPI_MAX, ft->comm);
    return most[0] / most[1];
}
