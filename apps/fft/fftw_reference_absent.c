/* Replaces fftw_reference.c in a build without libfftw3-mpi for this MPI. It states that reason,
 * and no other function is called. */
#include "apps/fft/ft.h"

const char *ft_reference_lacks(const int n[3])
{
    (void)n;
    return "this was built without libfftw3-mpi for this MPI";
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
