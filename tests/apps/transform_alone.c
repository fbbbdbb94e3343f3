/* Uses the transform of apps/fft as another program does, linked with its library alone. The
 * communicators are parts of the world, and two transforms run at once. All ways to exchange and
 * all errors are tried. The spectrum of a plane wave is one element, which shows that all elements
 * lie where the header says. */
#include <fftw3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "apps/fft/transform.h"

static void require(int holds, const char *what)
{
    int rank;
    if (!holds) {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        fprintf(stderr, "rank %d: wrong: %s\n", rank, what);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* The wave k at a place, or its spectrum: the number of elements at k, and 0 elsewhere. */
static double complex wave(const int n[3], const int k[3], const int at[3])
{
    double turns = 0;
    for (int axis = 0; axis < 3; axis++) {
        turns += (double)(k[axis] * at[axis] % n[axis]) / n[axis];
    }
    return cexp(2 * acos(-1) * I * turns);
}

static double complex spectrum(const int n[3], const int k[3], const int at[3])
{
    return at[0] == k[0] && at[1] == k[1] && at[2] == k[2] ? n[0] * n[1] * n[2] : 0;
}

typedef double complex content(const int n[3], const int k[3], const int at[3]);

/* Fills a box, or returns how far it is from the expected values, which are multiplied by
 * `scale`. */
static double visit(const struct fft_box *box, const int n[3], const int k[3], content *what,
                    double complex *u, double scale)
{
    double most = 0;
    for (size_t i = 0; i < fft_box_count(box); i++) {
        const int row = (int)i / box->size[2];
        const int at[3] = {box->low[0] + row / box->size[1], box->low[1] + row % box->size[1],
                           box->low[2] + (int)i % box->size[2]};
        double complex value = what(n, k, at);
        if (scale > 0) {
            most = fmax(most, cabs(u[i] - scale * value));
        } else {
            u[i] = value;
        }
    }
    return most;
}

struct field {
    struct fft *fft;
    int n[3], k[3];
    double complex *u;
};

static void open_field(struct field *f, MPI_Comm comm, int columns)
{
    struct fft_setup setup = {
        .n = {f->n[0], f->n[1], f->n[2]}, .threads = 2, .flags = FFTW_ESTIMATE};
    int ranks;
    MPI_Comm_size(comm, &ranks);
    require(fft_grid_choose(f->n, ranks, setup.grid), "a grid");
    if (ranks % columns == 0) {
        setup.grid[0] = ranks / columns;
        setup.grid[1] = columns;
    }
    require(fft_create(&f->fft, &setup, comm) == MPI_SUCCESS, "fft_create");
    f->u = fft_alloc(f->fft);
    require(f->u != NULL, "fft_alloc");
    visit(fft_space(f->fft), f->n, f->k, wave, f->u, 0);
}

static void close_field(struct field *f)
{
    fft_free(f->fft, f->u);
    fft_destroy(f->fft);
}

static void forward(struct field *f)
{
    double size = (double)f->n[0] * f->n[1] * f->n[2];
    require(fft_forward(f->fft, f->u) == MPI_SUCCESS, "fft_forward");
    double error = visit(fft_spectrum(f->fft), f->n, f->k, spectrum, f->u, 1);
    require(error < 1e-12 * size, "the spectrum of a plane wave");
}

static void inverse(struct field *f)
{
    double size = (double)f->n[0] * f->n[1] * f->n[2];
    require(fft_inverse(f->fft, f->u) == MPI_SUCCESS, "fft_inverse");
    double error = visit(fft_space(f->fft), f->n, f->k, wave, f->u, size);
    require(error < 1e-12 * size, "what comes back");
    visit(fft_space(f->fft), f->n, f->k, wave, f->u, 0);
}

static void refuse_grids(MPI_Comm comm)
{
    static const int huge[3] = {1 << 20, 1 << 20, 1 << 20}, few[3] = {2, 2, 2};
    struct fft *fft = NULL;
    int grid[2], ranks;
    MPI_Comm_size(comm, &ranks);
    struct fft_setup setup = {.n = {8, 8, 8}, .grid = {ranks + 1, 1}, .threads = 1};
    require(fft_create(&fft, &setup, comm) == MPI_ERR_DIMS && !fft, "a grid of more ranks");
    setup = (struct fft_setup){.n = {1 << 20, 1 << 20, 1 << 20}, .grid = {1 << 17, 1 << 17}};
    require(fft_create(&fft, &setup, comm) == MPI_ERR_DIMS && !fft, "a grid past an int");
    setup = (struct fft_setup){.n = {1 << 20, 1 << 20, 1 << 20}, .grid = {ranks, 1}};
    require(fft_create(&fft, &setup, comm) == MPI_ERR_COUNT && !fft, "elements past an int");
    require(fft_grid_choose(huge, 1 << 10, grid) && grid[0] == 1 << 10, "slabs of a huge field");
    require(!fft_grid_choose(few, 8, grid), "no grid of 8 ranks for 2 x 2 x 2 elements");
    fft_destroy(NULL);
}

static void work_with(MPI_Comm comm)
{
    struct field a = {.n = {6, 5, 7}, .k = {1, 4, 3}}, b = {.n = {4, 9, 8}, .k = {3, 0, 5}};
    open_field(&a, comm, 1);
    open_field(&b, comm, 2);
    for (enum fft_library library = 0; library < FFT_LIBRARIES; library++) {
        for (enum fft_transpose transpose = 0; transpose < FFT_TRANSPOSES; transpose++) {
            int possible = fft_lacks(b.fft, library) ? MPI_ERR_ARG : MPI_SUCCESS;
            require(fft_use(b.fft, library, transpose) == possible, "fft_use");
            forward(&a);
            forward(&b);
            inverse(&a);
            inverse(&b);
        }
    }
    refuse_grids(comm);
    close_field(&a);
    close_field(&b);
}

int main(int argc, char **argv)
{
    int provided, rank;
    MPI_Comm part;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, -rank, &part);
    work_with(part);
    MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}
