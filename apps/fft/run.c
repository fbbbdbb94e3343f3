/* Times and checks all variants in turn. */
#include <math.h>
#include <stdlib.h>

#include "apps/common/collect.h"
#include "apps/fft/ft.h"

const struct ft_variant ft_variants[FT_WAYS] = {
    {FFT_STRATA, FFT_PACK, "strata", "pack"},         {FFT_MPI, FFT_PACK, "mpi", "pack"},
    {FFT_STRATA, FFT_DATATYPE, "strata", "datatype"}, {FFT_MPI, FFT_DATATYPE, "mpi", "datatype"},
    {FFT_FFTW, FFT_PACK, "fftw", "its own"},          {FFT_FFTW, FFT_PACK, "FFTW MPI", "all of it"},
};

void ft_collect(const struct ft *ft, void *numbers, int count, MPI_Datatype type, MPI_Op op)
{
    app_collect(ft->comm, ft->options->members, numbers, count, type, op);
}

int ft_order(const struct ft *ft, int iteration, int order[FT_VARIANTS])
{
    int running[FT_VARIANTS], count = 0;
    for (int v = 0; v < FT_VARIANTS; v++) {
        if (ft->variants >> v & 1) {
            running[count++] = v;
        }
    }
    for (int i = 0; i < count; i++) {
        order[i] = running[(i + iteration) % count];
    }
    return count;
}

void ft_add_times(struct ft *ft, int way, double mine[FT_PARTS])
{
    struct ft_result *result = &ft->result[way];
    double slowest = mine[FT_TOTAL];
    ft_collect(ft, &slowest, 1, MPI_DOUBLE, MPI_MAX);
    ft_collect(ft, mine, FT_PARTS, MPI_DOUBLE, MPI_SUM);
    for (int p = 0; p < FT_PARTS; p++) {
        mine[p] = p == FT_TOTAL ? slowest : mine[p] / ft->ranks;
        result->seconds[result->runs][p] += mine[p];
    }
}

void ft_use(struct ft *ft, int variant)
{
    fft_use(ft->fft, ft_variants[variant].library, ft_variants[variant].transpose);
    ft->by_strata = ft_variants[variant].library == FFT_STRATA;
}

void ft_timed(struct ft *ft, int variant, ft_action *action, int iteration,
              double seconds[FT_PARTS])
{
    ft_use(ft, variant);
    fft_forget(ft->fft);
    fft_seconds(ft->fft, seconds);
    app_meet(ft->comm, ft->options->members);
    double start = MPI_Wtime();
    action(ft, iteration);
    seconds[FT_TOTAL] = MPI_Wtime() - start;
    fft_seconds(ft->fft, seconds);
    ft_add_times(ft, variant, seconds);
}

void ft_check(struct ft *ft, int way, double error)
{
    struct ft_result *result = &ft->result[way];
    error = isnan(error) ? INFINITY : error;
    result->checks++;
    result->passed += error <= FT_TOLERANCE;
    result->error = fmax(result->error, error);
}

void ft_done(struct ft *ft)
{
    for (int way = 0; way < FT_WAYS; way++) {
        ft->result[way].runs += ft_runs(ft, way);
    }
}

static void expect_success(const struct ft *ft, int code)
{
    if (code != MPI_SUCCESS) {
        fprintf(stderr, "fft: rank %d: the exchange failed\n", ft->rank);
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
        abort();
    }
}

void ft_forward(struct ft *ft)
{
    expect_success(ft, fft_forward(ft->fft, ft->field));
}

void ft_inverse(struct ft *ft)
{
    expect_success(ft, fft_inverse(ft->fft, ft->field));
}
