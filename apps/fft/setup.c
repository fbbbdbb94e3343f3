/* Sets up the memory and the plans of a run. */
#include <fftw3.h>
#include <stdlib.h>
#include <string.h>

#include "apps/common/collect.h"
#include "apps/fft/ft.h"

double ft_bytes(const struct ft_options *options, const int grid[2])
{
    /* The field, two or three work arrays, and NAS FT's spectrum. */
    int buffers = (options->class ? 4 : 3) + (options->calls == FFT_NONBLOCKING);
    double bytes = buffers * fft_elements(options->n, grid) * sizeof(double complex);
    return bytes +
           (ft_without_reference(options) ? 0 : ft_reference_bytes(options, grid[0] * grid[1]));
}

const char *ft_without_reference(const struct ft_options *options)
{
    return options->class     ? "it transforms random data"
           : options->members ? "FFTW knows no members"
                              : ft_reference_lacks(options->n);
}

bool ft_runs(const struct ft *ft, int way)
{
    return way == FT_REFERENCE ? ft->reference != NULL : ft->variants >> way & 1;
}

static bool all(const struct ft *ft, int fine)
{
    ft_collect(ft, &fine, 1, MPI_INT, MPI_MIN);
    return fine;
}

/* FFTW's transposition takes part where it can. It must where the user asked for nothing else. */
static bool choose_variants(struct ft *ft, char *message, size_t size)
{
    const struct ft_options *o = ft->options;
    const char *lacks = fft_lacks(ft->fft, FFT_FFTW);
    for (int v = 0; v < FT_VARIANTS; v++) {
        const struct ft_variant *variant = &ft_variants[v];
        bool way = variant->library == FFT_FFTW || o->transposes >> variant->transpose & 1;
        if (way && o->libraries >> variant->library & 1 && !fft_lacks(ft->fft, variant->library)) {
            ft->variants |= 1u << v;
        }
    }
    ft->lacks = o->libraries >> FFT_FFTW & 1 ? lacks : NULL;
    if (!ft->variants) {
        snprintf(message, size, "--exchange 'fftw': %s%s", lacks,
                 o->calls == FFT_BLOCKING ? ""
                                          : "; --calls must be blocking, or --exchange another");
    }
    return ft->variants;
}

static bool plan(struct ft *ft, char *message, size_t size)
{
    const struct ft_options *o = ft->options;
    const struct fft_setup setup = {.n = {o->n[0], o->n[1], o->n[2]},
                                    .grid = {ft->grid[0], ft->grid[1]},
                                    .threads = ft->threads,
                                    .members = o->members,
                                    .team = o->team,
                                    .calls = o->calls,
                                    .mapped = o->mapped,
                                    .flags = o->measure ? FFTW_MEASURE : FFTW_ESTIMATE};
    int code = fft_create(&ft->fft, &setup, ft->comm);
    snprintf(message, size, "%s",
             code == MPI_ERR_COUNT ? "more elements than an int can count: use more ranks"
                                   : "out of memory");
    if (code || !choose_variants(ft, message, size)) {
        return false;
    }
    for (int v = 0; v < FT_VARIANTS; v++) {
        if (ft->variants >> v & 1 &&
            fft_use(ft->fft, ft_variants[v].library, ft_variants[v].transpose)) {
            return false;
        }
    }
    return true;
}

static bool allocate(struct ft *ft)
{
    const bool class = ft->options->class;
    const int *n = ft->options->n;
    ft->decay = calloc((size_t)n[0] + (size_t)n[1] + (size_t)n[2], sizeof *ft->decay);
    ft->result = calloc(FT_WAYS, sizeof *ft->result);
    ft->field = fft_alloc(ft->fft);
    ft->spectrum = class ? fft_alloc(ft->fft) : NULL;
    if (!all(ft, ft->result && ft->decay && ft->field && (ft->spectrum || !class))) {
        return false;
    }
    if (!ft_without_reference(ft->options)) {
        ft->reference = ft_reference_create(ft);
        return ft->reference;
    }
    return true;
}

bool ft_create(struct ft *ft, char *message, size_t size)
{
    app_place(ft->comm, ft->options->members, &ft->rank, &ft->ranks);
    return plan(ft, message, size) && allocate(ft);
}

void ft_destroy(struct ft *ft)
{
    ft_reference_destroy(ft->reference);
    fft_free(ft->fft, ft->field);
    fft_free(ft->fft, ft->spectrum);
    fft_destroy(ft->fft);
    free(ft->decay);
    free(ft->result);
}
