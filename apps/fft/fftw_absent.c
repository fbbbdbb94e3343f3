/* In place of fftw_transpose.c and fftw_reference.c where libfftw3-mpi is not there for this MPI.
 * Nothing here is called but what says so. */
#include "apps/fft/ft.h"
#include "apps/fft/local.h"

static const char why[] = "this was built without libfftw3-mpi for this MPI";

const char *transpose_lacks(const int n[3], const int grid[2])
{
    (void)n, (void)grid;
    return why;
}

fftw_plan transpose_plan(const struct fft_setup *setup, MPI_Comm comm, bool back,
                         double complex *from, double complex *to)
{
    (void)setup, (void)comm, (void)back, (void)from, (void)to;
    return NULL;
}

void transpose_execute(fftw_plan plan, double complex *from, double complex *to)
{
    (void)plan, (void)from, (void)to;
}

const char *ft_reference_lacks(void)
{
    return why;
}

double ft_reference_bytes(const struct ft_options *options, int ranks)
{
    (void)options, (void)ranks;
    return 0;
}

struct ft_reference *ft_reference_create(struct ft *ft)
{
    (void)ft;
    return NULL;
}

void ft_reference_destroy(struct ft_reference *reference)
{
    (void)reference;
}

double ft_reference_forward(struct ft *ft)
{
    (void)ft;
    return 0;
}

double ft_reference_inverse(struct ft *ft)
{
    (void)ft;
    return 0;
}

double ft_reference_error(struct ft *ft)
{
    (void)ft;
    return 0;
}
